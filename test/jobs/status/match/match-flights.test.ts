import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstancePage } from '../../../../generated/flight-info/v2/types.gen.ts';
import { localDate } from '../../../../src/domain/time/dates.ts';
import type { Database } from '../../../../src/store/pool/database.ts';
import { buildFile, buildLeg, buildSecondLeg } from '../../../feeds/ssim/build-file.ts';
import { schedule } from '../../../products/flight-info/v2/example-schedule.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../../support/tiny-world.ts';
import { formatOutcomes, flight, listStoredMessages, message, listQuarantine, second, ingest } from '../messages.ts';

let world: TinyService;
let db: Database;
beforeAll(async () => {
  world = await serveTinyWorld();
  db = world.db;
  await publishText(db, schedule);
  await world.refresh();
});
afterAll(() => world.drop());
afterEach(() => db`truncate flight_status, status_message, status_quarantine, flight_diversion`);

const searchFlights = async (query: string): Promise<FlightInstancePage['data']> => {
  const response = await world.get(`/flight-instances?${query}`);
  const { data }: FlightInstancePage = await response.json();
  return data;
};

const departed = { actualOut: second('2026-06-01T10:04Z') };

describe('a message finds its flight', () => {
  test.each([
    ['by designator, origin date and both airports', flight(), 'XX101 LHR-JFK 06-01 11:00'],
    ['by ICAO code of the carrier', flight({ carrier: 'XXA' }), 'XX101 LHR-JFK 06-01 11:00'],
    [
      'by ICAO and FAA codes of the airports',
      flight({ departureAirport: 'EGLL', arrivalAirport: 'KJFK' }),
      'XX101 LHR-JFK 06-01 11:00',
    ],
    ['without its arrival airport', flight({ arrivalAirport: undefined }), 'XX101 LHR-JFK 06-01 11:00'],
    [
      'without its arrival airport, by ICAO codes',
      flight({ carrier: 'XXA', departureAirport: 'EGLL', arrivalAirport: undefined }),
      'XX101 LHR-JFK 06-01 11:00',
    ],
    ['with its suffix', flight({ flightNumber: 502, suffix: 'A', arrivalAirport: 'CDG' }), 'XX502 LHR-CDG 06-01 11:00'],
    [
      'with its suffix and without its arrival airport',
      flight({ flightNumber: 502, suffix: 'A', arrivalAirport: undefined }),
      'XX502 LHR-CDG 06-01 11:00',
    ],
    [
      'as the leg that leaves a station, not as the flight as a whole',
      flight({ flightNumber: 301, arrivalAirport: undefined }),
      'XX301 LHR-JFK 06-01 08:00',
    ],
    [
      'as the second leg',
      flight({ flightNumber: 301, departureAirport: 'JFK', arrivalAirport: 'LAX' }),
      'XX301 JFK-LAX 06-01 13:00',
    ],
    [
      'as the leg that is scheduled to arrive, by the arrival airport alone',
      flight({ flightNumber: 301, departureAirport: '', arrivalAirport: 'LAX' }),
      'XX301 JFK-LAX 06-01 13:00',
    ],
    [
      'by the designator of a marketing flight',
      flight({ carrier: 'YY', flightNumber: 5101 }),
      'XX101 LHR-JFK 06-01 11:00',
    ],
    [
      'by the designator of a marketing flight, without the arrival airport',
      flight({ carrier: 'YY', flightNumber: 5101, arrivalAirport: undefined }),
      'XX101 LHR-JFK 06-01 11:00',
    ],
    ['dated by its own departure', flight({ datedBy: 'departure' }), 'XX101 LHR-JFK 06-01 11:00'],
    [
      'across the date line',
      flight({ carrier: 'YY', flightNumber: 201, departureAirport: 'AKL', arrivalAirport: 'HNL' }),
      'YY201 AKL-HNL 06-01 09:00',
    ],
  ])('%s', async (_, reference, expected) => {
    expect(formatOutcomes(await ingest(db, [message({ id: 'm', flight: reference, facts: departed })]))).toEqual([
      'stored',
    ]);
    expect(await listStoredMessages(db)).toEqual([`m: ${expected}`]);
  });

  test('by the keys that the service returns', async () => {
    const [match] = await searchFlights('DepartureDateTime=2026-06-02&CarrierCode=YY&FlightNumber=5101');
    const departureDate = localDate('2026-06-02');
    const outcomes = await ingest(db, [
      message({ id: 'a', flight: { by: 'statusKey', key: match?.statusKey ?? '', departureDate } }),
      message({ id: 'b', flight: { by: 'scheduleInstanceKey', key: match?.scheduleInstanceKey ?? '', departureDate } }),
    ]);
    expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored']);
    expect(await listStoredMessages(db)).toEqual(['a: XX101 LHR-JFK 06-02 11:00', 'b: XX101 LHR-JFK 06-02 11:00']);
  });

  test('and facts of a marketing flight appear on its operating flight, and vice versa', async () => {
    await ingest(db, [
      message({
        id: 'sold',
        flight: flight({ carrier: 'YY', flightNumber: 5101 }),
        facts: { departureGate: 'B32' },
      }),
      message({ id: 'flown', facts: departed }),
    ]);
    for (const designator of ['CarrierCode=XX&FlightNumber=101', 'CarrierCode=YY&FlightNumber=5101']) {
      const [match] = await searchFlights(`DepartureDateTime=2026-06-01&${designator}&Content=Status`);
      expect(match?.statusDetails).toMatchObject([{ state: 'OutGate', departure: { gate: 'B32' } }]);
    }
  });
});

