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

/**
 * Whether going from one view of a flight to the next takes back what had been said: a step against the usual order, which
 * only a newer message can make. A flight that goes on to a new leg makes none, and neither does its first message (`before`
 * is undefined).
 */
export const isCorrection = (before: FlightView | undefined, after: FlightView): boolean => {
  if (!before) return false;
  if (before.state === after.state) return after.progress < before.progress;
  const isNewLeg = after.progress > before.progress && after.state !== 'Canceled' && before.progress > 0;
  return !isNewLeg && !ordinarySteps[before.state].includes(after.state);
};
