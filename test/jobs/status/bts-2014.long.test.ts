import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { findSharedData } from '#test/support/shared-data.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { getRegistration } from './diversion-status.ts';
import { expectedStatus, readAirports, findRecovery, toComparableStatus, type Airports } from './diversion-status.ts';
import { formatClock, readFlownRows, type FlownRow } from './flown-rows.ts';
import { allDays, days, formatTimeliness, formatTypedFlight, formatFlight, formatVariation } from './real-world.ts';
import { getStatus, openRealWorld, publishSchedulesOfRows, type RealWorld } from './real-world.ts';

const airportsFile = findSharedData('master/airportsdata_airports.csv.gz');
const sample = findSharedData('bts/bts_2014-01-01_15_sample_with_diversions.csv.gz');
const absent = !airportsFile || !sample;
if (absent) console.warn('The shared data is absent: real diversions are not tested in this run.');

/** Flights are searched at every nth airport, and day by day at a third of them; 1 in a long run. */
const SEARCHED_AIRPORTS_STEP = Number(process.env['BTS_AIRPORTS_STEP'] ?? 8);

const describeDelay = (minutes: string) =>
  minutes === '' ? undefined : [formatTimeliness(minutes), formatVariation(minutes)];

/** The times, the aircraft and the state of a row without landings elsewhere. */
const expectedFlight = ({ name, cancelled, tail, cell }: FlownRow): object => ({
  name,
  scheduled: [formatClock(cell('CRSDepTime')), formatClock(cell('CRSArrTime'))],
  minutes: Number(cell('CRSElapsedTime')),
  state: cancelled ? 'Canceled' : 'InGate',
  tail: tail || undefined,
  out: describeDelay(cell('DepDelay')),
  in: describeDelay(cell('ArrDelay')),
  diversion: [],
});

const toComparableFlight = (flight: FlightInstance): object => {
  const { state, equipment, departure, arrival, ...status } = getStatus(flight);
  const [out, arrived] = [departure?.actualTime, arrival?.actualTime];
  return {
    name: formatFlight(flight),
    scheduled: [flight.departure.time.local, flight.arrival.time.local],
    minutes: flight.elapsedTime,
    state,
    tail: equipment?.aircraftRegistrationNumber,
    out: out?.outGate && [out.outGateTimeliness, out.outGateVariation],
    in: arrived?.inGate && [arrived.inGateTimeliness, arrived.inGateVariation],
    diversion: Object.keys(status).filter((name) => /diversion|irregular/.test(name)),
  };
};

type Bound = {
  readonly label: string;
  readonly date: string;
  readonly destination: string;
  readonly landedAt: readonly string[];
};

const labels = (flights: readonly Bound[]): readonly string[] => flights.map(({ label }) => label).toSorted();
const airportsOf = (stops: FlownRow['stops'] = []): readonly string[] => stops.map(({ airport }) => airport);

