import type { Change } from '../../../../domain/events/changes-between.ts';
import type { StatusEvent } from '../../../../domain/events/status-events.ts';
import type { StatusPropertyName } from '../../../../domain/events/status-properties.ts';
import type { ToldStatus } from '../../../../domain/events/told-status.ts';
import { shownChanges, type EventContent } from './event-content.ts';

/** A status event without what delivery adds: the ids of the alert and of the message, and the time of the message. */
export type StatusEventBody = ToldStatus & {
  readonly documentType: 'FlightStatus';
  /** Of the document. */
  readonly version: '2';
  /** Of the flight: 1 for its first event, and one more for each. */
  readonly flightVersion: number;
  readonly changes?: readonly Change<StatusPropertyName>[];
};

/** Writes a status event. */
export const showStatusEvent = ({ told, version, changes }: StatusEvent, content: EventContent): StatusEventBody => {
  const { seatingCapacity, ...rest } = told;
  return {
    documentType: 'FlightStatus',
    version: '2',
    flightVersion: version,
    ...rest,
    ...(content.seats && { seatingCapacity }),
    ...shownChanges(changes, content),
  };
};
