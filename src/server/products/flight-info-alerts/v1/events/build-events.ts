import {
  buildScheduleEvent,
  buildStatusEvent,
  type EstimateStep,
  type PreviousSchedule,
  toScheduleFacts,
  toStatusFacts,
  type ScheduleEvent,
  type StatusEvent,
} from './event-builder.ts';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import type { ScheduleContent, StatusContent } from './event-content.ts';
import { toUtcMillisecond } from '#domain/status/instants.ts';
import type { NewEvent } from '#store/events/event-outbox.ts';
import type { ScheduleDifference } from '#store/schedules/schedule-differences.ts';
import { toScheduleEventBody, toStatusEventBody } from './render-event.ts';
import { type ParsedFlight, type StoredStatus, toScheduleContent, toStatusContents } from './build-content.ts';

/** Events are stored with all parts; rendering drops those that an alert does not request. */
/** An event of a flight. */
export type KeyedEvent<Event = StatusEvent | ScheduleEvent> = {
  /** The schedule instance key by which versions are counted, 64 hexadecimal digits. */
  readonly flightKey: string;
  readonly event: Event;
  /** What alerts select the event by. */
  readonly facts: EventFacts;
};

/** A flight as stored, with one key for each of its designators. */
export type FlightWithStatus = {
  readonly flight: ParsedFlight;
  readonly keys: readonly string[];
  readonly status: StoredStatus;
};

const listContents = ({
  flight,
  keys,
  status,
}: FlightWithStatus): readonly (readonly [key: string, content: StatusContent])[] =>
  toStatusContents(flight, status).map((content, index) => [keys[index] ?? '', content]);

/**
 * Builds the events of a recomputed flight, one for each designator under which a property changed; versions start at 1. `steps` are the
 * estimates between the two statuses.
 */
export const buildStatusEvents = (
  before: FlightWithStatus | undefined,
  after: FlightWithStatus,
  steps: readonly EstimateStep[] = [],
): readonly KeyedEvent<StatusEvent>[] => {
  const contentsBefore = new Map(before && listContents(before));
  return listContents(after).flatMap(([flightKey, content]) => {
    const contentBefore = contentsBefore.get(flightKey);
    const event = buildStatusEvent(contentBefore, content, 0);
    return event ? [{ flightKey, event, facts: toStatusFacts(event, { content: contentBefore, steps }) }] : [];
  });
};

const parseContent = (text: string): ScheduleContent => {
  const content: ScheduleContent = JSON.parse(text);
  return content;
};

/** The last emitted state counts: a flight can be reinstated on a day outside the horizon, which emits no event. */
const toPreviousSchedule = ({ before, deleted }: ScheduleDifference): PreviousSchedule => {
  if (deleted)
    return { kind: 'deleted', content: deleted.lastState === undefined ? undefined : parseContent(deleted.lastState) };
  return before ? { kind: 'in-force', content: toScheduleContent(before) } : { kind: 'never' };
};

/** Builds the event of an instance that differs between two schedules; undefined if no property of the event differs. */
export const buildDifferenceEvent = (difference: ScheduleDifference): KeyedEvent<ScheduleEvent> | undefined => {
  const { key, after, version, isMarketing } = difference;
  const content = after && toScheduleContent(after);
  const before = toPreviousSchedule(difference);
  const event = buildScheduleEvent(before, content, version);
  return event && { flightKey: key, event, facts: toScheduleFacts(event, { isMarketing, before }) };
};

/** Returns the row to store: the body is JSON of the wire schema, and a deleted instance keeps its last content. */
export const toNewEvent = ({ flightKey, event, facts }: KeyedEvent, madeAt: Date): NewEvent => {
  const body =
    event.kind === 'status' ? toStatusEventBody(event) : toScheduleEventBody(event, toUtcMillisecond(madeAt));
  return {
    flightKey,
    version: event.version,
    madeAt,
    facts,
    body: JSON.stringify(body),
    ...(event.kind === 'schedule' &&
      event.state === 'DELETED' && { deleted: { lastState: JSON.stringify(event.content) } }),
  };
};
