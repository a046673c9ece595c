import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance } from '../../../generated/flight-info/v2/types.gen.ts';
import type { LoadReport } from '../../../src/feeds/load-report.ts';
import { findSharedData } from '../../support/shared-data.ts';
import { expectedStatus, readAirports, findRecovery, toComparableStatus, type Airports } from './diversion-status.ts';
import { getLocalClock, getRegistration } from './diversion-status.ts';
import { formatClock, readFlownRows, type FlownRow } from './flown-rows.ts';
import { expectOnTimeFigures } from './on-time-figures.ts';
import { allDays, days, publishSchedulesOfRows } from './row-schedules.ts';
import { formatTypedFlight, formatFlight, openRealWorld, getStatus, type RealWorld, type Row } from './real-world.ts';

const airportsFile = findSharedData('master/airportsdata_airports.csv.gz');
const sample = findSharedData('bts/bts_2014-01-01_15_sample_with_diversions.csv.gz');
const absent = !airportsFile || !sample;
if (absent) console.warn('The shared data is absent: real diversions are not tested in this run.');

/** Flights are searched day by day at every nth airport; 1 in a long run. */
const SEARCHED_AIRPORTS_STEP = Number(process.env['BTS_AIRPORTS_STEP'] ?? 12);

/** The members of a flight that a search by arrival airport depends on. */
type Bound = {
  readonly label: string;
  readonly date: string;
  readonly destination: string;
  /** Airports of its landings elsewhere or on the way. */
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

  beforeAll(async () => {
    rows = readFlownRows(sample ?? '');
    recovered = rows.filter(({ recovery }) => recovery !== undefined);
    airports = readAirports(airportsFile ?? '');
    world = await openRealWorld();
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

  test('every row is stored with its scheduled flight, and 65 make a recovery flight besides', () => {
    expect(report.accepted).toEqual({ messages: 5000, 'of flights that no schedule holds': 65 });
    expect(report.entries.map(({ severity, line, field }) => [severity, line, field])).toEqual([
      ['notice', 485, 'WheelsOn'],
      ['notice', 485, 'ArrTime'],
    ]);
    expect([...scheduled.keys()].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
    expect([scheduled.size, recovered.length, recoveries.length]).toEqual([4935, 65, 65]);
  });

  test('all 906 diverted flights show their airports, the type of diversion, and the outcome', () => {
    const diverted = rows.filter((row) => row.diverted);
    expect(diverted.map((row) => [row.name, toComparableStatus(flightOf(row), airports)])).toEqual(
      diverted.map((row) => [row.name, expectedStatus(row, airports)]),
    );
    const counts: Record<string, number> = {};
    for (const { state, diversionType } of diverted.map((row) => getStatus(flightOf(row))))
      counts[`${state} ${diversionType}`] = (counts[`${state} ${diversionType}`] ?? 0) + 1;
    expect(counts).toEqual({
      'InGate InAirReturn': 41,
      'InGate TechnicalStop': 414,
      'Landed InAirReturn': 42,
      'Landed Unplanned': 409,
    });
  });

  test('96 flights that returned and were then cancelled show both', () => {
    const cancelled = rows.filter((row) => row.cancelled && row.stops.length > 0);
    expect(cancelled).toHaveLength(96);
    expect(cancelled.map((row) => toComparableStatus(flightOf(row), airports))).toEqual(
      cancelled.map((row) => expectedStatus(row, airports)),
    );
  });

  test('on-time performance counts diverted flights as diverted, and those that returned and were cancelled as cancelled', async () => {
    const columns = {
      carrier: 'Carrier',
      number: 'FlightNum',
      from: 'Origin',
      to: 'Dest',
      cancelled: 'Cancelled',
      diverted: 'Diverted',
      departureDelay: 'DepDelay',
      arrivalDelay: 'ArrDelay',
      date: (row: Row) => row('FlightDate'),
    };
    const cells = rows.map(({ cell }) => cell);
    expect(await expectOnTimeFigures(world, cells, columns)).toEqual({ carriers: 14, numbers: 4592 });
  }, 240_000);

  test('flights that landed as planned show no diversion', () => {
    const others = rows.filter(({ stops }) => stops.length === 0);
    const wrong = others.filter((row) => {
      const status = getStatus(flightOf(row));
      return 'diversionAirport' in status || 'diversionType' in status || 'irregularOperationType' in status;
    });
    expect([others.length, wrong.map(({ name }) => name)]).toEqual([3933, []]);
  });

  test('a flight that landed elsewhere twice is found under both airports, and shows the latter', async () => {
    const twice = rows.filter(({ stops }) => stops.length === 2);
    expect([twice.length, twice.filter(({ cancelled }) => cancelled).length]).toEqual([30, 11]);
    for (const { name, date, stops } of twice)
      for (const { airport } of stops) {
        const arriving = { ArrivalAirport: airport, IncludeDiverted: 'true', Content: 'StatusHistory' };
        const matches = await world.search({ DepartureDateTime: date, ...arriving });
        const actual = matches
          .filter((one) => formatFlight(one) === name)
          .map((one) => getStatus(one).diversionAirport?.iata);
        expect([name, airport, actual]).toEqual([name, airport, [stops.at(-1)?.airport]]);
      }
  });

  test('an airport has the flights bound for it and, with IncludeDiverted, those diverted to it, and no others', async () => {
    const flights = rows.flatMap(boundOf);
    const visited = [...new Set(flights.flatMap(({ landedAt }) => landedAt))].toSorted();
    const counts = { airports: visited.length, bound: 0, diverted: 0 };
    for (const [index, airport] of visited.entries()) {
      const bound = flights.filter(({ destination }) => destination === airport);
      const diverted = flights.filter(({ landedAt }) => landedAt.includes(airport));
      const both = [...new Set([...bound, ...diverted])];
      counts.bound += bound.length;
      counts.diverted += diverted.length;
      const here = { ArrivalAirport: airport, Content: 'Status' };
      const without = await world.search({ ...here, DepartureDateTime: allDays });
      expect([airport, without.map(formatTypedFlight).toSorted()]).toEqual([airport, labels(bound)]);
      const withDiverted = { ...here, IncludeDiverted: 'true' };
      const arriving = await world.search({ ...withDiverted, ArrivalDateTime: '2014-01-01/2014-01-17' });
      expect([airport, arriving.map(formatTypedFlight).toSorted()]).toEqual([airport, labels(both)]);
      for (const day of index % SEARCHED_AIRPORTS_STEP === 0 ? days : []) {
        const matches = await world.search({ ...withDiverted, DepartureDateTime: day });
        const ofDay = both.filter(({ date }) => date === day);
        expect([airport, day, matches.map(formatTypedFlight).toSorted()]).toEqual([airport, day, labels(ofDay)]);
      }
    }
    expect(counts).toEqual({ airports: 156, bound: 4475, diverted: 1029 });
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

  test('recovery flights depart and arrive where and when their rows say', () => {
    const actual = recovered.map((row) => {
      const { state, departure, arrival, diversionAirport } = getStatus(findRecovery(row, recoveries));
      const [from, to] = [departure?.airport?.iata, arrival?.airport?.iata];
      return {
        name: row.name,
        departed: [from, getLocalClock(departure?.actualTime?.offGround, from, airports)],
        state,
        landed: [to, getLocalClock(arrival?.actualTime?.onGround, to, airports)],
        inGate: getLocalClock(arrival?.actualTime?.inGate, to, airports),
        diverted: diversionAirport?.iata,
      };
    });
    const expected = recovered.map(({ name, destination, recovery, cell }) => {
      const last = recovery?.stops.at(-1);
      const departed = [recovery?.from, recovery?.clock];
      const inGate = formatClock(cell('ArrTime'));
      return recovery?.reached
        ? { name, departed, state: 'InGate', landed: [destination, formatClock(cell('WheelsOn'))], inGate }
        : { name, departed, state: 'Landed', landed: [last?.airport, last?.clock], diverted: last?.airport };
    });
    expect(actual).toEqual(expected);
    expect(actual.filter(({ diverted }) => diverted !== undefined).map(({ name }) => name)).toEqual([
      'AA1516 ORD-RSW 2014-01-10',
    ]);
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