describe.skipIf(absent)('fifteen days with nearly all diversions of US carriers, as scheduled and as flown', () => {
  let world: RealWorld;
  let report: LoadReport;
  let rows: readonly FlownRow[] = [];
  let airports: Airports = new Map();
  let recovered: readonly FlownRow[] = [];
  let scheduled: ReadonlyMap<string, FlightInstance> = new Map();
  let recoveries: readonly FlightInstance[] = [];

  /** Half of the flights that landed elsewhere, which are imported before there are schedules. */
  let early: readonly FlownRow[] = [];
  let earlyFlights: readonly FlightInstance[] = [];
  const { write } = createTemporaryFolder();
  const importEarlyRows = async (): Promise<void> => {
    const [header = '', ...lines] = gunzipSync(readFileSync(sample ?? ''))
      .toString()
      .split('\n');
    const isEarly = (index: number): boolean => index % 2 === 0 && (rows[index]?.stops ?? []).length > 0;
    early = rows.filter((_, index) => isEarly(index));
    const text = [header, ...lines.filter((_, index) => isEarly(index))].join('\n');
    await world.importOnTime(write('early.csv.gz', gzipSync(text)));
    earlyFlights = await world.search({ DepartureDateTime: allDays, Content: 'Status' });
  };

  beforeAll(async () => {
    rows = readFlownRows(sample ?? '');
    recovered = rows.filter(({ recovery }) => recovery !== undefined);
    airports = readAirports(airportsFile ?? '');
    world = await openRealWorld();
    await importEarlyRows();
    await publishSchedulesOfRows(world, sample ?? '');
    report = await world.importOnTime(sample ?? '');
    const all = { DepartureDateTime: allDays, Content: 'Status' };
    const flights = await world.search({ ...all, FlightType: 'Scheduled' });
    scheduled = new Map(flights.map((flight) => [formatFlight(flight), flight]));
    recoveries = await world.search({ ...all, FlightType: 'Unscheduled', ServiceType: 'Passenger' });
  }, 300_000);
  afterAll(() => world?.drop());

  const flightOf = ({ name }: FlownRow): FlightInstance => {
    const flight = scheduled.get(name);
    if (!flight) throw new Error(`${name} is not there`);
    return flight;
  };

  /** Every flight of the file: the scheduled ones, and the recovery flights. */
  const boundOf = (row: FlownRow): readonly Bound[] => {
    const { name, date, destination, stops, recovery } = row;
    const own = { label: `Scheduled ${name}`, date, destination, landedAt: airportsOf(stops) };
    if (!recovery) return [own];
    const flight = findRecovery(row, recoveries);
    const landedAt = airportsOf(recovery.stops);
    return [own, { label: formatTypedFlight(flight), date: flight.departure.date.local, destination, landedAt }];
  };

  test('without a schedule a row makes an unscheduled flight, and some a recovery flight besides, without a link', () => {
    const isRecovery = (flight: FlightInstance): boolean => getStatus(flight).irregularOperationType === 'Recovery';
    const others = earlyFlights.filter((flight) => !isRecovery(flight));
    const shown = new Map(others.map((one) => [formatTypedFlight(one), toComparableStatus(one, airports)]));
    expect(shown).toEqual(new Map(early.map((row) => [`Unscheduled ${row.name}`, expectedStatus(row, airports)])));
    expect(earlyFlights.filter(({ originalFlight }) => originalFlight !== undefined)).toEqual([]);
  });

  test('every row is stored with its scheduled flight, and 65 make a recovery flight besides', () => {
    const accepted = { messages: 4467, 'duplicate messages': 533, 'messages of unscheduled flights': 37 };
    expect([early.length, earlyFlights.length, report.accepted]).toEqual([505, 533, accepted]);
    expect(report.entries.map(({ severity, line, field }) => [severity, line, field])).toEqual([
      ['notice', 485, 'WheelsOn'],
      ['notice', 485, 'ArrTime'],
    ]);
    expect([...scheduled.keys()].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
    expect([scheduled.size, recovered.length, recoveries.length]).toEqual([4935, 65, 65]);
  });

  test('all 1,002 flights that landed elsewhere show their airports, the type of diversion, and the outcome', () => {
    const diverted = rows.filter(({ stops }) => stops.length > 0);
    expect(diverted.map((row) => [row.name, toComparableStatus(flightOf(row), airports)])).toEqual(
      diverted.map((row) => [row.name, expectedStatus(row, airports)]),
    );
    const counts: Record<string, number> = {};
    for (const { state, diversionType } of diverted.map((row) => getStatus(flightOf(row))))
      counts[`${state} ${diversionType}`] = (counts[`${state} ${diversionType}`] ?? 0) + 1;
    expect(counts).toEqual({
      'Canceled InAirReturn': 96,
      'InGate InAirReturn': 41,
      'InGate TechnicalStop': 414,
      'Landed InAirReturn': 42,
      'Landed Unplanned': 409,
    });
  });

  test('flights that landed as planned have the times, the aircraft, the state and the delays of their rows', () => {
    const others = rows.filter(({ stops }) => stops.length === 0);
    expect(others.map((row) => toComparableFlight(flightOf(row)))).toEqual(others.map(expectedFlight));
    expect(others).toHaveLength(3933);
  });

  test('an airport has the flights bound for it and, with IncludeDiverted, those diverted to it, and no others', async () => {
    const flights = rows.flatMap(boundOf);
    const visited = [...new Set(flights.flatMap(({ landedAt }) => landedAt))].toSorted();
    expect(visited).toHaveLength(156);
    for (const [index, airport] of visited.filter((_, place) => place % SEARCHED_AIRPORTS_STEP === 0).entries()) {
      const bound = flights.filter(({ destination }) => destination === airport);
      const diverted = flights.filter(({ landedAt }) => landedAt.includes(airport));
      const both = [...new Set([...bound, ...diverted])];
      const here = { ArrivalAirport: airport, Content: 'Status' };
      const without = await world.search({ ...here, DepartureDateTime: allDays });
      expect([airport, without.map(formatTypedFlight).toSorted()]).toEqual([airport, labels(bound)]);
      const withDiverted = { ...here, IncludeDiverted: 'true' };
      const arriving = await world.search({ ...withDiverted, ArrivalDateTime: '2014-01-01/2014-01-17' });
      expect([airport, arriving.map(formatTypedFlight).toSorted()]).toEqual([airport, labels(both)]);
      for (const day of index % 3 === 0 ? days : []) {
        const matches = await world.search({ ...withDiverted, DepartureDateTime: day });
        const ofDay = both.filter(({ date }) => date === day);
        expect([airport, day, matches.map(formatTypedFlight).toSorted()]).toEqual([airport, day, labels(ofDay)]);
      }
    }
  }, 240_000);

  test('65 flights were recovered by another aircraft, whose unscheduled flight links to them', async () => {
    for (const row of recovered) {
      const flight = findRecovery(row, recoveries);
      const response = await world.get(flight.originalFlight ?? '/none');
      expect([row.name, response.status]).toEqual([row.name, 200]);
      const original: FlightInstance = await response.json();
      expect({
        recovery: [flight.flightType, flight.serviceType.iata, getStatus(flight).irregularOperationType],
        original: [formatTypedFlight(original), getStatus(original).irregularOperationType, getRegistration(original)],
        onwards: original.originalFlight,
      }).toEqual({
        recovery: ['Unscheduled', 'J', 'Recovery'],
        original: [`Scheduled ${row.name}`, 'Diverted', row.tail],
        onwards: undefined,
      });
    }
  });

  test('the recovery aircraft finds them, besides its scheduled flights', async () => {
    for (const row of recovered) {
      const tail = row.recovery?.tail ?? '';
      const day = findRecovery(row, recoveries).departure.date.local;
      const matches = await world.search({ DepartureDateTime: day, AircraftRegistrationNumber: tail });
      const own = rows.filter((other) => other.tail === tail && other.date === day);
      const ofTail = recoveries.filter((one) => one.departure.date.local === day && getRegistration(one) === tail);
      expect([tail, matches.map(formatTypedFlight).toSorted()]).toEqual([
        tail,
        [...own.map(({ name }) => `Scheduled ${name}`), ...ofTail.map(formatTypedFlight)].toSorted(),
      ]);
    }
  });
});
