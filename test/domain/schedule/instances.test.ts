import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listInstances, toPassengerMinutes } from '#domain/schedule/instances.ts';
import type { SegmentInstance, ZoneLookup } from '#domain/schedule/instances.ts';
import type { FlightSegment, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { buildSegments } from '#domain/schedule/segments.ts';
import { addDays, formatDate, formatMinute, localDate, type LocalDate } from '#domain/time/dates.ts';
import { buildFile, buildLeg, readFileText } from '#test/feeds/ssim/build-file.ts';
import { findStation } from '../connections/worlds/random/setting.ts';

test.each([
  ['at the same time', 600, 600, 600],
  ['a little earlier', 590, 600, 590],
  ['before midnight, the aircraft after it', 1435, 5, -5],
  ['after midnight, the aircraft before it', 5, 1435, 1445],
  ['at the end of the day', 1440, 1430, 1440],
])('passengers %s', (_, passengerMinutes, aircraftMinutes, expected) => {
  expect(toPassengerMinutes({ passengerMinutes, aircraftMinutes })).toBe(expected);
});

const fixture = new URL('../../feeds/ssim/fixture/', import.meta.url);
const zoneOf: ZoneLookup = (station) =>
  station === 'LIS' || station === 'OPO' ? 'Europe/Lisbon' : findStation(station)?.zone;

const allOf = (segment: FlightSegment, firstLeg: ScheduleLeg): readonly SegmentInstance[] => {
  const actual: SegmentInstance[] = [];
  for (let day = localDate('2026-05-01'); day <= localDate('2026-12-31'); day = addDays(day, 1))
    actual.push(...listInstances(segment, day, { firstLeg, zoneOf }));
  return actual;
};

const readFixture = async () =>
  (await readFileText(readFileSync(new URL('fixture.ssim', fixture), 'latin1'))).itineraries;

const iso = (minute: Parameters<typeof formatMinute>[0]): string => formatMinute(minute).replace(' ', 'T');

test('every leg of the fixture departs and arrives as in an independent expansion', async () => {
  const legs = (await readFixture())
    .flatMap((itinerary) => buildSegments(itinerary).map((segment) => ({ segment, firstLeg: itinerary.legs[0] })))
    .filter(({ segment }) => segment.legs.length === 1);
  const actual = legs.map(({ segment, firstLeg }) => {
    const [first] = segment.legs;
    const instances = allOf(segment, firstLeg);
    const [earliest] = instances;
    if (!earliest) throw new Error('a leg without instances');
    return {
      flight: `${segment.carrier}${String(segment.flightNumber).padStart(4, '0')}/${segment.itinerary}/${String(segment.sequence).padStart(2, '0')}`,
      mode: first.timeMode === 'utc' ? 'U' : 'L',
      route: `${first.departure.station}-${first.arrival.station}`,
      instances: instances.length,
      originDate: formatDate(earliest.originDate),
      depLocal: iso(earliest.departsAtLocal),
      depUtc: iso(earliest.departsAtUtc),
      arrLocal: iso(earliest.arrivesAtLocal),
      arrUtc: iso(earliest.arrivesAtUtc),
      elapsedMin: earliest.arrivesAtUtc - earliest.departsAtUtc,
    };
  });
  const text = readFileSync(new URL('expected.json', fixture), 'utf8');
  const expected: { flight: string; mode: string; originDate: string }[] = JSON.parse(text);
  // The expansion beside the fixture counts origin dates in UTC in UTC mode; here the local date identifies a flight.
  const localOrigins = expected.map((row) => (row.mode === 'U' ? { ...row, originDate: '2026-06-01' } : row));
  const byFlight = (a: { flight: string }, b: { flight: string }) => a.flight.localeCompare(b.flight);
  expect(actual.toSorted(byFlight)).toEqual(localOrigins.toSorted(byFlight));
});

const onlyInstance = async (text: string, date: LocalDate): Promise<SegmentInstance | undefined> => {
  const { itineraries } = await readFileText(text);
  const [itinerary] = itineraries;
  const [segment] = itinerary ? buildSegments(itinerary) : [];
  return segment && itinerary && listInstances(segment, date, { firstLeg: itinerary.legs[0], zoneOf })[0];
};

const autumn = { 15: '01OCT26', 22: '30NOV26' };
const overnight = { 40: '2355', 44: '0005', 58: '0300', 62: '0300' };
const nowhere = { 37: 'ZZZ', 48: '+0545', 40: '1200', 44: '1200' };

test.each([
  ['a clock in summer', autumn, '2026-10-24 11:00, 2026-10-24 10:00, 2026-10-24 18:00 false'],
  ['a clock in winter', autumn, '2026-11-10 11:00, 2026-11-10 11:00, 2026-11-10 19:00 true'],
  ['passenger times before midnight', overnight, '2026-06-01 23:55, 2026-06-01 22:55, 2026-06-02 07:00 false'],
  ['the filed variation without a zone', nowhere, '2026-06-01 12:00, 2026-06-01 06:15, 2026-06-01 18:00 false'],
])('an instance departs and arrives by %s', async (_, bytes, expected) => {
  const instance = await onlyInstance(buildFile(buildLeg(bytes)), localDate(expected.slice(0, 10)));
  if (!instance) throw new Error('there is no instance');
  const times = [instance.departsAtLocal, instance.departsAtUtc, instance.arrivesAtUtc].map(formatMinute);
  const { departure, arrival } = instance.byZone;
  expect(`${times.join(', ')} ${departure.mismatch || arrival.mismatch}`).toBe(expected);
});
