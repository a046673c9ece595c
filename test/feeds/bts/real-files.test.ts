import { createReadStream, readFileSync } from 'node:fs';
import { createGunzip, gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatTime, toMinuteOfDay } from '#domain/time/dates.ts';
import { secondToMinute, type UtcSecond } from '#domain/status/instants.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { getUtcOffset } from '#domain/time/zones.ts';
import { readBtsRows } from '#feeds/bts/read-bts-rows.ts';
import { createLoadReport, type ReportEntry } from '#feeds/load-report.ts';
import { readAirports } from '#feeds/master-data/sources/airports.ts';
import { findSharedData } from '#test/support/shared-data.ts';

type Cells = Readonly<Record<string, string>>;
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

const loadZones = async (path: string): Promise<void> => {
  const stations = await readAirports({ name: path, bytes: streamOf(path) }, createLoadReport('airports'));
  for (const { iata, zone } of stations) if (zone !== undefined) zones.set(iata, zone);
  // Williston's old airport was closed in 2019 and is not in the current list.
  zones.set('ISN', 'America/Chicago');
};

/** Returns the minutes between two instants in the format of the files; '' when either is unknown. */
const formatMinutesBetween = (from: UtcSecond | null | undefined, to: UtcSecond | null | undefined): string =>
  typeof from === 'number' && typeof to === 'number' ? String((to - from) / 60) : '';

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
const twoDays = findSharedData('bts/bts_ontime_2015-01-01_02_all_carriers.csv.gz');
const official = findSharedData('bts/bts_109col_format_sample_2011_01.csv');
const airports = findSharedData('master/airportsdata_airports.csv.gz');
if (!twoDays || !official || !airports)
  console.warn('The shared data is absent: tests on real on-time files are skipped.');

beforeAll(async () => {
  if (airports) await loadZones(airports);
});

type Columns<Source> = (source: Source) => readonly unknown[];

const listDifferences = (rows: readonly ReadRow[], ofMessages: Columns<ReadRow>, ofCells: Columns<Cells>) =>
  rows.filter((row) => ofMessages(row).join(' ') !== ofCells(row.cells).join(' '));

describe.skipIf(!twoDays || !airports)('two days of all US carriers', () => {
  let rows: readonly ReadRow[] = [];
  beforeAll(async () => {
    rows = await readRows(twoDays);
  });

  test('give one message for each of 30,691 rows, in order and without a remark', () => {
    expect(rows).toHaveLength(30_691);
    expect(rows.filter(({ messages, entries }) => messages.length !== 1 || entries.length > 0)).toEqual([]);
    expect(new Set(rows.map((row) => getMainMessage(row).id)).size).toBe(30_691);
    expect(listUnorderedRows(rows)).toEqual([]);
  });

  test('vary from schedule by exactly the minutes of each row', () => {
    // The file lacks the delay of a diverted flight.
    const regular = rows.filter(({ cells }) => cells['DIVERTED'] !== '1');
    const ofCells = (cells: Cells) => [cells['DEPARTURE_DELAY'], cells['ARRIVAL_DELAY']];
    expect(listDifferences(regular, (row) => formatVariations(getMainMessage(row)), ofCells)).toEqual([]);
    expect(rows.length - regular.length).toBe(48);
  });

  test('take off and touch down at the times of day of each row', () => {
    const arrived = rows.filter(({ cells }) => cells['ARRIVAL_DELAY'] !== '');
    const ofMessages = (row: ReadRow) => {
      const { facts, plan } = getMainMessage(row);
      return [
        formatClock(plan?.departureAirport ?? '', facts.actualOff),
        formatClock(plan?.arrivalAirport ?? '', facts.actualOn),
      ];
    };
    const ofCells = (cells: Cells) => [cells['WHEELS_OFF'], cells['WHEELS_ON']].map(normalizeClock);
    expect(listDifferences(arrived, ofMessages, ofCells)).toEqual([]);
  });

  test('contain as many cancellations, diversions and aircraft as the rows', () => {
    const messages = rows.map(getMainMessage);
    expect(messages.filter(({ facts }) => facts.cancelled)).toHaveLength(723);
    expect(messages.filter(({ landings }) => landings.length > 0)).toHaveLength(48);
    expect(new Set(messages.flatMap(({ facts }) => facts.registration ?? [])).size).toBe(3999);
  });
});

test.skipIf(!official || !airports)('a sample in the official columns is read completely', async () => {
  const rows = await readRows(official);
  expect(rows.map(({ messages, entries }) => [messages.length, entries.length])).toEqual(rows.map(() => [1, 0]));
  expect(rows).toHaveLength(50);
  const ofCells = (cells: Cells) => [cells['DepDelay'], cells['ArrDelay']];
  expect(listDifferences(rows, (row) => formatVariations(getMainMessage(row)), ofCells)).toEqual([]);
  expect(rows.filter((row) => getMainMessage(row).facts.cancelled)).toHaveLength(3);
  expect(listUnorderedRows(rows)).toEqual([]);
});
