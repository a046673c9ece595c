import { compareTexts } from '#lib/compare-texts.ts';
import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';

const movingStates = new Set<StatusDetails['state']>(['OutGate', 'inAir', 'Landed', 'InGate']);

/** Returns the public feeds of all legs, each with its newest message. */
const mergeSources = (legs: readonly StatusDetails[]): Pick<StatusDetails, 'sources'> => {
  const all = legs
    .flatMap(({ sources = [] }) => sources)
    .toSorted((a, b) => compareTexts(a.confirmedAt, b.confirmedAt));
  const latest = new Map(all.map((source) => [source.name, source]));
  return latest.size === 0 ? {} : { sources: [...latest.values()].toSorted((a, b) => compareTexts(a.name, b.name)) };
};

/** Composes the status of a flight with stops at one instant from the statuses of its legs; undefined for legs without one. */
const composeStatus = (legs: readonly (StatusDetails | undefined)[], latest: StatusDetails): StatusDetails => {
  const known = legs.filter((leg) => leg !== undefined);
  const movingLeg = known.findLast(({ state }) => movingStates.has(state));
  const state = known.some((leg) => leg.state === 'Canceled') ? 'Canceled' : (movingLeg?.state ?? 'Scheduled');
  const divertedLeg = known.findLast(({ diversionType }) => diversionType !== undefined);
  const equipment = (movingLeg ?? known[0])?.equipment;
  const departure = legs[0]?.departure;
  const arrival = legs.at(-1)?.arrival;
  return {
    state,
    updatedAt: latest.updatedAt,
    ...(equipment && { equipment }),
    ...(departure && { departure }),
    ...(arrival && { arrival }),
    ...(divertedLeg?.diversionAirport && { diversionAirport: divertedLeg.diversionAirport }),
    ...(divertedLeg?.diversionType && { diversionType: divertedLeg.diversionType }),
    ...(divertedLeg?.irregularOperationType && { irregularOperationType: divertedLeg.irregularOperationType }),
    ...mergeSources(known),
    ...(latest.correction && { correction: true }),
  };
};

/**
 * Builds the history of a flight with stops, newest first, from those of its legs, each newest first: departure of the first
 * leg, arrival of the last, state of the current or last flown leg, Canceled if one of its legs is.
 */
export const buildThroughHistory = (legs: readonly (readonly StatusDetails[])[]): readonly StatusDetails[] => {
  const changes = legs
    .flatMap((history, leg) => history.toReversed().map((status) => ({ leg, status })))
    .toSorted((a, b) => compareTexts(a.status.updatedAt, b.status.updatedAt));
  const current: (StatusDetails | undefined)[] = legs.map(() => undefined);
  const history: StatusDetails[] = [];
  for (const { leg, status } of changes) {
    current[leg] = status;
    history.unshift(composeStatus(current, status));
  }
  return history;
};
