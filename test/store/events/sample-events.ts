import { hash } from 'node:crypto';
import {
  insertEvents,
  sequenceOutbox,
  type NewEvent,
  type SequenceResult,
  type SequenceOptions,
} from '../../../src/store/events/event-outbox.ts';
import type { Database, Sql } from '../../../src/store/pool/database.ts';
import { readEvents, type FlightEvent } from './read-events.ts';
import { lockVersions } from '../../../src/store/events/flight-versions.ts';
import { scheduleEvent, statusEvent } from '../../domain/alerts/any-event.ts';

export const noon = new Date('2027-03-01T12:00:00.123Z');

/** The key of the nth flight of a test. */
export const flightKey = (flight: number): string => flight.toString(16).padStart(64, '0');

/** A status update of a flight, and a schedule event; the body says which one it is. */
export const statusNews = (flight: number, version: number, text = ''): NewEvent => ({
  flightKey: flightKey(flight),
  version,
  madeAt: noon,
  facts: statusEvent,
  body: `{"flight":${flight},"version":${version},"text":"${text}"}`,
});
export const scheduleNews = (flight: number, version: number): NewEvent => ({
  ...statusNews(flight, version, 'schedule'),
  facts: scheduleEvent,
});

/** As long as the body of a status event with its changes, and as hard to compress as nothing that is told of a flight. */
export const longText = Array.from({ length: 32 }, (_, index) => hash('sha256', String(index))).join('');

/** Makes one event of each of these flights, in a transaction that has changed them. */
export const tellOf = async (sql: Sql, flights: readonly number[], text = ''): Promise<void> => {
  const versions = await lockVersions(sql, flights.map(flightKey));
  await insertEvents(
    sql,
    flights.map((flight) => statusNews(flight, (versions.get(flightKey(flight))?.version ?? 0) + 1, text)),
  );
};

const worker = '00000000-0000-4000-8000-000000000001';

/** Moves events into the log, whoever else has done so lately. */
export const sequence = (db: Database, options: Partial<SequenceOptions> = {}): Promise<SequenceResult> =>
  db.begin((sql) => sequenceOutbox(sql, { limit: 1000, now: noon, worker, leaseMs: 0, ...options }));

/** Lets the events of the log pass as if no account wanted them. */
export const passOver = async (sql: Sql): Promise<void> => {
  await sql`update event_distribution set last_pos = (select last_pos from event_log_end)`;
};

/** Makes a database as if no alert and no event had been, far sooner than a fresh one is there. */
export const forgetEvents = async (sql: Sql): Promise<void> => {
  await sql`
    with events as (delete from flight_event), outbox as (delete from event_outbox), log as (delete from event_log),
      versions as (delete from flight_version), given as (delete from account_event), streams as (delete from account_stream),
      alerts as (delete from alert), changes as (delete from alert_change),
      numbered as (update alert_change_end set last_number = 0),
      logged as (update event_log_end set last_pos = 0, moved_by = null, moved_at = null),
      distributed as (update event_distribution set last_pos = 0, moved_by = null, moved_at = null)
    select`;
};

/** All events after a position, page by page; none when they are not there to be read. */
export const everyEvent = async (sql: Sql, after = 0, limit = 1000): Promise<readonly FlightEvent[]> => {
  const all: FlightEvent[] = [];
  for (;;) {
    const page = await readEvents(sql, { after: all.at(-1)?.position ?? after, limit });
    if (page.kind !== 'events' || page.events.length === 0) return all;
    all.push(...page.events);
  }
};

/** What must never be, counted: positions that do not follow the one before, events of a flight out of order, and events told twice. */
export const faultsIn = (
  events: readonly FlightEvent[],
): { readonly gaps: number; readonly inversions: number; readonly doubled: number } => {
  const versions = new Map<string, number>();
  let [gaps, inversions, before] = [0, 0, (events[0]?.position ?? 1) - 1];
  for (const { position, flightKey: key, version } of events) {
    if (position !== before + 1) gaps += 1;
    if (version !== (versions.get(key) ?? 0) + 1) inversions += 1;
    before = position;
    versions.set(key, version);
  }
  return { gaps, inversions, doubled: events.length - new Set(events.map(({ id }) => id)).size };
};
