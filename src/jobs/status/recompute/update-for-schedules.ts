import type { LocalDate } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { parseStatusMessage } from '../../../domain/status/observed-flight.ts';
import type { Database } from '../../../store/pool/database.ts';
import { formatStatusId, listOutdatedStatuses, lockAllStatuses } from '../../../store/status/flight-statuses.ts';
import { listQuarantined } from '../../../store/status/status-quarantine.ts';
import { listSupersededStatuses } from '../../../store/status/unscheduled-instances.ts';
import { linkOriginals } from './link-recovered-flights.ts';
import { reframe } from './recompute-statuses.ts';
import type { Taking } from '../store/store-messages.ts';
import { takeMessages } from '../ingest/ingest-messages.ts';

const AT_ONCE = 500;

/** Tries the messages in quarantine again; those that still fit no flight stay there. */
const retryQuarantined = async (db: Database, taking: Taking): Promise<number> => {
  let stored = 0;
  let after = '';
  for (;;) {
    const kept = await listQuarantined(db, after, AT_ONCE);
    const last = kept.at(-1);
    if (!last) return stored;
    const messages = kept.map(({ message }) => parseStatusMessage(message));
    const outcomes = await takeMessages(db, messages, taking);
    stored += outcomes.filter(({ kind }) => kind !== 'quarantined').length;
    after = last.id;
  }
};

/** Days between two local dates, the date of today, and the clock that events are dated by. */
export type Following = {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly today: LocalDate;
  readonly clock?: (() => Date) | undefined;
};

/** What a new schedule changed about what had been observed before it came. */
export type Followed = { readonly gaveWay: number; readonly retimed: number; readonly released: number };

/**
 * Brings statuses in line with schedules that have just been put in force for days between two local dates: flights that no
 * schedule held give way to scheduled ones, times are compared with the new schedule, recovery flights find what they recover, and
 * messages in quarantine find their flights. Events tell what that changes. Doing it again changes nothing.
 */
export const followSchedules = async (
  db: Database,
  { from, to, today, clock = () => new Date() }: Following,
  directory: Directory,
): Promise<Followed> => {
  const span = { from, to };
  const taking = { directory, clock, today };
  // Whoever stores messages that were looked up before the load is waited for; whoever comes after sees it.
  await db.begin((sql) => lockAllStatuses(sql));
  const givingWay = await listSupersededStatuses(db, span);
  const gaveWay = new Set(givingWay.map(formatStatusId));
  const outdated = await listOutdatedStatuses(db, span);
  const places = [...new Map([...givingWay, ...outdated].map((place) => [formatStatusId(place), place])).values()];
  for (let start = 0; start < places.length; start += AT_ONCE)
    await reframe(db, { places: places.slice(start, start + AT_ONCE), gaveWay }, taking);
  await linkOriginals(db, taking);
  const released = await retryQuarantined(db, taking);
  return { gaveWay: gaveWay.size, retimed: outdated.length, released };
};
