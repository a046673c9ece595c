import { hash } from 'node:crypto';
import { decodeEventFacts, insertEvents, listOutbox, sequenceOutbox } from '#store/events/event-outbox.ts';
import type { NewEvent, SequenceResult, SequenceOptions } from '#store/events/event-outbox.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { lockVersions } from '#store/events/flight-versions.ts';
import { scheduleEvent, statusEvent } from '#test/domain/alerts/sample-events.ts';

export const noon = new Date('2027-03-01T12:00:00.123Z');

export const flightKey = (flight: number): string => flight.toString(16).padStart(64, '0');

/** A status update of a flight, and a schedule event; the body identifies it. */
export const sampleStatusEvent = (flight: number, version: number, text = ''): NewEvent => ({
  flightKey: flightKey(flight),
  version,
  madeAt: noon,
  facts: statusEvent,
  body: `{"flight":${flight},"version":${version},"text":"${text}"}`,
});
export const sampleScheduleEvent = (flight: number, version: number): NewEvent => ({
  ...sampleStatusEvent(flight, version, 'schedule'),
  facts: scheduleEvent,
});

/** A text of the length of a status event, which cannot be compressed. */
export const longText = Array.from({ length: 32 }, (_, index) => hash('sha256', String(index))).join('');

export const insertStatusEvents = async (sql: Sql, flights: readonly number[], text = ''): Promise<void> => {
  const versions = await lockVersions(sql, flights.map(flightKey));
  await insertEvents(
    sql,
    flights.map((flight) => sampleStatusEvent(flight, (versions.get(flightKey(flight))?.version ?? 0) + 1, text)),
  );
};

const worker = '00000000-0000-4000-8000-000000000001';

/** Sequences the first events of the outbox into the log, whichever worker has done so before. */
export const sequence = (
  db: Database,
  { limit = 1000, ...options }: Partial<SequenceOptions & { readonly limit: number }> = {},
): Promise<SequenceResult> =>
  db.begin(async (sql) => {
    const seqs = await listOutbox(sql, { known: [], limit });
    return sequenceOutbox(sql, { seqs, now: noon, worker, leaseMs: 0, ...options });
  });

export const deleteAllEvents = async (sql: Sql): Promise<void> => {
  await sql`
    with events as (delete from flight_event), outbox as (delete from event_outbox), log as (delete from event_log),
      versions as (delete from flight_version), given as (delete from account_event),
      fan_out as (delete from fan_out_event), backlogs as (delete from fan_out_backlog), streams as (delete from account_stream),
      alerts as (delete from alert), changes as (delete from alert_change),
      numbered as (update alert_change_end set last_number = 0),
      logged as (update event_log_end set last_pos = 0, moved_by = null, moved_at = null),
      distributed as (update event_distribution set last_pos = 0, last_fan_out_pos = 0, moved_by = null, moved_at = null)
    select`;
};

export type FlightEvent = Omit<NewEvent, 'deleted'> & {
  /** 1 for the first event ever, and one more for each. */
  readonly position: number;
  readonly id: string;
  readonly sequencedAt: Date;
};

/** Returns up to `limit` retained events after a position, in order; 0 is before the first. */
export const listEvents = async (sql: Sql, { after, limit }: { readonly after: number; readonly limit: number }) => {
  const rows = await sql<(Omit<FlightEvent, 'position' | 'facts'> & { position: bigint; facts: string })[]>`
    select l.pos as position, e.id, encode(e.flight_key, 'hex') as "flightKey", e.version, e.made_at as "madeAt",
      l.sequenced_at as "sequencedAt", e.facts, e.body
    from (select * from event_log where pos > ${after} order by pos limit ${limit}) l join flight_event e using (seq)
    order by l.pos`;
  return rows.map((row) => ({ ...row, position: Number(row.position), facts: decodeEventFacts(row.facts) }));
};

export const listAllEvents = async (sql: Sql, after = 0, limit = 1000): Promise<readonly FlightEvent[]> => {
  const all: FlightEvent[] = [];
  for (;;) {
    const page = await listEvents(sql, { after: all.at(-1)?.position ?? after, limit });
    if (page.length === 0) return all;
    all.push(...page);
  }
};

export const noFaults = { gaps: 0, inversions: 0, doubled: 0 };

/** Counts violations of the log's guarantees: gaps in positions, events of a flight out of order, and duplicate events. */
export const findLogFaults = (events: readonly FlightEvent[]): typeof noFaults => {
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
