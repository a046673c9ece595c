import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { EstimateStep } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import { defaultMessageBounds } from '#domain/status/earlier-messages.ts';
import { computeFlightView, type FlightView, isCorrection } from '#domain/status/flight-view.ts';
import {
  compareObservations,
  unobservedFlight,
  applyObservation,
  getValue,
  isHidden,
  type FlightObservations,
  type Observation,
} from '#domain/status/observed-flight.ts';
import { CANCELLATION_PREFIX, OPERATOR } from '#domain/status/message.ts';
import { toSeats } from '#products/flight-info/v2/to-flight-instance.ts';
import { computeLatestTimes, toStatusDetails } from '#products/flight-info/v2/to-status.ts';
import type { FlightStatusRow, ScheduleReference } from '#store/status/flight-statuses.ts';

const parseKnown = (text: string): FlightObservations | undefined => {
  if (text === '') return undefined;
  const known: FlightObservations = JSON.parse(text);
  return known;
};

/** What is known of a flight with its newest message and before it; `before` is undefined if that message is the only one. */
type ObservedFlightState = {
  readonly before: FlightObservations | undefined;
  readonly known: FlightObservations;
  readonly newest: Observation;
};

const observeInOrder = (
  start: FlightObservations | undefined,
  messages: readonly Observation[],
  newest: Observation,
): ObservedFlightState => {
  const earlier = messages.slice(0, -1);
  const before =
    start === undefined && earlier.length === 0
      ? undefined
      : earlier.reduce(applyObservation, start ?? unobservedFlight);
  return { before, known: applyObservation(before ?? unobservedFlight, newest), newest };
};

/** Whether all messages, in order, are newer than a status. If so, earlier messages need not be read again. */
export const areNewer = (status: FlightStatusRow, messages: readonly Observation[]): boolean => {
  const [oldest] = messages;
  return !status.newest || (oldest !== undefined && compareObservations(oldest, status.newest) > 0);
};

/** Whether a flight has too many messages with some new ones, so that all are read and the earlier ones merged. */
export const hasTooMany = ({ observationsJson }: FlightStatusRow, added: number): boolean =>
  (parseKnown(observationsJson)?.messages ?? 0) + added > defaultMessageBounds.max;

export type ComputedStatus = {
  readonly row: FlightStatusRow;
  readonly view: FlightView;
  /** Whether a message ever reported a diversion landing, even if it was withdrawn: stored diversions may be outdated. */
  readonly hadLandings: boolean;
  /** The estimates between the stored status and the new one, oldest first. */
  readonly steps: readonly EstimateStep[];
};

type StatusContext = { readonly reference: ScheduleReference; readonly masterDataIndex: MasterDataIndex };

/** What responses and searches read of a flight without a status. */
const noStatus = {
  statusJson: '',
  state: '',
  registration: undefined,
  seats: undefined,
  latestTimes: { departure: undefined, arrival: undefined },
  diversions: [],
} as const;

const toStatusRow = (
  status: FlightStatusRow,
  { before, known, newest }: ObservedFlightState,
  { reference, masterDataIndex }: StatusContext,
): Omit<ComputedStatus, 'steps'> => {
  const view = computeFlightView(known, reference.departure);
  const observed = {
    observations: known,
    view,
    observedAt: newest.observedAt,
    isCorrection: isCorrection(before && computeFlightView(before, reference.departure), view),
  };
  const seats = getValue(known.facts, 'seats');
  const row = {
    ...status,
    reference,
    newest: { observedAt: newest.observedAt, id: newest.id },
    observationsJson: JSON.stringify(known),
    statusJson: JSON.stringify(toStatusDetails(observed, reference, masterDataIndex)),
    state: view.state,
    registration: getValue(known.facts, 'registration'),
    seats: seats && JSON.stringify(toSeats(seats)),
    latestTimes: computeLatestTimes(view, reference, masterDataIndex),
    diversions: [...new Set(view.landings.flatMap(({ airport }) => airport ?? []))],
  };
  const shown = isHidden(known) ? { ...row, ...noStatus } : row;
  return { row: shown, view, hadLandings: Object.keys(known.landings).length > 0 };
};

