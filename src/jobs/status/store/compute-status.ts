import type { Directory } from '../../../domain/master-data/directory.ts';
import { computeFlightView, type FlightView } from '../../../domain/status/flight-view.ts';
import {
  compareObservations,
  unobservedFlight,
  applyObservation,
  getValue,
  type FlightObservations,
  type Observation,
} from '../../../domain/status/observed-flight.ts';
import { isCorrection } from '../../../domain/status/transitions.ts';
import { toSeats } from '../../../products/flight-info/v2/to-flight-instance.ts';
import { toStatusDetails } from '../../../products/flight-info/v2/to-status.ts';
import type { FlightStatusRow, ScheduleReference } from '../../../store/status/flight-statuses.ts';

const readKnown = (text: string): FlightObservations | undefined => {
  if (text === '') return undefined;
  const known: FlightObservations = JSON.parse(text);
  return known;
};

/** `before` is undefined where the newest message is the only one. */
type Counted = {
  readonly before: FlightObservations | undefined;
  readonly known: FlightObservations;
  readonly newest: Observation;
};

const countInOrder = (
  start: FlightObservations | undefined,
  messages: readonly Observation[],
  newest: Observation,
): Counted => {
  const earlier = messages.slice(0, -1);
  const before =
    start === undefined && earlier.length === 0
      ? undefined
      : earlier.reduce(applyObservation, start ?? unobservedFlight);
  return { before, known: applyObservation(before ?? unobservedFlight, newest), newest };
};

/** Whether messages (in order) are all newer than what a status has counted: then the others need not be read again. */
export const areNewer = (status: FlightStatusRow, messages: readonly Observation[]): boolean => {
  const [oldest] = messages;
  return !status.newest || (oldest !== undefined && compareObservations(oldest, status.newest) > 0);
};

export type CountedStatus = {
  readonly row: FlightStatusRow;
  readonly view: FlightView;
  /** Whether a landing elsewhere was ever spoken of, though it may have been taken back: then what is kept of them may be outdated. */
  readonly spokeOfLandings: boolean;
};

const rowOf = (
  status: FlightStatusRow,
  { before, known, newest }: Counted,
  { frame, directory }: { readonly frame: ScheduleReference; readonly directory: Directory },
): CountedStatus => {
  const view = computeFlightView(known, frame.departure);
  const observed = {
    known,
    view,
    observedAt: newest.observedAt,
    isCorrection: isCorrection(before && computeFlightView(before, frame.departure), view),
  };
  const seats = getValue(known.facts, 'seats');
  const row = {
    ...status,
    frame,
    newest: { observedAt: newest.observedAt, id: newest.id },
    known: JSON.stringify(known),
    doc: JSON.stringify(toStatusDetails(observed, frame, directory)),
    state: view.state,
    registration: getValue(known.facts, 'registration'),
    seats: seats && JSON.stringify(toSeats(seats)),
    diversions: [...new Set(view.landings.flatMap(({ airport }) => airport ?? []))],
  };
  return { row, view, spokeOfLandings: Object.keys(known.landings).length > 0 };
};

/**
 * A status with messages counted in. `messages` are the new ones in order when all of them are newer than what the status
 * has, and otherwise all messages of the flight: the outcome is the same for any order in which they came.
 */
export const countMessages = (
  status: FlightStatusRow,
  messages: readonly Observation[],
  context: { readonly frame: ScheduleReference; readonly directory: Directory },
): CountedStatus => {
  const ordered = messages.toSorted(compareObservations);
  const newest = ordered.at(-1);
  if (!newest) throw new Error('a status is counted from at least one message');
  const isWhole = !areNewer(status, ordered);
  const start = isWhole ? undefined : readKnown(status.known);
  return rowOf(status, countInOrder(start, ordered, newest), context);
};

/** A status shown against another schedule: the flight was retimed, or its airports' records have changed. */
export const recountStatus = (
  status: FlightStatusRow,
  messages: readonly Observation[],
  context: { readonly frame: ScheduleReference; readonly directory: Directory },
): FlightStatusRow => {
  const ordered = messages.toSorted(compareObservations);
  const newest = ordered.at(-1);
  if (!newest) return { ...status, reference: context.frame };
  return rowOf(status, countInOrder(undefined, ordered, newest), context).row;
};
