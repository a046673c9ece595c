import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance, ZonedTime } from '../../../generated/flight-info/v2/types.gen.ts';
import { localDate } from '../../../src/domain/dates.ts';
import { stationIn } from '../../../src/domain/directory.ts';
import { newLoadReport, type LoadReport } from '../../../src/feeds/load-report.ts';
import { publishSchedules } from '../../../src/work/publish-schedules.ts';
import { bytesOf } from '../../../src/work/source-bytes.ts';
import { onTimeItems } from '../../../src/work/status/feed-items.ts';
import { schedulesOfRows } from '../../support/bts-schedule.ts';
import { sharedData } from '../../support/shared-data.ts';
import { clockText, readFlownRows, type FlownRow } from './diverted-rows.ts';
import {
  nameOf,
  readTable,
  serveRealWorld,
  statusOf,
  timelinessText,
  variationText,
  type RealWorld,
} from './serve-real-world.ts';

const master = sharedData('master');
const airportsFile = sharedData('master/airportsdata_airports.csv.gz');
const sample = sharedData('bts/bts_2014-01-01_15_sample_with_diversions.csv.gz');
const absent = !master || !airportsFile || !sample;
if (absent) console.warn('The shared data is absent: real diversions are not tested in this run.');

/** The days of the file, and one on which flights of the last day may go on. */
const days = Array.from({ length: 16 }, (_, index) => `2014-01-${String(index + 1).padStart(2, '0')}`);
const span = `${days[0]}/${days.at(-1)}`;

type Airport = { readonly codes: object; readonly country: string; readonly zone: string };

/** Williston's old airport was closed in 2019 and is in no list of today. */
const williston: Airport = { codes: { iata: 'ISN', icao: 'KISN', faa: 'ISN' }, country: 'US', zone: 'America/Chicago' };

/** The file counts US territories in with the country, ISO 3166-1 does not. The first letters of ICAO codes tell them. */
const territories: Readonly<Record<string, string>> = { TJ: 'PR', TI: 'VI', PG: 'GU' };

const readAirports = (path: string): ReadonlyMap<string, Airport> => {
  const airports = new Map([['ISN', williston]]);
  for (const cell of readTable(path)) {
    const [iata, icao, faa] = [cell('iata'), cell('icao'), cell('lid')];
    const codes = { iata, icao, ...(faa !== '' && { faa }) };
    if (iata !== '')
      airports.set(iata, { codes, country: territories[icao.slice(0, 2)] ?? cell('country'), zone: cell('tz') });
  }
  return airports;
};

/** Touchdown and gate of a row whose clocks are an hour behind its own delay and its own elapsed time, which agree. */
const outOfStep: Readonly<Record<string, readonly [string, string]>> = {
  'VX34 SFO-JFK 2014-01-02': ['1253', '1305'],
};

/** The schedules that the rows of the file imply, put in force for its days. */
const publish = async (world: RealWorld, path: string): Promise<void> => {
  const messages = [];
  for await (const { message } of onTimeItems(world.directory())(bytesOf(path, () => {})))
    if (message) messages.push(message);
  await publishSchedules(world.db, {
    kind: 'ssim',
    source: 'schedules of the rows',
    sha256: '',
    schedules: schedulesOfRows(messages, (iata) => stationIn(world.directory(), iata)?.zone),
    report: newLoadReport('schedules of the rows'),
    today: localDate('2014-01-01'),
    horizonDays: 30,
  });
  await world.refresh();
};

/** `S AA1 JFK-LAX 2014-01-01`: a recovery flight may leave on the day of its original, from the same airport. */
const labelOf = (flight: FlightInstance): string => `${flight.flightType.slice(0, 1)} ${nameOf(flight)}`;

/** What a clock showed; throws when the two forms of a moment are not the same moment, or the clock is not the zone's. */
const clockOf = (moment: ZonedTime | undefined, zone: string | undefined): string | undefined => {
  if (!moment) return undefined;
  const shown = moment.local.slice(11, 16);
  const wall = new Date(moment.utc).toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
  if (Date.parse(moment.local) !== Date.parse(moment.utc) || shown !== wall)
    throw new Error(`${moment.local} is not ${moment.utc} in ${zone}`);
  return shown;
};

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