describe('a later leg past midnight', () => {
  beforeAll(async () => {
    const june1 = { 15: '01JUN26', 22: '02JUN26' };
    const next = { 15: '02JUN26', 22: '03JUN26', 40: '0100', 44: '0100', 58: '0400', 62: '0400', 193: '11' };
    await publishText(db, buildFile(buildLeg({ ...june1, 6: '0601' }), buildSecondLeg({ ...next, 6: '0601' })));
  });
  afterAll(() => publishText(db, schedule));

  const last = flight({ flightNumber: 601, departureAirport: 'JFK', arrivalAirport: 'LAX' });
  test.each([
    ['matches by the date on which the flight began', last],
    ['matches by that date without its arrival airport', { ...last, arrivalAirport: undefined }],
    ['matches by that date and its arrival airport alone', { ...last, departureAirport: '' }],
    [
      'matches by its own date if the source says so',
      { ...last, originDate: localDate('2026-06-02'), datedBy: 'departure' as const },
    ],
    [
      'matches by its own date without its arrival airport if the source says so',
      { ...last, originDate: localDate('2026-06-02'), arrivalAirport: undefined, datedBy: 'departure' as const },
    ],
  ])('%s', async (_, reference) => {
    await ingest(db, [message({ id: 'm', flight: reference })]);
    expect(await listStoredMessages(db)).toEqual(['m: XX601 JFK-LAX 06-02 01:00']);
  });

  test('belongs to the origin date when a source names a date both flights have', async () => {
    await ingest(db, [message({ id: 'm', flight: { ...last, originDate: localDate('2026-06-02') } })]);
    expect(await listStoredMessages(db)).toEqual(['m: XX601 JFK-LAX 06-03 01:00']);
  });
});

