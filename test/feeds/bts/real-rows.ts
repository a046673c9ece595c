import { createReadStream, readFileSync } from 'node:fs';
import { createGunzip, gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { formatTime, toMinuteOfDay } from '../../../src/domain/time/dates.ts';
import { secondToMinute, type UtcSecond } from '../../../src/domain/status/instants.ts';
import type { StatusMessage } from '../../../src/domain/status/message.ts';
import { getUtcOffset } from '../../../src/domain/time/zones.ts';
import { readOnTimeRows } from '../../../src/feeds/bts/read-on-time-rows.ts';
import { createLoadReport, type ReportEntry } from '../../../src/feeds/load-report.ts';
import { readAirports } from '../../../src/feeds/master-data/sources/airports.ts';

type Cells = Readonly<Record<string, string>>;
/** A row as a plain table reader sees it, with the messages it gave and the remarks about it. */
export type Read = {
  readonly cells: Cells;
  readonly messages: readonly StatusMessage[];
  readonly entries: readonly ReportEntry[];
};

const zones = new Map<string, string>();
/** The zone of an airport, once `readZones` has been called. */
export const zoneOf = (iata: string): string | undefined => zones.get(iata);

const streamOf = (path: string) =>
  path.endsWith('.gz') ? createReadStream(path).pipe(createGunzip()) : createReadStream(path);

const tableOf = (path: string): readonly Cells[] => {
  const bytes = readFileSync(path);
  return parse(path.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true });
};

/** Reads an on-time file twice, as the feed does and as a plain table, and joins both by line. */
export const readRows = async (path = ''): Promise<readonly Read[]> => {
  const rows = tableOf(path).map((cells) => ({ cells, messages: [] as StatusMessage[], entries: [] as ReportEntry[] }));
  for await (const item of readOnTimeRows(streamOf(path), { findZone: zoneOf })) {
    const row = rows[item.line - 2];
    if ('message' in item) row?.messages.push(item.message);
    else row?.entries.push(item.entry);
  }
  return rows;
};

/** Takes in the zones of today's airports from the file at a path. */
export const readZones = async (path: string): Promise<void> => {
  const stations = await readAirports({ name: path, bytes: streamOf(path) }, createLoadReport('airports'));
  for (const { iata, zone } of stations) if (zone !== undefined) zones.set(iata, zone);
  // Williston's old airport was closed in 2019 and is in no list of today.
  zones.set('ISN', 'America/Chicago');
};

/** Whole minutes from one moment to another, as a file writes them; '' when either is not told. */
export const minutesBetween = (from: UtcSecond | null | undefined, to: UtcSecond | null | undefined): string =>
  typeof from === 'number' && typeof to === 'number' ? String((to - from) / 60) : '';

/** Minutes by which a flight left and came to its gates later than planned. */
export const variationsOf = ({ facts, plan }: StatusMessage): readonly [string, string] => [
  minutesBetween(plan?.departsAt, facts.actualOut),
  minutesBetween(plan?.arrivesAt ?? undefined, facts.actualIn),
];

const eventsOf = ({ facts, landings }: StatusMessage): readonly UtcSecond[] =>
  [
    facts.actualOut,
    facts.actualOff,
    ...landings.flatMap(({ actualOn, actualOff }) => [actualOn, actualOff]),
    facts.actualOn,
    facts.actualIn,
  ].filter((at) => typeof at === 'number');

/** The rows whose events do not ascend, or whose flight is told of at another time than its last event. */
export const outOfOrder = (rows: readonly Read[]): readonly Read[] =>
  rows.filter((row) => {
    const events = row.messages.flatMap(eventsOf);
    const ascend = events.every((at, index) => at >= (events[index - 1] ?? at));
    const told = row.messages.every((message) => {
      const last = eventsOf(message).at(-1) ?? message.plan?.departsAt ?? 0;
      return message.observedAt === last * 1000;
    });
    return !ascend || !told;
  });

const raise = (): never => {
  throw new Error('a row gave no message');
};

/** The message of a row's own flight. */
export const mainOf = ({ messages: [message] }: Read): StatusMessage => message ?? raise();

/** The time of day that a clock at an airport shows, minutes after midnight. */
const clockAt = (airport: string, at: UtcSecond): number => {
  const instant = secondToMinute(at);
  return toMinuteOfDay(instant + getUtcOffset(zoneOf(airport) ?? '', instant));
};

/** What a clock at an airport shows; '' when the moment is not told. */
export const hhmm = (airport: string, at: UtcSecond | null | undefined): string =>
  typeof at === 'number' ? formatTime(clockAt(airport, at)).replace(':', '') : '';

/** A time of day of a file with its leading zeros, midnight always as 0000. */
export const written = (text = ''): string => (text === '' ? '' : text === '2400' ? '0000' : text.padStart(4, '0'));
