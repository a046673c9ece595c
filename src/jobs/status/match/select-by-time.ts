import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { DesignatorReference } from '#domain/status/message.ts';
import { formatStatusId } from '#store/status/flight-statuses.ts';
import { findLocation } from './flight-codes.ts';
import type { Leg } from './legs-by-number.ts';

/** The leg that a reference means, or why none is known. */
export type LegSelection =
  | { readonly leg: Leg; readonly remark?: 'scheduled-time-differs' }
  | { readonly reason: 'no-such-flight' | 'ambiguous-flight' | 'contradictory-flight' };

/** A flight that was retimed in one source only keeps its reference, if no other flight of its designator is as near. */
const MAX_RETIMED_MINUTES = 30;

/** Removes marketing flights whose operating flight is among the legs too: they share its status. */
export const toDistinctLegs = (legs: readonly Leg[]): readonly Leg[] => {
  const operatingLast = legs.toSorted((a, b) => Number(b.target.isMarketing) - Number(a.target.isMarketing));
  return [...new Map(operatingLast.map((leg) => [formatStatusId(leg.target), leg])).values()];
};

const isNear = (scheduled: number | undefined, known: number | undefined, minutes: number): boolean =>
  scheduled === undefined || (known !== undefined && Math.abs(known - scheduled) <= minutes);

/** Whether the scheduled times of a leg are those of a reference, or differ by up to some minutes. An unknown arrival time agrees with any. */
const hasScheduledTimes = (leg: Leg, { scheduledOut, scheduledIn }: DesignatorReference, minutes: number): boolean =>
  isNear(scheduledOut, leg.scheduledOut, minutes) &&
  ((leg.scheduledIn === undefined && scheduledOut !== undefined) || isNear(scheduledIn, leg.scheduledIn, minutes));

/** Returns the legs between the airports of a reference; one that it does not name can be any. */
const selectRoute = (
  legs: readonly Leg[],
  { departureAirport, arrivalAirport }: DesignatorReference,
  masterDataIndex: MasterDataIndex,
): readonly Leg[] => {
  const departure = departureAirport === '' ? undefined : findLocation(masterDataIndex, departureAirport)?.id;
  const arrival = arrivalAirport === undefined ? undefined : findLocation(masterDataIndex, arrivalAirport)?.id;
  return legs.filter(
    ({ target }) =>
      (departureAirport === '' || target.departure === departure) &&
      (arrivalAirport === undefined || target.arrival === arrival),
  );
};

/** Selects a leg by the scheduled times of a reference, exactly, else within `MAX_RETIMED_MINUTES`. The date, if any, must agree. */
export const selectByTime = (
  legs: readonly Leg[],
  reference: DesignatorReference,
  { masterDataIndex, hasDate }: { readonly masterDataIndex: MasterDataIndex; readonly hasDate: (leg: Leg) => boolean },
): LegSelection => {
  const onRoute = toDistinctLegs(selectRoute(legs, reference, masterDataIndex));
  const { originDate } = reference;
  const isOfDate = (leg: Leg): boolean => originDate === undefined || hasDate(leg);
  const exact = onRoute.filter((leg) => hasScheduledTimes(leg, reference, 0));
  const near = onRoute.filter((leg) => hasScheduledTimes(leg, reference, MAX_RETIMED_MINUTES));
  const matching = exact.length > 0 ? exact : near;
  const [leg, other] = matching.filter(isOfDate);
  if (leg && other) return { reason: 'ambiguous-flight' };
  if (leg) return exact.length > 0 ? { leg } : { leg, remark: 'scheduled-time-differs' };
  const isContradictory = matching.length > 0 || (originDate !== undefined && onRoute.some(isOfDate));
  return { reason: isContradictory ? 'contradictory-flight' : 'no-such-flight' };
};
