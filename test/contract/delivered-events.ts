import { scheduleEvents, type ScheduleStanding } from '../../src/domain/events/schedule-events.ts';
import { statusEvents } from '../../src/domain/events/status-events.ts';
import type { ToldSchedule } from '../../src/domain/events/told-schedule.ts';
import type { ToldStatus } from '../../src/domain/events/told-status.ts';
import type { UtcMillisecond } from '../../src/domain/status/instants.ts';
import { showEvent } from '../../src/products/flight-info-alerts/v1/events/to-event.ts';
import { showScheduleEvent } from '../../src/products/flight-info-alerts/v1/events/to-schedule-event.ts';
import { showStatusEvent } from '../../src/products/flight-info-alerts/v1/events/to-status-event.ts';
import { newEventId } from '../../src/store/events/event-id.ts';

const everything = { changes: true, seats: true } as const;
const madeAt = new Date('2026-06-01T12:00:00.123Z');
const alertId = '6f1c1d5e-3f0a-4c53-9d67-0c0f6c3ad2b1';

/** What alerts can ask their events to carry, each combination. */
const contents = [true, false].flatMap((changes) => [true, false].map((seats) => ({ changes, seats })));

/** The body of an event as the accounts get it that have asked for this and for that, read as JSON. */
export const delivered = (body: string): readonly unknown[] =>
  contents.map((shows, index): unknown =>
    JSON.parse(
      showEvent({
        number: index + 1,
        id: newEventId(madeAt),
        madeAt,
        alertId,
        shows,
        body,
      }),
    ),
  );

/** The event of a flight whose status came to be another one, as accounts get it; none when nothing changed. */
export const deliveredStatus = (before: ToldStatus | undefined, after: ToldStatus): readonly unknown[] =>
  statusEvents(before, after, 6).flatMap((event) => delivered(JSON.stringify(showStatusEvent(event, everything))));

/** The same of an instance in the schedule. */
export const deliveredSchedule = (before: ScheduleStanding, after: ToldSchedule | undefined): readonly unknown[] =>
  scheduleEvents(before, after, 6).flatMap((event) =>
    delivered(JSON.stringify(showScheduleEvent(event, madeAt.getTime() as UtcMillisecond, everything))),
  );
