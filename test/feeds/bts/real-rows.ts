import { createReadStream, readFileSync } from 'node:fs';
import { createGunzip, gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { formatTime, toMinuteOfDay } from '../../../src/domain/time/dates.ts';
import { secondToMinute, type UtcSecond } from '../../../src/domain/status/instants.ts';
import type { StatusMessage } from '../../../src/domain/status/message.ts';
import { getUtcOffset } from '../../../src/domain/time/zones.ts';
import { readBtsRows } from '../../../src/feeds/bts/read-bts-rows.ts';
import { createLoadReport, type ReportEntry } from '../../../src/feeds/load-report.ts';
import { readAirports } from '../../../src/feeds/master-data/sources/airports.ts';

type Cells = Readonly<Record<string, string>>;
/** A row from a plain table reader, with its messages and remarks. */
export type ReadRow = {
  readonly cells: Cells;
  readonly messages: readonly StatusMessage[];
  readonly entries: readonly ReportEntry[];
};

const zones = new Map<string, string>();
/** Returns the time zone of an airport after `loadZones`. */
export const findZone = (iata: string): string | undefined => zones.get(iata);

const streamOf = (path: string) =>
  path.endsWith('.gz') ? createReadStream(path).pipe(createGunzip()) : createReadStream(path);

const readTable = (path: string): readonly Cells[] => {
  const bytes = readFileSync(path);
  return parse(path.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true });
};

/** Reads an on-time file as a feed and as a plain table, and joins both by line. */
export const readRows = async (path = ''): Promise<readonly ReadRow[]> => {
  const rows = readTable(path).map((cells) => ({
    cells,
    messages: [] as StatusMessage[],
    entries: [] as ReportEntry[],
  }));
  for await (const item of readBtsRows(streamOf(path), { findZone })) {
    const row = rows[item.line - 2];
    if ('message' in item) row?.messages.push(item.message);
    else row?.entries.push(item.entry);
  }
  return rows;
};

/** Loads the time zones of present airports from the file at a path. */
export const loadZones = async (path: string): Promise<void> => {
  const stations = await readAirports({ name: path, bytes: streamOf(path) }, createLoadReport('airports'));
  for (const { iata, zone } of stations) if (zone !== undefined) zones.set(iata, zone);
  // Williston's old airport was closed in 2019 and is not in the current list.
  zones.set('ISN', 'America/Chicago');
};

/** Returns the minutes between two instants in the format of the files; '' when either is unknown. */
export const formatMinutesBetween = (from: UtcSecond | null | undefined, to: UtcSecond | null | undefined): string =>
  typeof from === 'number' && typeof to === 'number' ? String((to - from) / 60) : '';

/** Returns the minutes by which a flight departed and arrived later than planned. */
export const formatVariations = ({ facts, plan }: StatusMessage): readonly [string, string] => [
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
export const listUnorderedRows = (rows: readonly ReadRow[]): readonly ReadRow[] =>
  rows.filter((row) => {
    const events = row.messages.flatMap(listEvents);
    const ascend = events.every((at, index) => at >= (events[index - 1] ?? at));
    const isObserved = row.messages.every((message) => {
      const last = listEvents(message).at(-1) ?? message.plan?.departsAt ?? 0;
      return message.observedAt === last * 1000;
    });
    return !ascend || !isObserved;
  });

const failMissing = (): never => {
  throw new Error('a row gave no message');
};

/** Returns the message of the flight of a row. */
export const getMainMessage = ({ messages: [message] }: ReadRow): StatusMessage => message ?? failMissing();

/** Returns the local time of day at an airport, minutes after midnight. */
const toClockMinutes = (airport: string, at: UtcSecond): number => {
  const instant = secondToMinute(at);
  return toMinuteOfDay(instant + getUtcOffset(findZone(airport) ?? '', instant));
};

/** Formats the local time at an airport; '' when the instant is unknown. */
export const formatClock = (airport: string, at: UtcSecond | null | undefined): string =>
  typeof at === 'number' ? formatTime(toClockMinutes(airport, at)).replace(':', '') : '';

/** Returns a time of day of a file with leading zeros, midnight as 0000. */
export const normalizeClock = (text = ''): string =>
  text === '' ? '' : text === '2400' ? '0000' : text.padStart(4, '0');