describe.skipIf(absent)('fifteen days with nearly all diversions of US carriers', () => {
  let rows: readonly FlownRow[] = [];
  let airports: ReadonlyMap<string, Airport> = new Map();

  beforeAll(() => {
    rows = readFlownRows(sample ?? '');
    airports = readAirports(airportsFile ?? '');
  });

  /** The status that a row with landings elsewhere must have, read off the row by the rules of the contract. */
  const expectedStatus = ({ name, origin, destination, stops, reached, cancelled, cell }: FlownRow): object => {
    const last = stops.at(-1);
    const at = (reached ? destination : last?.airport) ?? '';
    const [on, arrived] = outOfStep[name] ?? [cell('WheelsOn'), cell('ArrTime')];
    return {
      state: cancelled ? 'Canceled' : reached ? 'InGate' : 'Landed',
      diversionAirport: airports.get(last?.airport ?? '')?.codes,
      diversionType: last?.airport === origin ? 'InAirReturn' : reached ? 'TechnicalStop' : 'Unplanned',
      irregularOperationType: 'Diverted',
      airport: airports.get(at)?.codes,
      country: airports.get(at)?.country,
      onGround: reached ? clockText(on) : last?.clock,
      inGate: reached ? clockText(arrived) : undefined,
      variation: reached ? variationText(cell('DivArrDelay')) : undefined,
      timeliness: reached ? timelinessText(cell('DivArrDelay')) : undefined,
    };
  };

  const shownStatus = (flight: FlightInstance): object => {
    const { state, arrival, diversionAirport, diversionType, irregularOperationType } = statusOf(flight);
    const zone = airports.get(arrival?.airport?.iata ?? '')?.zone;
    const times = arrival?.actualTime;
    return {
      state,
      diversionAirport,
      diversionType,
      irregularOperationType,
      airport: arrival?.airport,
      country: arrival?.country?.code,
      onGround: clockOf(times?.onGround, zone),
      inGate: clockOf(times?.inGate, zone),
      variation: times?.inGateVariation,
      timeliness: times?.inGateTimeliness,
    };
  };

  describe('when a schedule holds the flights', () => {
    let world: RealWorld;
    let report: LoadReport;
    let scheduled: ReadonlyMap<string, FlightInstance> = new Map();
    let recoveries: readonly FlightInstance[] = [];

    /** The recovery flight of a row, by designator, way and aircraft. */
    const recoveryOf = ({ designator, destination, recovery }: FlownRow): FlightInstance => {
      const [found, ...others] = recoveries.filter(
        (flight) =>
          nameOf(flight).startsWith(`${designator} ${recovery?.from}-${destination} `) &&
          statusOf(flight).equipment?.aircraftRegistrationNumber === recovery?.tail,
      );
      if (!found || others.length > 0) throw new Error(`${designator} has not one recovery flight`);
      return found;
    };

    beforeAll(async () => {
      world = await serveRealWorld(master ?? '');
      await publish(world, sample ?? '');
      report = await world.importOnTime(sample ?? '');
      const flights = await world.search({ DepartureDateTime: span, FlightType: 'Scheduled', Content: 'Status' });
      scheduled = new Map(flights.map((flight) => [nameOf(flight), flight]));
      recoveries = await world.search({
        DepartureDateTime: span,
        FlightType: 'Unscheduled',
        ServiceType: 'Passenger',
        Content: 'Status',
      });
    }, 120_000);
    afterAll(() => world?.drop());

    const statusOfRow = ({ name }: FlownRow): object => {
      const flight = scheduled.get(name);
      if (!flight) throw new Error(`${name} is not there`);
      return shownStatus(flight);
    };

    test('every row is stored with its scheduled flight, and 65 make a recovery flight besides', () => {
      expect(report.accepted).toEqual({ messages: 5000, 'of flights that no schedule holds': 65 });
      expect(report.entries.map(({ severity, line, field }) => [severity, line, field])).toEqual([
        ['notice', 485, 'WheelsOn'],
        ['notice', 485, 'ArrTime'],
      ]);
      expect([...scheduled.keys()].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
      expect(recoveries).toHaveLength(65);
    });

    test('all 906 diverted flights show where they went, in what way, and how that ended', () => {
      const diverted = rows.filter((row) => row.diverted);
      const wrong = diverted.flatMap((row) => {
        const [shown, expected] = [statusOfRow(row), expectedStatus(row)];
        return JSON.stringify(shown) === JSON.stringify(expected) ? [] : [{ row: row.name, shown, expected }];
      });
      expect(wrong).toEqual([]);
      const statuses = diverted.flatMap(({ name }) => scheduled.get(name) ?? []).map(statusOf);
      const counts = Object.fromEntries(
        [...Map.groupBy(statuses, ({ state, diversionType }) => `${state} ${diversionType}`)].map(([kind, those]) => [
          kind,
          those.length,
        ]),
      );
      expect(counts).toEqual({
        'InGate InAirReturn': 41,
        'InGate TechnicalStop': 414,
        'Landed InAirReturn': 42,
        'Landed Unplanned': 409,
      });
    });

    test('96 flights that came back and were then cancelled show both', () => {
      const cancelled = rows.filter((row) => row.cancelled && row.stops.length > 0);
      expect(cancelled).toHaveLength(96);
      expect(cancelled.map(statusOfRow)).toEqual(cancelled.map(expectedStatus));
    });

    test('flights that landed as planned say nothing of a diversion', () => {
      const others = rows.filter(({ stops }) => stops.length === 0);
      const statuses = others.flatMap(({ name }) => scheduled.get(name) ?? []).map(statusOf);
      const wrong = statuses.filter(
        (status) => 'diversionAirport' in status || 'diversionType' in status || 'irregularOperationType' in status,
      );
      expect([others.length, statuses.length, wrong]).toEqual([3933, 3933, []]);
    });

    test('a flight that landed elsewhere twice is found under both airports, and shows the latter', async () => {
      const twice = rows.filter(({ stops }) => stops.length === 2);
      expect(twice.map(({ cancelled }) => cancelled).filter(Boolean)).toHaveLength(11);
      expect(twice).toHaveLength(30);
      for (const { name, date, stops } of twice)
        for (const { airport } of stops) {
          const found = await world.search({
            DepartureDateTime: date,
            ArrivalAirport: airport,
            IncludeDiverted: 'true',
            Content: 'StatusHistory',
          });
          const flight = found.find((one) => nameOf(one) === name);
          expect([name, airport, flight && statusOf(flight).diversionAirport?.iata]).toEqual([
            name,
            airport,
            stops.at(-1)?.airport,
          ]);
        }
    });

    test('with IncludeDiverted an airport has the flights bound for it and those diverted to it, and no others', async () => {
      const places = [
        ...rows.map(({ name, date, destination, stops }) => ({ label: `S ${name}`, date, destination, stops })),
        ...rows
          .filter(({ recovery }) => recovery)
          .map((row) => ({ row, flight: recoveryOf(row) }))
          .map(({ row: { destination, recovery }, flight }) => ({
            label: labelOf(flight),
            date: flight.departure.date.local,
            destination,
            stops: recovery?.stops ?? [],
          })),
      ];
      const visited = [...new Set(places.flatMap(({ stops }) => stops.map(({ airport }) => airport)))].toSorted();
      expect(visited).toHaveLength(156);
      const found = { diverted: [] as number[], bound: [] as number[] };
      for (const airport of visited) {
        const bound = places.filter(({ destination }) => destination === airport);
        const diverted = places.filter(({ stops }) => stops.some((stop) => stop.airport === airport));
        found.bound.push(bound.length);
        found.diverted.push(diverted.length);
        const without = await world.search({ DepartureDateTime: span, ArrivalAirport: airport, Content: 'Status' });
        expect([airport, without.map(labelOf).toSorted()]).toEqual([
          airport,
          bound.map(({ label }) => label).toSorted(),
        ]);
        const all = [...new Set([...bound, ...diverted])];
        const asked = { ArrivalAirport: airport, IncludeDiverted: 'true', Content: 'Status' };
        const arriving = await world.search({ ...asked, ArrivalDateTime: `${days[0]}/2014-01-17` });
        expect([airport, arriving.map(labelOf).toSorted()]).toEqual([
          airport,
          all.map(({ label }) => label).toSorted(),
        ]);
        for (const day of days) {
          const ofDay = await world.search({ ...asked, DepartureDateTime: day });
          const expected = all.filter(({ date }) => date === day).map(({ label }) => label);
          expect([airport, day, ofDay.map(labelOf).toSorted()]).toEqual([airport, day, expected.toSorted()]);
        }
      }
      expect([sum(found.bound), sum(found.diverted)]).toEqual([4475, 1029]);
    }, 60_000);

    test('65 recovery flights lead to the flights whose passengers they took on', async () => {
      const recovered = rows.filter(({ recovery }) => recovery);
      expect(recovered).toHaveLength(65);
      for (const row of recovered) {
        const flight = recoveryOf(row);
        const response = await world.get(flight.originalFlight ?? '/none');
        const original: FlightInstance = await response.json();
        expect([
          flight.flightType,
          flight.serviceType,
          flight.scheduleInstanceKey,
          statusOf(flight).irregularOperationType,
          response.status,
          labelOf(original),
          statusOf(original).irregularOperationType,
          statusOf(original).equipment?.aircraftRegistrationNumber,
        ]).toEqual(['Unscheduled', { iata: 'J' }, undefined, 'Recovery', 200, `S ${row.name}`, 'Diverted', row.tail]);
      }
      expect([...scheduled.values()].filter(({ originalFlight }) => originalFlight !== undefined)).toEqual([]);
    });

    test('a recovery flight leaves where and when its row says, and goes as far', () => {
      const recovered = rows.filter(({ recovery }) => recovery);
      const shown = recovered.map((row) => {
        const flight = recoveryOf(row);
        const { state, departure, arrival, diversionAirport } = statusOf(flight);
        const zone = airports.get(arrival?.airport?.iata ?? '')?.zone;
        return [
          row.name,
          clockOf(departure?.actualTime?.offGround, airports.get(row.recovery?.from ?? '')?.zone),
          departure?.airport?.iata,
          state,
          arrival?.airport?.iata,
          clockOf(arrival?.actualTime?.onGround, zone),
          clockOf(arrival?.actualTime?.inGate, zone),
          diversionAirport?.iata,
        ];
      });
      const expected = recovered.map(({ name, destination, recovery, cell }) => {
        const last = recovery?.stops.at(-1);
        return recovery?.reached
          ? [
              name,
              recovery.clock,
              recovery.from,
              'InGate',
              destination,
              clockText(cell('WheelsOn')),
              clockText(cell('ArrTime')),
              undefined,
            ]
          : [name, recovery?.clock, recovery?.from, 'Landed', last?.airport, last?.clock, undefined, last?.airport];
      });
      expect(shown).toEqual(expected);
      expect(expected.filter(([, , , state]) => state === 'Landed')).toHaveLength(1);
    });

    test('the aircraft that went on finds its recovery flight', async () => {
      for (const row of rows.filter(({ recovery }) => recovery)) {
        const tail = row.recovery?.tail ?? '';
        const day = recoveryOf(row).departure.date.local;
        const found = await world.search({ DepartureDateTime: day, AircraftRegistrationNumber: tail });
        const own = rows.filter((other) => other.tail === tail && other.date === day).map(({ name }) => `S ${name}`);
        const taken = recoveries.filter(
          (flight) =>
            flight.departure.date.local === day && statusOf(flight).equipment?.aircraftRegistrationNumber === tail,
        );
        expect([tail, found.map(labelOf).toSorted()]).toEqual([tail, [...own, ...taken.map(labelOf)].toSorted()]);
      }
    });
  });

  describe('when no schedule holds them', () => {
    let world: RealWorld;
    let report: LoadReport;
    let flights: readonly FlightInstance[] = [];
    beforeAll(async () => {
      world = await serveRealWorld(master ?? '');
      report = await world.importOnTime(sample ?? '');
      flights = await world.search({ DepartureDateTime: span, Content: 'Status' });
    }, 120_000);
    afterAll(() => world?.drop());

    test('every row makes an unscheduled flight, and 65 make a recovery flight besides', () => {
      expect(report.accepted).toEqual({ messages: 5000, 'of flights that no schedule holds': 5000 });
      expect(new Set(flights.map(({ flightType }) => flightType))).toEqual(new Set(['Unscheduled']));
      const recoveries = flights.filter((flight) => statusOf(flight).irregularOperationType === 'Recovery');
      expect([flights.length, recoveries.length]).toEqual([5000, 65]);
      const others = flights.filter((flight) => !recoveries.includes(flight));
      expect(others.map(nameOf).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
    });

    test('a recovery flight has no address of its original', () => {
      expect(flights.filter(({ originalFlight }) => originalFlight !== undefined)).toEqual([]);
    });

    test('diversions show as they do on scheduled flights', () => {
      const byName = Map.groupBy(flights, nameOf);
      const diverted = rows.filter(({ stops }) => stops.length > 0);
      const own = diverted.map(({ name }) =>
        byName.get(name)?.filter((flight) => statusOf(flight).irregularOperationType !== 'Recovery'),
      );
      expect(own.map((those) => those?.map(shownStatus))).toEqual(diverted.map((row) => [expectedStatus(row)]));
    });

    test('a schedule that comes later takes them over', async () => {
      const before = new Map(flights.map((flight) => [flight.statusKey, flight]));
      await publish(world, sample ?? '');
      const after = await world.search({ DepartureDateTime: span, Content: 'Status' });
      const kinds = Map.groupBy(after, ({ flightType }) => flightType);
      expect([kinds.get('Scheduled')?.length, kinds.get('Unscheduled')?.length]).toEqual([4935, 65]);
      expect(
        after.filter(
          (flight) =>
            JSON.stringify(flight.statusDetails) !== JSON.stringify(before.get(flight.statusKey)?.statusDetails),
        ),
      ).toEqual([]);
      expect(kinds.get('Unscheduled')?.filter(({ originalFlight }) => originalFlight === undefined).length).toEqual(0);
    }, 60_000);
  });
});
