import type { Database } from '#store/pool/database.ts';
import { fanOutEvents, listPendingEvents } from '#store/events/account-events.ts';

const workerId = '00000000-0000-4000-8000-000000000002';

/** Fans out every pending event of the log to each of these accounts, as if each had an alert for all changes. */
export const fanOutToAll = (db: Database, streams: readonly number[], seats = false): Promise<number> =>
  db.begin(async (sql) => {
    const pending = await listPendingEvents(sql, 100_000);
    if (pending.kind !== 'events') throw new Error('events were lost');
    const accountEvents = pending.events.flatMap(({ position, seq }) =>
      streams.map((stream) => ({ stream, position, seq, alertId: workerId, parts: { changes: true, seats } })),
    );
    const upTo = pending.events.at(-1)?.position;
    if (upTo !== undefined) await fanOutEvents(sql, { events: accountEvents, upTo, worker: workerId });
    return accountEvents.length;
  });
