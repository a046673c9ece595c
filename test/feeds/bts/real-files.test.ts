import { createReadStream, readFileSync } from 'node:fs';
import { createGunzip, gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatTime, toMinuteOfDay } from '../../../src/domain/time/dates.ts';
import { secondToMinute, type UtcSecond } from '../../../src/domain/status/instants.ts';
import type { StatusMessage } from '../../../src/domain/status/message.ts';
import { getUtcOffset } from '../../../src/domain/time/zones.ts';
import { readBtsRows } from '../../../src/feeds/bts/read-bts-rows.ts';
import { createLoadReport, type ReportEntry } from '../../../src/feeds/load-report.ts';
import { readAirports } from '../../../src/feeds/master-data/sources/airports.ts';
import { findSharedData } from '../../support/shared-data.ts';

type Cells = Readonly<Record<string, string>>;
/** A row from a plain table reader, with its messages and remarks. */
type ReadRow = {
  readonly cells: Cells;
  readonly messages: readonly StatusMessage[];
  readonly entries: readonly ReportEntry[];
};

const zones = new Map<string, string>();
/** Returns the time zone of an airport after `loadZones`. */
const findZone = (iata: string): string | undefined => zones.get(iata);

const streamOf = (path: string) =>
  path.endsWith('.gz') ? createReadStream(path).pipe(createGunzip()) : createReadStream(path);

/** Reads an on-time file as a feed and as a plain table, and joins both by line. */
const readRows = async (path = ''): Promise<readonly ReadRow[]> => {
  const bytes = readFileSync(path);
  const table: readonly Cells[] = parse(path.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true });
  const rows = table.map((cells) => ({ cells, messages: [] as StatusMessage[], entries: [] as ReportEntry[] }));
  for await (const item of readBtsRows(streamOf(path), { findZone })) {
    const row = rows[item.line - 2];
    if ('message' in item) row?.messages.push(item.message);
    else row?.entries.push(item.entry);
  }
  return rows;
};

/** Loads the time zones of present airports from the file at a path. */
const loadZones = async (path: string): Promise<void> => {
  const stations = await readAirports({ name: path, bytes: streamOf(path) }, createLoadReport('airports'));
  for (const { iata, zone } of stations) if (zone !== undefined) zones.set(iata, zone);
  // Williston's old airport was closed in 2019 and is not in the current list.
  zones.set('ISN', 'America/Chicago');
};

/** Returns the minutes between two instants in the format of the files; '' when either is unknown. */
const formatMinutesBetween = (from: UtcSecond | null | undefined, to: UtcSecond | null | undefined): string =>
  typeof from === 'number' && typeof to === 'number' ? String((to - from) / 60) : '';

/** Returns the minutes by which a flight departed and arrived later than planned. */
const formatVariations = ({ facts, plan }: StatusMessage): readonly [string, string] => [
  formatMinutesBetween(plan?.departsAt, facts.actualOut),
  formatMinutesBetween(plan?.arrivesAt ?? undefined, facts.actualIn),
];

const listEvents = ({ facts, landings }: StatusMessage): readonly UtcSecond[] =>
  [
    facts.actualOut,
    facts.actualOff,
    ...landings.flatMap(({ actualOn, actualOff }) => [actualOn, actualOff]),
    facts.actualOn,
    facts.actualIn,
  ].filter((at) => typeof at === 'number');

/** Returns the rows whose events are not in order, or whose message was not observed at the last event. */
const listUnorderedRows = (rows: readonly ReadRow[]): readonly ReadRow[] =>
  rows.filter((row) => {
    const events = row.messages.flatMap(listEvents);
    const ascend = events.every((at, index) => at >= (events[index - 1] ?? at));
    const isObserved = row.messages.every((message) => {
      const last = listEvents(message).at(-1) ?? message.plan?.departsAt ?? 0;
      return message.observedAt === last * 1000;
    });
    return !ascend || !isObserved;
  });

/** Returns the message of the flight of a row. */
const getMainMessage = ({ messages: [message] }: ReadRow): StatusMessage => {
  if (message === undefined) throw new Error('a row gave no message');
  return message;
};

/** Formats the local time at an airport; '' when the instant is unknown. */
const formatClock = (airport: string, at: UtcSecond | null | undefined): string => {
  if (typeof at !== 'number') return '';
  const instant = secondToMinute(at);
  const minutes = toMinuteOfDay(instant + getUtcOffset(findZone(airport) ?? '', instant));
  return formatTime(minutes).replace(':', '');
};

/** Returns a time of day of a file with leading zeros, midnight as 0000. */
const normalizeClock = (text = ''): string => (text === '' ? '' : text === '2400' ? '0000' : text.padStart(4, '0'));

/** Splits a cell with several values. */
const splitCell = (cell = ''): readonly string[] => cell.split('|').filter(Boolean);

const twoDays = findSharedData('bts/bts_ontime_2015-01-01_02_all_carriers.csv.gz');
const withDiversions = findSharedData('bts/bts_2014-01-01_15_sample_with_diversions.csv.gz');
const official = findSharedData('bts/bts_109col_format_sample_2011_01.csv');
const airports = findSharedData('master/airportsdata_airports.csv.gz');
if (!twoDays || !withDiversions || !official || !airports)
  console.warn('The shared data is absent: tests on real on-time files are skipped.');

