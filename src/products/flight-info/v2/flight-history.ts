import type { StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { viewFlight, type FlightView } from '../../../domain/status/flight-view.ts';
import { compareObservations, nothingKnown, observe, type Observation } from '../../../domain/status/known-flight.ts';
import { isCorrection } from '../../../domain/status/transitions.ts';
import type { StatusFrame } from '../../../store/status/flight-statuses.ts';
import { showStatus } from './to-status.ts';

/** Every status of a flight, newest first: what was known after each of its messages, in the order of their source times. */
export const flightHistory = (
  messages: readonly Observation[],
  frame: StatusFrame,
  directory: Directory,
): readonly StatusDetails[] => {
  const history: StatusDetails[] = [];
  let known = nothingKnown;
  let before: FlightView | undefined;
  for (const message of messages.toSorted(compareObservations)) {
    known = observe(known, message);
    const view = viewFlight(known, frame.departure);
    const { observedAt } = message;
    history.push(showStatus({ known, view, observedAt, isCorrection: isCorrection(before, view) }, frame, directory));
    before = view;
  }
  return history.toReversed();
};
