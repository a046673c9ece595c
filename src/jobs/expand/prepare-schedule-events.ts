import {
  type ScheduleEvent,
  scheduleEventFacts,
  scheduleEvents,
  type ScheduleState,
} from '../../domain/events/event-builder.ts';
import type { ScheduleContent } from '../../domain/events/event-content.ts';
import { millisecondOf } from '../../domain/status/instants.ts';
import { toScheduleEventBody } from '../../products/flight-info-alerts/v1/events/event-body.ts';
import { toScheduleContent } from '../../products/flight-info-alerts/v1/events/schedule-content.ts';
import type { Sql } from '../../store/pool/database.ts';
import type { NewEvent } from '../../store/events/event-outbox.ts';
import { openPreparedEvents, prepareEvents } from '../../store/events/prepared-events.ts';
import {
  pairDifferences,
  readDifferences,
  type Elsewhere,
  type ScheduleDifference,
} from '../../store/schedules/schedule-differences.ts';
import { loadedAt } from '../../store/schedules/schedules.ts';

const readTold = (text: string): ScheduleContent => {
  const told: ScheduleContent = JSON.parse(text);
  return told;
};

/** What was told last counts: a flight can have come back on a day that was not laid out then, of which nothing was told. */
const standingOf = ({ was, deleted }: ScheduleDifference): ScheduleState => {
  if (deleted) return { kind: 'deleted', told: deleted.told === undefined ? undefined : readTold(deleted.told) };
  return was ? { kind: 'in-force', told: toScheduleContent(was) } : { kind: 'never' };
};

const newEvent = (event: ScheduleEvent, { key, isMarketing }: ScheduleDifference, madeAt: Date): NewEvent => ({
  flightKey: key,
  version: event.version,
  madeAt,
  facts: scheduleEventFacts(event.content, isMarketing),
  body: JSON.stringify(toScheduleEventBody(event, millisecondOf(madeAt), { changes: true, seats: true })),
  ...(event.state === 'DELETED' && { deleted: { told: JSON.stringify(event.content) } }),
});

const eventsOf = (difference: ScheduleDifference, madeAt: Date): readonly NewEvent[] => {
  const { is, version } = difference;
  return scheduleEvents(standingOf(difference), is && toScheduleContent(is), version).map((event) =>
    newEvent(event, difference, madeAt),
  );
};

/** How many instances are in memory at once, as they were and as they are: some megabytes. */
const PREPARED_AT_ONCE = 1000;

/**
 * Writes the events of all that was noted of flights while the load `loadId` laid its schedules out; those that are gone are looked for
 * `elsewhere`. They are settled last.
 */
export const prepareScheduleEvents = async (sql: Sql, loadId: number, elsewhere: Elsewhere): Promise<void> => {
  const madeAt = await loadedAt(sql, loadId);
  await pairDifferences(sql, elsewhere);
  await openPreparedEvents(sql);
  let after = '';
  for (;;) {
    const differences = await readDifferences(sql, { after, limit: PREPARED_AT_ONCE });
    const last = differences.at(-1);
    if (!last) return;
    await prepareEvents(
      sql,
      differences.flatMap((difference) => eventsOf(difference, madeAt)),
    );
    after = last.key;
  }
};
