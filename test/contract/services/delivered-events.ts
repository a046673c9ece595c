import {
  buildScheduleEvent,
  type PreviousSchedule,
  buildStatusEvent,
} from '../../../src/domain/events/event-builder.ts';
import type { ScheduleContent, StatusContent } from '../../../src/domain/events/event-content.ts';
import type { UtcMillisecond } from '../../../src/domain/status/instants.ts';
import { renderEvent } from '../../../src/products/flight-info-alerts/v1/events/render-event.ts';
import {
  toScheduleEventBody,
  toStatusEventBody,
} from '../../../src/products/flight-info-alerts/v1/events/event-body.ts';
import { createEventId } from '../../../src/store/events/event-outbox.ts';

const everything = { changes: true, seats: true } as const;
const madeAt = new Date('2026-06-01T12:00:00.123Z');
const alertId = '6f1c1d5e-3f0a-4c53-9d67-0c0f6c3ad2b1';

/** What alerts can ask their events to carry, each combination. */
const contents = [true, false].flatMap((changes) => [true, false].map((seats) => ({ changes, seats })));

/** The body of an event as the accounts get it that have asked for this and for that, read as JSON. */
export const renderDeliveries = (body: string): readonly unknown[] =>
  contents.map((shows, index): unknown =>
    JSON.parse(
      renderEvent({
        number: index + 1,
        id: createEventId(madeAt),
        madeAt,
        alertId,
        parts: shows,
        body,
      }),
    ),
  );

/** The event of a flight whose status came to be another one, as accounts get it; none when nothing changed. */
export const renderStatusDeliveries = (before: StatusContent | undefined, after: StatusContent): readonly unknown[] => {
  const event = buildStatusEvent(before, after, 6);
  return event ? renderDeliveries(JSON.stringify(toStatusEventBody(event, everything))) : [];
};

/** The same of an instance in the schedule. */
export const renderScheduleDeliveries = (
  before: PreviousSchedule,
  after: ScheduleContent | undefined,
): readonly unknown[] => {
  const event = buildScheduleEvent(before, after, 6);
  return event
    ? renderDeliveries(JSON.stringify(toScheduleEventBody(event, madeAt.getTime() as UtcMillisecond, everything)))
    : [];
};
