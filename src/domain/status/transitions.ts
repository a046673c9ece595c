import type { FlightState, FlightView } from './flight-view.ts';

/**
 * The regular transitions other than progress (states may be skipped, and a new leg starts when a flight continues from a diversion airport): return
 * to the stand, cancellation, reinstatement, departure of a proposed flight.
 */
const ordinarySteps: Readonly<Record<FlightState, readonly FlightState[]>> = {
  Proposed: ['Scheduled', 'OutGate', 'inAir', 'Landed', 'InGate', 'Canceled'],
  Scheduled: ['OutGate', 'inAir', 'Landed', 'InGate', 'Canceled'],
  OutGate: ['Scheduled', 'inAir', 'Landed', 'InGate', 'Canceled'],
  inAir: ['Landed', 'InGate'],
  Landed: ['InGate'],
  InGate: [],
  Canceled: ['Scheduled', 'OutGate', 'inAir', 'Landed', 'InGate'],
};

const isAtDestination = ({ destination }: FlightView): boolean =>
  destination.actualOn !== undefined || destination.actualIn !== undefined;

const getLeg = ({ progress }: FlightView): number => Math.floor(progress / 10);

/** Number of legs the flight has progressed; a landing that is reported after the arrival is no progress. */
const legsBetween = (before: FlightView, after: FlightView): number =>
  isAtDestination(before) && isAtDestination(after) ? 0 : getLeg(after) - getLeg(before);

const hasFlown = new Set<FlightState>(['inAir', 'Landed', 'InGate']);

/**
 * Returns whether a transition revises what was reported: a step against the regular order, which only a newer message can cause. Neither a new leg,
 * nor a return to the gate, nor the first message (`before` is undefined) is a correction.
 */
export const isCorrection = (before: FlightView | undefined, after: FlightView): boolean => {
  if (!before) return false;
  const legs = legsBetween(before, after);
  if (before.state === after.state) return legs < 0 && after.state !== 'Canceled';
  if (legs < 0 && hasFlown.has(before.state)) return true;
  const isNewLeg = legs > 0 && !isAtDestination(before) && after.state !== 'Canceled';
  return !isNewLeg && !ordinarySteps[before.state].includes(after.state);
};
