import { beforeAll, describe, expect, test } from 'vitest';
import { listInstances } from '../../../src/domain/schedule/instances.ts';
import { buildSegments } from '../../../src/domain/schedule/segments.ts';
import { minuteToSecond } from '../../../src/domain/status/instants.ts';
import { buildSchedulesFromRows } from '../../support/schedules-from-rows.ts';
import { findSharedData } from '../../support/shared-data.ts';
import {
  formatClock,
  getMainMessage,
  formatMinutesBetween,
  listUnorderedRows,
  readRows,
  loadZones,
  formatVariations,
  normalizeClock,
  findZone,
  type ReadRow,
} from './real-rows.ts';

const twoDays = findSharedData('bts/bts_ontime_2015-01-01_02_all_carriers.csv.gz');
const withDiversions = findSharedData('bts/bts_2014-01-01_15_sample_with_diversions.csv.gz');
const official = findSharedData('bts/bts_109col_format_sample_2011_01.csv');
const airports = findSharedData('master/airportsdata_airports.csv.gz');
if (!twoDays || !withDiversions || !official || !airports)
  console.warn('The shared data is absent: tests on real on-time files are skipped.');

beforeAll(async () => {
  if (airports) await loadZones(airports);
});

const sum = (texts: readonly string[]): number => texts.reduce((total, text) => total + Number(text), 0);

describe.skipIf(!twoDays || !airports)('two days of all US carriers', () => {
  let rows: readonly ReadRow[] = [];
  beforeAll(async () => {
    rows = await readRows(twoDays);
  });

  test('give one message for each of 30,691 rows and no remark', () => {
    expect(rows).toHaveLength(30_691);
    expect(rows.filter(({ messages }) => messages.length !== 1)).toEqual([]);
    expect(rows.flatMap(({ entries }) => entries)).toEqual([]);
    expect(new Set(rows.map((row) => getMainMessage(row).id)).size).toBe(30_691);
  });

  test('vary from schedule by exactly the minutes of each row, and in sum', () => {
    // The file lacks the delay of a diverted flight.
    const regular = rows.filter(({ cells }) => cells['DIVERTED'] !== '1');
    const actual = regular.map((row) => formatVariations(getMainMessage(row)));
    const filed = regular.map(({ cells }) => [cells['DEPARTURE_DELAY'] ?? '', cells['ARRIVAL_DELAY'] ?? ''] as const);
    expect(actual).toEqual(filed);
    const sums = [sum(actual.map(([departure]) => departure)), sum(actual.map(([, arrival]) => arrival))];
    expect(sums).toEqual([sum(filed.map(([departure]) => departure)), sum(filed.map(([, arrival]) => arrival))]);
    expect(rows.length - regular.length).toBe(48);
  });

  test('take off and touch down at the times of day of each row', () => {
    const actual = rows
      .filter(({ cells }) => cells['ARRIVAL_DELAY'] !== '')
      .map((row) => {
        const { facts, flight } = getMainMessage(row);
        return (
          flight.by === 'designator' && [
            formatClock(flight.departureAirport, facts.actualOff),
            formatClock(flight.arrivalAirport ?? '', facts.actualOn),
          ]
        );
      });
    const filed = rows
      .filter(({ cells }) => cells['ARRIVAL_DELAY'] !== '')
      .map(({ cells }) => [normalizeClock(cells['WHEELS_OFF']), normalizeClock(cells['WHEELS_ON'])]);
    expect(actual).toEqual(filed);
  });

  test('contain as many cancellations, diversions and aircraft as the rows', () => {
    const messages = rows.map(getMainMessage);
    const counts = {
      cancelled: messages.filter(({ facts }) => facts.cancelled).length,
      diverted: messages.filter(({ landings }) => landings.length > 0).length,
      aircraft: new Set(messages.flatMap(({ facts }) => facts.registration ?? [])).size,
    };
    expect(counts).toEqual({
      cancelled: rows.filter(({ cells }) => cells['CANCELLED'] === '1').length,
      diverted: rows.filter(({ cells }) => cells['DIVERTED'] === '1').length,
      aircraft: new Set(rows.flatMap(({ cells }) => cells['TAIL_NUMBER'] || [])).size,
    });
    expect(counts).toEqual({ cancelled: 723, diverted: 48, aircraft: 3999 });
  });

  test('have events in order', () => {
    expect(listUnorderedRows(rows)).toEqual([]);
  });
});