beforeAll(async () => {
  if (airports) await loadZones(airports);
});

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

  test('vary from schedule by exactly the minutes of each row', () => {
    // The file lacks the delay of a diverted flight.
    const regular = rows.filter(({ cells }) => cells['DIVERTED'] !== '1');
    const actual = regular.map((row) => formatVariations(getMainMessage(row)));
    const filed = regular.map(({ cells }) => [cells['DEPARTURE_DELAY'] ?? '', cells['ARRIVAL_DELAY'] ?? ''] as const);
    expect(actual.map(String)).toEqual(filed.map(String));
    expect(rows.length - regular.length).toBe(48);
  });

  test('take off and touch down at the times of day of each row', () => {
    const arrived = rows.filter(({ cells }) => cells['ARRIVAL_DELAY'] !== '');
    const actual = arrived.map((row) => {
      const { facts, plan } = getMainMessage(row);
      const [from = '', to = ''] = [plan?.departureAirport, plan?.arrivalAirport];
      return [formatClock(from, facts.actualOff), formatClock(to, facts.actualOn)];
    });
    const filed = arrived.map(({ cells }) => [normalizeClock(cells['WHEELS_OFF']), normalizeClock(cells['WHEELS_ON'])]);
    expect(actual.map(String)).toEqual(filed.map(String));
  });

  test('contain as many cancellations, diversions and aircraft as the rows', () => {
    const messages = rows.map(getMainMessage);
    expect(messages.filter(({ facts }) => facts.cancelled)).toHaveLength(723);
    expect(messages.filter(({ landings }) => landings.length > 0)).toHaveLength(48);
    expect(new Set(messages.flatMap(({ facts }) => facts.registration ?? [])).size).toBe(3999);
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
      const [departed] = formatVariations(getMainMessage(row));
      const { arrivesAt } = getMainMessage(row).plan ?? {};
      return [departed, formatMinutesBetween(arrivesAt, row.messages.at(-1)?.facts.actualIn)];
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
    const landings = rows.map(({ messages }) => messages.flatMap((message) => message.landings));
    const actual = landings.map((ofRow) =>
      ofRow.map(({ airport, actualOn }) => [airport, formatClock(airport ?? '', actualOn)]),
    );
    const filed = rows.map(({ cells }) => {
      const clocks = cells['DivWheelsOns']?.split('|') ?? [];
      return splitCell(cells['DivAirports']).map((airport, index) => [airport, normalizeClock(clocks[index])]);
    });
    expect(actual).toEqual(filed);
    const diverted = rows.map(getMainMessage).filter((main) => !main.facts.cancelled && main.landings.length > 0);
    expect(diverted).toHaveLength(906);
    // In addition, 96 flights returned and were then cancelled.
    expect(filed.filter((landings) => landings.length > 0)).toHaveLength(1002);
  });

  test('leaves the other airports when each row says, at times with another aircraft', () => {
    const actual = rows.map(({ messages }) =>
      messages.flatMap(({ facts, landings, plan }) => [
        ...(plan?.recovers ? [formatClock(plan.departureAirport, facts.actualOff)] : []),
        ...landings.flatMap(({ airport, actualOff }) => (actualOff ? [formatClock(airport ?? '', actualOff)] : [])),
      ]),
    );
    expect(actual).toEqual(rows.map(({ cells }) => splitCell(cells['DivWheelsOffs']).map(normalizeClock)));
  });

  test('has a recovery flight for each row whose aircraft was changed on the way', () => {
    const changed = rows.filter(({ cells }) =>
      splitCell(cells['DivTailNums']).some((tail) => tail !== cells['TailNum']),
    );
    expect(rows.filter(({ messages }) => messages.length === 2)).toEqual(changed);
    expect(changed).toHaveLength(65);
    const registrations = changed.map(({ messages }) => messages[1]?.facts.registration);
    expect(registrations).toEqual(changed.map(({ cells }) => cells['DivTailNums']));
    expect(changed.filter(({ messages: [main] }) => main?.facts.actualOn || main?.facts.actualIn)).toEqual([]);
    expect(changed.filter(({ messages: [main] }) => main?.landings.at(-1)?.continues)).toEqual([]);
  });

  test('has events in order', () => {
    expect(listUnorderedRows(rows)).toEqual([]);
  });
});

describe.skipIf(!official || !airports)('a sample in the official columns', () => {
  test('is read completely', async () => {
    const rows = await readRows(official);
    expect(rows.map(({ messages, entries }) => [messages.length, entries.length])).toEqual(rows.map(() => [1, 0]));
    expect(rows).toHaveLength(50);
    const variations = rows.map((row) => formatVariations(getMainMessage(row)));
    expect(variations).toEqual(rows.map(({ cells }) => [cells['DepDelay'], cells['ArrDelay']]));
    expect(rows.filter((row) => getMainMessage(row).facts.cancelled)).toHaveLength(3);
    expect(listUnorderedRows(rows)).toEqual([]);
  });
});
