import { statusEventFacts } from '../../domain/events/status-event-facts.ts';
import { statusEvents } from '../../domain/events/status-events.ts';
import type { ToldStatus } from '../../domain/events/told-status.ts';
import { addDays, dateOfInstant, type LocalDate } from '../../domain/time/dates.ts';
import { showStatusEvent } from '../../products/flight-info-alerts/v1/events/to-status-event.ts';
import { tellStatuses } from '../../products/flight-info-alerts/v1/events/emit-status-events.ts';
import type { Sql } from '../../store/pool/database.ts';
import { addCountedEvents, dayOf } from '../../store/events/event-outbox.ts';
import type { FlightStatusRow } from '../../store/status/flight-statuses.ts';
import { countNext } from '../../store/events/flight-versions.ts';
import { RETENTION_DAYS } from '../retention/prune-events.ts';
import type { TellableFlight } from './flights/flight-snapshots.ts';

/** A flight with a status, as it is kept. */
export type Observed = { readonly standing: TellableFlight; readonly status: Pick<FlightStatusRow, 'doc' | 'seats'> };

/** A flight whose status was counted anew; `before` is undefined for one that was not known. */
export type StatusChange = {
  /** The local date on which it departs. */
  readonly departsOn: LocalDate;
  readonly before: Observed | undefined;
  readonly after: Observed;
};

/** A flight of which nothing was observed. */
export const unobserved = { doc: '', seats: undefined } as const;

const tell = ({ standing, status }: Observed): readonly (readonly [key: string, told: ToldStatus])[] => {
  const { flight, keys, originalStatusKey } = standing;
  const told = tellStatuses(flight, { doc: status.doc, seats: status.seats, originalStatusKey });
  return told.map((one, index) => [keys[index] ?? '', one]);
};

/** The events of one flight, those of each designator, not yet numbered. */
const newsOf = ({ before, after }: StatusChange) => {
  const toldBefore = new Map(before && tell(before));
  return tell(after).flatMap(([key, told]) =>
    statusEvents(toldBefore.get(key), told, 0).map((event) => ({ key, event })),
  );
};

/** What dates events. */
export type Telling = {
  readonly clock: () => Date;
  /** The date by which flights are too old to be told of; that of the clock unless another is given. */
  readonly today?: LocalDate | undefined;
};

/** Events carry all that alerts may ask for; what an account has not asked for is left out when they are shown to it. */
const everything = { changes: true, seats: true } as const;

/**
 * Writes the events that tell what became of flights, one for each designator under which anything changed, in the transaction of the
 * change. It locks the counts of these flights, so it comes after everything else that the transaction locks, and is called once in it;
 * only a transaction that has all statuses and all schedules to itself may call it more often.
 */
export const tellChanges = async (
  sql: Sql,
  changes: readonly StatusChange[],
  { clock, today }: Telling,
): Promise<void> => {
  const madeAt = clock();
  const oldest = addDays(today ?? dateOfInstant(madeAt), -RETENTION_DAYS);
  // What departed longer ago than events are kept is told to nobody. History that is filled in, such as a file of last year, is kept as any status is, and is no news to anyone.
  const news = changes.filter(({ departsOn }) => departsOn >= oldest).flatMap(newsOf);
  if (news.length === 0) return;
  const dated = news.map(({ key, event }) => {
    const facts = statusEventFacts(event);
    return { key, event, facts, day: dayOf({ facts, madeAt }) };
  });
  // Two departures can have one key, where a number is flown twice on its way within a day: their events are numbered one after the other.
  const numbers = new Map(await countNext(sql, dated));
  const events = dated.map(({ key, event, facts }) => {
    const version = (numbers.get(key) ?? 0) + 1;
    numbers.set(key, version);
    const body = JSON.stringify(showStatusEvent({ ...event, version }, everything));
    return { flightKey: key, version, madeAt, facts, body };
  });
  await addCountedEvents(sql, events);
};