describe.skipIf(!withDiversions || !airports)('a sample of 15 days with nearly all diversions', () => {
  let rows: readonly ReadRow[] = [];
  beforeAll(async () => {
    rows = await readRows(withDiversions);
  });

  test('is read completely; in one row the times of day of the arrival contradict its delay', () => {
    expect(rows).toHaveLength(4935);
    expect(rows.filter(({ messages }) => messages.length === 0)).toEqual([]);
    const remarks = rows.flatMap(({ entries }) => entries);
    expect(remarks.map(({ severity, line, field, value }) => [severity, line, field, value])).toEqual([
      ['notice', 485, 'WheelsOn', '1153'],
      ['notice', 485, 'ArrTime', '1205'],
    ]);
  });

  test('has the delays of each row, those of recovered flights at their recovery', () => {
    const actual = rows.map((row) => {
      const main = getMainMessage(row);
      const arrived = row.messages.at(-1)?.facts.actualIn;
      return [
        formatMinutesBetween(main.plan?.departsAt, main.facts.actualOut),
        formatMinutesBetween(main.plan?.arrivesAt, arrived),
      ];
    });
    expect(actual).toEqual(rows.map(({ cells }) => [cells['DepDelay'], cells['ArrDelay'] || cells['DivArrDelay']]));
  });

  test('took, from gate to gate, the minutes of each diverted row that arrived', () => {
    const arrived = rows.filter(({ cells }) => cells['DivReachedDest'] === '1');
    const actual = arrived.map((row) =>
      formatMinutesBetween(getMainMessage(row).facts.actualOut, row.messages.at(-1)?.facts.actualIn),
    );
    expect(actual).toEqual(arrived.map(({ cells }) => cells['DivActualElapsedTime']));
    expect(actual).toHaveLength(519);
  });

  test('lands where and when each row says', () => {
    const actual = rows.map(({ messages }) =>
      messages.flatMap(({ landings }) =>
        landings.map(({ airport, actualOn }) => [airport, formatClock(airport ?? '', actualOn)]),
      ),
    );
    const filed = rows.map(({ cells }) => {
      const clocks = cells['DivWheelsOns']?.split('|') ?? [];
      return (cells['DivAirports'] ?? '')
        .split('|')
        .filter(Boolean)
        .map((airport, index) => [airport, normalizeClock(clocks[index])]);
    });
    expect(actual).toEqual(filed);
    const diverted = rows.filter(
      (row) => !getMainMessage(row).facts.cancelled && getMainMessage(row).landings.length > 0,
    );
    expect(diverted).toHaveLength(906);
    // In addition, 96 flights returned and were then cancelled.
    expect(filed.filter((landings) => landings.length > 0)).toHaveLength(1002);
  });

  test('leaves the other airports when each row says, at times with another aircraft', () => {
    const actual = rows.map(({ messages }) =>
      messages.flatMap(({ flight, facts, landings, plan }) => [
        ...(plan?.recovers && flight.by === 'designator'
          ? [formatClock(flight.departureAirport, facts.actualOff)]
          : []),
        ...landings.flatMap(({ airport, actualOff }) => (actualOff ? [formatClock(airport ?? '', actualOff)] : [])),
      ]),
    );
    expect(actual).toEqual(
      rows.map(({ cells }) => (cells['DivWheelsOffs'] ?? '').split('|').filter(Boolean).map(normalizeClock)),
    );
  });

  test('has a recovery flight for each row whose aircraft was changed on the way', () => {
    const changed = rows.filter(({ cells }) =>
      (cells['DivTailNums'] ?? '').split('|').some((tail) => tail !== '' && tail !== cells['TailNum']),
    );
    expect(rows.filter(({ messages }) => messages.length === 2)).toEqual(changed);
    expect(changed).toHaveLength(65);
    expect(changed.map(({ messages }) => messages[1]?.facts.registration)).toEqual(
      changed.map(({ cells }) => cells['DivTailNums']),
    );
    expect(changed.filter(({ messages: [main] }) => main?.facts.actualOn || main?.facts.actualIn)).toEqual([]);
    expect(changed.filter(({ messages: [main] }) => main?.landings.at(-1)?.continues)).toEqual([]);
  });

  test('has events in order', () => {
    expect(listUnorderedRows(rows)).toEqual([]);
  });

  test('matches a schedule that contains each of its flights', () => {
    const schedules = buildSchedulesFromRows(
      rows.flatMap(({ messages }) => messages),
      findZone,
    );
    const scheduled = schedules.flatMap(({ itineraries }) =>
      itineraries.flatMap((itinerary) =>
        buildSegments(itinerary).flatMap((segment) => {
          const [leg] = segment.legs;
          return listInstances(segment, leg.period.from, { firstLeg: leg, zoneOf: findZone }).map((instance) => [
            segment.carrier,
            segment.flightNumber,
            instance.originDate,
            leg.departure.station,
            leg.arrival.station,
            minuteToSecond(instance.departsAtUtc),
            minuteToSecond(instance.arrivesAtUtc),
            instance.variationMismatch,
          ]);
        }),
      ),
    );
    const flown = rows.map((row) => {
      const { flight, plan } = getMainMessage(row);
      return (
        flight.by === 'designator' && [
          flight.carrier,
          flight.flightNumber,
          flight.originDate,
          flight.departureAirport,
          flight.arrivalAirport,
          plan?.departsAt,
          plan?.arrivesAt,
          false,
        ]
      );
    });
    expect(scheduled.map(String).toSorted()).toEqual(flown.map(String).toSorted());
  });
});

describe.skipIf(!official || !airports)('a sample in the official columns', () => {
  test('is read completely', async () => {
    const rows = await readRows(official);
    expect(rows.map(({ messages, entries }) => [messages.length, entries.length])).toEqual(rows.map(() => [1, 0]));
    expect(rows).toHaveLength(50);
    expect(rows.map((row) => formatVariations(getMainMessage(row)))).toEqual(
      rows.map(({ cells }) => [cells['DepDelay'], cells['ArrDelay']]),
    );
    expect(rows.filter((row) => getMainMessage(row).facts.cancelled)).toHaveLength(3);
    expect(listUnorderedRows(rows)).toEqual([]);
  });
});
