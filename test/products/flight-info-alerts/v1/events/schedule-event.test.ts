import { afterAll, expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { buildScheduleEvent, type PreviousSchedule } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import type { ScheduleContent } from '#products/flight-info-alerts/v1/events/event-content.ts';
import { computeScheduleKey } from '#domain/schedule/keys.ts';
import { localDate } from '#domain/time/dates.ts';
import type { UtcMillisecond } from '#domain/status/instants.ts';
import { toScheduleEventBody } from '#products/flight-info-alerts/v1/events/render-event.ts';
import { parseFlight } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { toScheduleContent } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { toStatusContents } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { buildFile, buildLeg, buildSecondLeg, buildSegment } from '#test/feeds/ssim/build-file.ts';
import { publishText } from '#test/support/tiny-world.ts';
import { details101 } from '#test/products/flight-info/v2/example-schedule.ts';
import { serveStatuses } from '#test/products/flight-info/v2/status-service.ts';
import { changesOf, readScheduleContent } from '../alerts/stored-flights.ts';
import { row } from '#test/products/flight-info/v2/list-row.ts';

const days = { 15: '01JUN26', 22: '03JUN26' };
const configuration = { 71: '8', 76: 'JWY', 101: 'M   M', 173: 'J30W21Y178', 122: 'S', 129: 'XX' };

const through = { ...days, 6: '0301' };

/** XX 101 LHR-JFK, which is retimed, loses its terminal and gets another aircraft, and XX 301 with a stop, unchanged. */
const schedule = (first: Readonly<Record<number, string>>): string =>
  buildFile(
    buildLeg({ ...days, ...configuration, ...first }),
    buildSegment(10, 'YY 5101 '),
    buildSegment(503, '9'),
    buildLeg({ ...through, 40: '0800', 44: '0800', 58: '1100', 62: '1100' }),
    buildSecondLeg({ ...through, 40: '1300', 44: '1300', 58: '1600', 62: '1600' }),
  );

const filed = schedule({ 53: '5' });
const retimed = schedule({ 40: '1105', 44: '1105', 73: '320' });
const updatedAt = Date.UTC(2026, 4, 20, 14, 52, 53, 7) as UtcMillisecond;

const world = await serveStatuses({ text: filed });
afterAll(world.drop);

const readContents = async () => ({
  xx101: await readScheduleContent(world, { number: 101 }),
  xx301: await readScheduleContent(world, { number: 301 }),
});

/** Each flight as first filed and as filed again. */
const first = await readContents();
await publishText(world.db, retimed);
const second = await readContents();

const inForce = (reported: ScheduleContent | undefined): PreviousSchedule =>
  reported ? { kind: 'in-force', content: reported } : { kind: 'never' };

test('a schedule event has all known properties', () => {
  const event = buildScheduleEvent(inForce(first.xx101), second.xx101, 1);
  expect(event && toScheduleEventBody(event, updatedAt)).toEqual({
    documentType: 'ScheduleInstance',
    version: '2',
    flightVersion: 2,
    state: 'UPDATED',
    updatedAt: '2026-05-20 14:52:53.007',
    carrierCode: { iata: 'XX', icao: 'XXA' },
    serviceSuffix: '',
    flightNumber: 101,
    sequenceNumber: 1,
    departure: {
      airport: { iata: 'LHR', icao: 'EGLL' },
      country: { code: 'GB' },
      date: { local: '2026-06-01', utc: '2026-06-01' },
      time: { local: '11:05', utc: '10:05' },
    },
    arrival: {
      airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' },
      country: { code: 'US' },
      terminal: '8',
      date: { local: '2026-06-01', utc: '2026-06-01' },
      time: { local: '14:00', utc: '18:00' },
    },
    aircraftType: { iata: '320', icao: 'A320' },
    serviceTypeCode: { iata: 'J' },
    arrivalIntervalDays: 0,
    legArrivalIntervalDays: 0,
    segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
    codeshare: {
      jointOperationAirlineDesignators: [],
      marketingFlights: [{ code: 'YY', serviceNumber: '5101', suffix: '' }],
    },
    ...details101,
    electronicTicketing: false,
    scheduleInstanceKey: first.xx101?.scheduleInstanceKey,
    statusKey: first.xx101?.statusKey,
    changes: [
      { propertyName: 'Departure.Terminal', previousValue: '5' },
      { propertyName: 'Departure.Time.Local', previousValue: '11:00' },
      { propertyName: 'Departure.Time.UTC', previousValue: '10:00' },
      { propertyName: 'AircraftType.Iata', previousValue: '789' },
      { propertyName: 'AircraftType.Icao', previousValue: 'B789' },
    ],
  });
});

test('a flight with stops has no event when it is filed without changes', () => {
  expect(first.xx301).toBeDefined();
  expect(buildScheduleEvent(inForce(first.xx301), second.xx301, 1)).toBeUndefined();
});

test('a flight with stops as a whole contains its stops but no interval days of its last leg', async () => {
  const [, whole] = await world.db<{ doc: string; details: string }[]>`
      select i.doc, s.details from flight_instance i join segment s on s.id = i.segment_id
      where i.flight_number = 301 and i.departs_at = '2026-06-01 08:00'
      order by i.doc::jsonb -> 'segmentInfo' ->> 'numberOfStops'`;
  const content = toScheduleContent({ doc: '', details: undefined, ...whole, seats: undefined });
  expect(content).toMatchObject({
    segmentInfo: { numberOfStops: 1, intermediateAirports: { iata: [{ sequenceNumber: 1, station: 'JFK' }] } },
    arrivalIntervalDays: 0,
  });
  expect(content.legArrivalIntervalDays).toBeUndefined();
});

test('a deleted flight has its last content, and a reinstated one the changes since', () => {
  const before = inForce(first.xx101);
  const deleted = buildScheduleEvent(before, undefined, 4);
  expect([deleted?.state, deleted?.content, deleted?.changes]).toEqual(['DELETED', first.xx101, []]);
  const back = buildScheduleEvent({ kind: 'deleted', content: deleted?.content }, second.xx101, 5);
  expect([back?.state, back?.version]).toEqual(['REINSTATED', 6]);
  expect(changesOf(back)).toEqual(changesOf(buildScheduleEvent(before, second.xx101, 0)));
});

test('an unscheduled flight has no schedule events', () => {
  const doc = JSON.stringify({ statusKey: 'abc', segmentInfo: { numberOfStops: 0 }, serviceType: {} });
  expect(() => toScheduleContent({ doc, details: undefined, seats: undefined })).toThrow(
    'flight abc is in no schedule',
  );
});

const originationDateOf = (changes: Partial<FlightInstance>): string | undefined => {
  const instance = { doc: JSON.stringify({ ...row, ...changes }), isMarketing: false, details: '', seats: undefined };
  return toStatusContents(parseFlight([instance]), { doc: '', seats: undefined, originalStatusKey: undefined })[0]
    ?.originationDate.local;
};

test('a leg that departs after midnight belongs to the flight of the day before', () => {
  const [date, route] = [localDate('2026-05-31'), { board: 'LHR', off: 'JFK', occurrence: 1 }];
  for (const carrier of ['XX', 'XXA']) {
    const designator = { carrier, flightNumber: 101, suffix: 'A' };
    const scheduleInstanceKey = computeScheduleKey({ designator, date, ...route }).toString('hex');
    const codes = { iata: 'XX', ...(carrier === 'XXA' && { icao: 'XXA' }) };
    const leg = { carrier: codes, serviceSuffix: 'A', sequenceNumber: 2, scheduleInstanceKey };
    expect(originationDateOf(leg)).toBe('2026-05-31T00:00:00');
  }
});

test('an unscheduled flight belongs to the day on which it departs', () => {
  expect(originationDateOf({ flightType: 'Unscheduled', scheduleInstanceKey: undefined })).toBe('2026-06-01T00:00:00');
});