/** Whether a message reports what an estimated variation depends on. */
const reports = {
  outGateVariation: ({ facts }: Observation): boolean => 'estimatedOut' in facts,
  inGateVariation: ({ facts, landings }: Observation): boolean => 'estimatedIn' in facts || landings.length > 0,
} as const;

const formatIdentity = ({ id, source, sender = OPERATOR }: Observation): string => `${sender}|${source}|${id}`;

/**
 * Returns the estimates between the status before and after new messages: a batch makes one event, and alerts also select by the estimates that it
 * passed. Those are of messages that are newer than the known estimate, which can be older than other messages of the flight. The last ones are
 * those of the event. `ordered` are all messages after `start`.
 */
const computeSteps = (
  { start, ordered }: { readonly start: FlightObservations | undefined; readonly ordered: readonly Observation[] },
  added: readonly Observation[],
  { reference, masterDataIndex }: StatusContext,
): readonly EstimateStep[] => {
  const names = new Set(added.map(formatIdentity));
  const isAdded = (message: Observation): boolean => names.has(formatIdentity(message));
  /** The positions between the known estimate and the last one. */
  const isBetween = (name: keyof typeof reports): ((index: number, message: Observation) => boolean) => {
    const known = ordered.findLastIndex((message) => reports[name](message) && !isAdded(message));
    const last = ordered.findLastIndex(reports[name]);
    return (index, message) => index > known && index < last && reports[name](message);
  };
  const [isOutStep, isInStep] = [isBetween('outGateVariation'), isBetween('inGateVariation')];
  const steps: EstimateStep[] = [];
  let observations = start ?? unobservedFlight;
  for (const [index, message] of ordered.entries()) {
    observations = applyObservation(observations, message);
    const [out, into] = [isOutStep(index, message), isInStep(index, message)];
    if (!out && !into) continue;
    const view = computeFlightView(observations, reference.departure);
    const at = { observations, view, observedAt: message.observedAt, isCorrection: false };
    const { departure, arrival } = toStatusDetails(at, reference, masterDataIndex);
    steps.push({
      outGateVariation: out ? departure?.estimatedTime?.outGateVariation : undefined,
      inGateVariation: into ? arrival?.estimatedTime?.inGateVariation : undefined,
    });
  }
  return steps;
};

/**
 * Computes a status. `messages` are only the new ones if all are newer than the status, and otherwise all messages of the flight; the result
 * does not depend on the order in which they arrived. `added` are the new ones among them.
 */
export const computeStatus = (
  status: FlightStatusRow,
  messages: readonly Observation[],
  { added = messages, ...context }: StatusContext & { readonly added?: readonly Observation[] },
): ComputedStatus => {
  const ordered = messages.toSorted(compareObservations);
  const newest = ordered.at(-1);
  if (!newest) throw new Error('a status is counted from at least one message');
  const start = areNewer(status, ordered) ? parseKnown(status.observationsJson) : undefined;
  const computed = toStatusRow(status, observeInOrder(start, ordered, newest), context);
  return { ...computed, steps: computeSteps({ start, ordered }, added, context) };
};

/** Whether the newest message of a status is a cancellation or reinstatement by a schedule message, which can be withdrawn. */
const dependsOnSchedule = ({ newest }: FlightStatusRow): boolean => newest?.id.startsWith(CANCELLATION_PREFIX) ?? false;

/** Returns a status whose only messages were withdrawn as one without observations; one whose messages were pruned stays as it is. */
const resetStatus = (status: FlightStatusRow): FlightStatusRow =>
  dependsOnSchedule(status)
    ? {
        ...status,
        ...noStatus,
        newest: undefined,
        observationsJson: '',
      }
    : status;

/** Computes a status from all messages of its flight after the schedule or the master data have changed. */
export const recomputeStatus = (
  status: FlightStatusRow,
  messages: readonly Observation[],
  context: StatusContext,
): FlightStatusRow => {
  const ordered = messages.toSorted(compareObservations);
  const newest = ordered.at(-1);
  if (!newest) return { ...resetStatus(status), reference: context.reference };
  return toStatusRow(status, observeInOrder(undefined, ordered, newest), context).row;
};
