import type { StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';

const movingStates = new Set<StatusDetails['state']>(['OutGate', 'inAir', 'Landed', 'InGate']);

/** The status of a flight with stops as a whole at one moment, out of the statuses of its legs then; undefined while nothing is known of any. */
const composeStatus = (legs: readonly (StatusDetails | undefined)[], latest: StatusDetails): StatusDetails => {
  const known = legs.filter((leg) => leg !== undefined);
  const flown = known.findLast(({ state }) => movingStates.has(state));
  const state = known.some((leg) => leg.state === 'Canceled') ? 'Canceled' : (flown?.state ?? 'Scheduled');
  const diverted = known.findLast(({ diversionType }) => diversionType !== undefined);
  const equipment = (flown ?? known[0])?.equipment;
  const departure = legs[0]?.departure;
  const arrival = legs.at(-1)?.arrival;
  return {
    state,
    updatedAt: latest.updatedAt,
    ...(equipment && { equipment }),
    ...(departure && { departure }),
    ...(arrival && { arrival }),
    ...(diverted?.diversionAirport && { diversionAirport: diverted.diversionAirport }),
    ...(diverted?.diversionType && { diversionType: diverted.diversionType }),
    ...(diverted?.irregularOperationType && { irregularOperationType: diverted.irregularOperationType }),
    ...(latest.correction && { correction: true }),
  };
};

/**
 * The history of a flight with stops as a whole, newest first, out of those of its legs, each newest first: departure of the
 * first leg, arrival of the last, state of the leg it is on or has flown last, cancelled when one of its legs is.
 */
export const buildThroughHistory = (legs: readonly (readonly StatusDetails[])[]): readonly StatusDetails[] => {
  const moments = legs
    .flatMap((history, leg) => history.toReversed().map((status) => ({ leg, status })))
    .toSorted((a, b) =>
      a.status.updatedAt < b.status.updatedAt ? -1 : a.status.updatedAt > b.status.updatedAt ? 1 : 0,
    );
  const current: (StatusDetails | undefined)[] = legs.map(() => undefined);
  const history: StatusDetails[] = [];
  for (const { leg, status } of moments) {
    current[leg] = status;
    history.unshift(composeStatus(current, status));
  }
  return history;
};
