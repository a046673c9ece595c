import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance } from '../../../generated/flight-info/v2/types.gen.ts';
import type { LoadReport } from '../../../src/feeds/load-report.ts';
import { findSharedData } from '../../support/shared-data.ts';
import {
  getLocalClock,
  expectedStatus,
  readAirports,
  findRecovery,
  toComparableStatus,
  getRegistration,
  type Airports,
} from './diversion-status.ts';
import { formatClock, readFlownRows, type FlownRow } from './flown-rows.ts';
import { allDays, publishSchedulesOfRows } from './row-schedules.ts';
import { formatTypedFlight, formatFlight, openRealWorld, getStatus, type RealWorld } from './real-world.ts';

const master = findSharedData('master');
const airportsFile = findSharedData('master/airportsdata_airports.csv.gz');
const sample = findSharedData('bts/bts_2014-01-01_15_sample_with_diversions.csv.gz');
const absent = !master || !airportsFile || !sample;
if (absent) console.warn('The shared data is absent: real recovery flights are not tested in this run.');

let rows: readonly FlownRow[] = [];
let recovered: readonly FlownRow[] = [];
let airports: Airports = new Map();
let world: RealWorld;

beforeAll(() => {
  if (absent) return;
  rows = readFlownRows(sample ?? '');
  recovered = rows.filter(({ recovery }) => recovery !== undefined);
  airports = readAirports(airportsFile ?? '');
});

describe.skipIf(absent)('flights recovered by another aircraft, with a schedule that contains them', () => {
  let recoveries: readonly FlightInstance[] = [];

  beforeAll(async () => {
    world = await openRealWorld(master ?? '');
    await publishSchedulesOfRows(world, sample ?? '');
    await world.importOnTime(sample ?? '');
    recoveries = await world.search({
      DepartureDateTime: allDays,
      FlightType: 'Unscheduled',
      ServiceType: 'Passenger',
      Content: 'Status',
    });
  }, 300_000);
  afterAll(() => world?.drop());

  test('65 unscheduled flights link to them', async () => {
    expect([recovered.length, recoveries.length]).toEqual([65, 65]);
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

  test('they depart and arrive where and when their rows say', () => {
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
      return recovery?.reached
        ? {
            name,
            departed,
            state: 'InGate',
            landed: [destination, formatClock(cell('WheelsOn'))],
            inGate: formatClock(cell('ArrTime')),
            diverted: undefined,
          }
        : {
            name,
            departed,
            state: 'Landed',
            landed: [last?.airport, last?.clock],
            inGate: undefined,
            diverted: last?.airport,
          };
    });
    expect(actual).toEqual(expected);
    expect(expected.filter(({ diverted }) => diverted !== undefined).map(({ name }) => name)).toEqual([
      'AA1516 ORD-RSW 2014-01-10',
    ]);
  });

  test('the recovery aircraft finds them, besides its scheduled flights', async () => {
    for (const row of recovered) {
      const tail = row.recovery?.tail ?? '';
      const day = findRecovery(row, recoveries).departure.date.local;
      const matches = await world.search({ DepartureDateTime: day, AircraftRegistrationNumber: tail });
      const own = rows.filter((other) => other.tail === tail && other.date === day);
      const recovered = recoveries.filter(
        (flight) => flight.departure.date.local === day && getRegistration(flight) === tail,
      );
      expect([tail, matches.map(formatTypedFlight).toSorted()]).toEqual([
        tail,
        [...own.map(({ name }) => `Scheduled ${name}`), ...recovered.map(formatTypedFlight)].toSorted(),
      ]);
    }
  });
});

describe.skipIf(absent)('the same flights, without a schedule that contains them', () => {
  let report: LoadReport;
  let flights: readonly FlightInstance[] = [];
  const recoveriesOf = (all: readonly FlightInstance[]): readonly FlightInstance[] =>
    all.filter((flight) => getStatus(flight).irregularOperationType === 'Recovery');

  beforeAll(async () => {
    world = await openRealWorld(master ?? '');
    report = await world.importOnTime(sample ?? '');
    flights = await world.search({ DepartureDateTime: allDays, Content: 'Status' });
  }, 300_000);
  afterAll(() => world?.drop());

  test('every row makes an unscheduled flight, and 65 make a recovery flight besides', () => {
    expect(report.accepted).toEqual({ messages: 5000, 'of flights that no schedule holds': 5000 });
    const recoveries = recoveriesOf(flights);
    const others = flights.filter((flight) => !recoveries.includes(flight));
    expect(others.map(formatTypedFlight).toSorted()).toEqual(rows.map(({ name }) => `Unscheduled ${name}`).toSorted());
    expect([others.length, recoveries.length]).toEqual([4935, 65]);
    expect(new Set(recoveries.map(({ flightType }) => flightType))).toEqual(new Set(['Unscheduled']));
  });

  test('a recovery flight has no link to its original', () => {
    expect(flights.filter(({ originalFlight }) => originalFlight !== undefined)).toEqual([]);
  });

  test('diversions show as they do on scheduled flights', () => {
    const recoveries = recoveriesOf(flights);
    const byName = new Map(
      flights.filter((flight) => !recoveries.includes(flight)).map((flight) => [formatFlight(flight), flight]),
    );
    const diverted = rows.filter(({ stops }) => stops.length > 0);
    const actual = diverted
      .flatMap(({ name }) => byName.get(name) ?? [])
      .map((one) => toComparableStatus(one, airports));
    expect(actual).toEqual(diverted.map((row) => expectedStatus(row, airports)));
    expect(actual).toHaveLength(1002);
  });

  test('a later schedule takes them over with their statuses, and leaves the recovery flights', async () => {
    await publishSchedulesOfRows(world, sample ?? '');
    const after = await world.search({ DepartureDateTime: allDays, Content: 'Status' });
    const expected = [...rows.map(({ name }) => `Scheduled ${name}`), ...recoveriesOf(flights).map(formatTypedFlight)];
    expect(after.map(formatTypedFlight).toSorted()).toEqual(expected.toSorted());
    const statuses = (all: readonly FlightInstance[]) =>
      all.map(({ statusKey, statusDetails }) => JSON.stringify([statusKey, statusDetails])).toSorted();
    expect(statuses(after)).toEqual(statuses(flights));
  }, 240_000);
});
