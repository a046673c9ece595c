import { buildScheduleEvent, buildStatusEvent } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import type { PreviousSchedule } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import type { ScheduleContent, StatusContent } from '#products/flight-info-alerts/v1/events/event-content.ts';
import type { UtcMillisecond } from '#domain/status/instants.ts';
import { renderEvent, toScheduleEventBody } from '#products/flight-info-alerts/v1/events/render-event.ts';
import { toStatusEventBody } from '#products/flight-info-alerts/v1/events/render-event.ts';
import { createEventId } from '#store/events/event-outbox.ts';

const madeAt = new Date('2026-06-01T12:00:00.123Z');
const alertId = '6f1c1d5e-3f0a-4c53-9d67-0c0f6c3ad2b1';

/** Every combination of the event contents that alerts select. */
const contents = [true, false].flatMap((changes) => [true, false].map((seats) => ({ changes, seats })));

export const renderDeliveries = (body: string): readonly unknown[] =>
  contents.map((parts, index): unknown =>
    JSON.parse(renderEvent({ number: index + 1, id: createEventId(madeAt), madeAt, alertId, parts, body })),
  );

/** Renders the status event of a change for every combination; empty when nothing changed. */
export const renderStatusDeliveries = (before: StatusContent | undefined, after: StatusContent): readonly unknown[] => {
  const event = buildStatusEvent(before, after, 6);
  return event ? renderDeliveries(JSON.stringify(toStatusEventBody(event))) : [];
};

export const renderScheduleDeliveries = (before: PreviousSchedule, after: ScheduleContent | undefined) => {
  const event = buildScheduleEvent(before, after, 6);
  return event ? renderDeliveries(JSON.stringify(toScheduleEventBody(event, madeAt.getTime() as UtcMillisecond))) : [];
};