describe('a message without a flight goes to quarantine with the reason', () => {
  test.each([
    ['of an unknown designator', flight({ flightNumber: 999 }), 'no-such-flight: XX 999 of 2026-06-01, LHR-JFK'],
    ['of a day without the flight', flight({ date: '2026-06-09' }), 'no-such-flight: XX 101 of 2026-06-09, LHR-JFK'],
    ['of another route', flight({ arrivalAirport: 'LAX' }), 'no-such-flight: XX 101 of 2026-06-01, LHR-LAX'],
    [
      'of a leg from another station',
      flight({ departureAirport: 'CDG', arrivalAirport: undefined }),
      'no-such-flight: XX 101 of 2026-06-01, CDG-?',
    ],
    [
      'without the suffix of the flight',
      flight({ flightNumber: 502, arrivalAirport: 'CDG' }),
      'no-such-flight: XX 502 of 2026-06-01, LHR-CDG',
    ],
    [
      'of two matching legs',
      flight({ flightNumber: 301, departureAirport: '', arrivalAirport: undefined }),
      'ambiguous-flight: XX 301 of 2026-06-01, ?-?',
    ],
    [
      'of an unknown key',
      { by: 'statusKey' as const, key: 'ab'.repeat(32), departureDate: localDate('2026-06-01') },
      `no-such-flight: statusKey ${'ab'.repeat(32)}`,
    ],
  ])('%s', async (_, reference, expected) => {
    expect(formatOutcomes(await ingest(db, [message({ id: 'm', flight: reference })]))).toEqual([expected]);
    expect(await listQuarantine(db)).toEqual([`m: ${expected.slice(0, expected.indexOf(':'))}`]);
    expect(await listStoredMessages(db)).toEqual([]);
  });

  test('when both legs of a flight are under way at once', async () => {
    const leg = (departureAirport: string, arrivalAirport: string) =>
      flight({ flightNumber: 301, departureAirport, arrivalAirport });
    await ingest(db, [
      message({ id: 'a', flight: leg('LHR', 'JFK'), facts: { actualOff: second('2026-06-01T07:20Z') } }),
      message({ id: 'b', flight: leg('JFK', 'LAX'), facts: { actualOff: second('2026-06-01T17:20Z') } }),
    ]);
    expect(formatOutcomes(await ingest(db, [message({ id: 'm', flight: leg('', 'SYD') })]))).toEqual([
      'ambiguous-flight: XX 301 of 2026-06-01, ?-SYD',
    ]);
  });

  test('with an unknown diversion airport', async () => {
    const landings = [{ id: '1', airport: 'ZZZ' }];
    expect(formatOutcomes(await ingest(db, [message({ id: 'm', landings })]))).toEqual(['airport-unknown: ZZZ']);
  });
});

describe('a report of arrival at an unscheduled airport', () => {
  const reported = flight({ departureAirport: '', arrivalAirport: 'CDG' });
  const landed = { actualOn: second('2026-06-01T12:00Z'), arrivalGate: 'K4' };

  test('becomes a landing elsewhere of the flight', async () => {
    await ingest(db, [message({ id: 'off', facts: { actualOff: second('2026-06-01T10:15Z') } })]);
    await ingest(db, [message({ id: 'on', at: '2026-06-01T12:01Z', flight: reported, facts: landed })]);
    const [match] = await searchFlights('DepartureDateTime=2026-06-01&CarrierCode=XX&FlightNumber=101&Content=Status');
    const [status] = match?.statusDetails ?? [];
    expect([status?.state, status?.diversionAirport, status?.diversionType, status?.arrival?.gate]).toEqual([
      'Landed',
      { iata: 'CDG', icao: 'LFPG' },
      'Unplanned',
      undefined,
    ]);
    const diverted = 'ArrivalDateTime=2026-06-01&ArrivalAirport=CDG&IncludeDiverted=true&Content=Status';
    expect((await searchFlights(diverted)).map(({ flightNumber }) => flightNumber)).toContain(101);
  });

  test('belongs to the leg under way of a flight with several', async () => {
    const leg = flight({ flightNumber: 301, departureAirport: 'JFK', arrivalAirport: 'LAX' });
    await ingest(db, [message({ id: 'off', flight: leg, facts: { actualOff: second('2026-06-01T17:20Z') } })]);
    await ingest(db, [message({ id: 'on', flight: { ...reported, flightNumber: 301 }, facts: landed })]);
    expect(await listStoredMessages(db)).toEqual(['off: XX301 JFK-LAX 06-01 13:00', 'on: XX301 JFK-LAX 06-01 13:00']);
  });

  test('at an unknown airport goes to quarantine', async () => {
    const unknown = { ...reported, arrivalAirport: 'ZZZ' };
    expect(formatOutcomes(await ingest(db, [message({ id: 'm', flight: unknown, facts: landed })]))).toEqual([
      'airport-unknown: ZZZ',
    ]);
  });
});
