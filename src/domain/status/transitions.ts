import type { FlightState, FlightView } from './flight-view.ts';

/**
 * The steps a flight takes in the ordinary course of things, other than going forward (steps may be skipped, and a new leg
 * begins where a flight goes on from a diversion airport): back to the stand, cancelled, reinstated, begun after all.
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

const legOf = ({ progress }: FlightView): number => Math.floor(progress / 10);

/** How many legs a flight has gone on; a landing elsewhere that becomes known after the arrival is no step. */
const legsBetween = (before: FlightView, after: FlightView): number =>
  isAtDestination(before) && isAtDestination(after) ? 0 : legOf(after) - legOf(before);

const hasFlown = new Set<FlightState>(['inAir', 'Landed', 'InGate']);

/**
 * Whether going from one view of a flight to the next takes back what had been said: a step against the usual order, which
 * only a newer message can make. A flight that goes on to a new leg makes none, nor one that returns to the gate it went on
 * from, and neither does its first message (`before` is undefined).
 */
export const isCorrection = (before: FlightView | undefined, after: FlightView): boolean => {
  if (!before) return false;
  const legs = legsBetween(before, after);
  if (before.state === after.state) return legs < 0 && after.state !== 'Canceled';
  if (legs < 0 && hasFlown.has(before.state)) return true;
  const isNewLeg = legs > 0 && !isAtDestination(before) && after.state !== 'Canceled';
  return !isNewLeg && !ordinarySteps[before.state].includes(after.state);
};
