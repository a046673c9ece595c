import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { DesignatorReference } from '#domain/status/message.ts';
import { isPossibleBlockTime } from '#domain/status/block-time.ts';
import { toDate, type UtcMinute } from '#domain/time/dates.ts';
import { toLocalMinute } from '#domain/time/zones.ts';
import { formatStatusId } from '#store/status/flight-statuses.ts';
import type { StatusCandidate } from '#store/status/status-instances.ts';
import { findLocation } from './flight-codes.ts';
import type { Leg } from './legs-by-number.ts';

/** Whether a reference names a scheduled time, which identifies its flight. */
export const hasScheduledTime = ({ scheduledOut, scheduledIn }: DesignatorReference): boolean =>
  scheduledOut !== undefined || scheduledIn !== undefined;

/** The leg that a reference means, or why none is known. */
export type LegSelection =
  | { readonly leg: Leg; readonly remark?: 'scheduled-time-differs' }
  | {
      readonly reason: 'no-such-flight' | 'ambiguous-flight' | 'contradictory-flight';
      /** The flights of the designator and route that depart near the scheduled time; set if none of them has it. */
      readonly others?: readonly StatusCandidate[];
    };

/** A flight that was retimed in one source only keeps its reference, if no other flight of its designator is as near. */
const MAX_RETIMED_MINUTES = 30;

/** Removes marketing flights whose operating flight is among the legs too: they share its status. */
export const toDistinctLegs = (legs: readonly Leg[]): readonly Leg[] => {
  const operatingLast = legs.toSorted((a, b) => Number(b.target.isMarketing) - Number(a.target.isMarketing));
  return [...new Map(operatingLast.map((leg) => [formatStatusId(leg.target), leg])).values()];
};

/** The times of a leg that a source has published; those estimated from the distance are undefined. */
type PublishedTimes = { readonly out: UtcMinute | undefined; readonly in: UtcMinute | undefined };

const getPublishedTimes = ({ row, scheduledOut, scheduledIn }: Leg): PublishedTimes => ({
  out: row.departure.isEstimated ? undefined : scheduledOut,
  in: scheduledIn,
});

/** Whether all times that both name are equal, or differ by up to some minutes, and there is one. */
const hasScheduledTimes = (leg: Leg, { scheduledOut, scheduledIn }: DesignatorReference, minutes: number): boolean => {
  const published = getPublishedTimes(leg);
  const pairs = [
    [scheduledOut, published.out],
    [scheduledIn, published.in],
  ] as const;
  const differences = pairs.flatMap(([wanted, known]) =>
    wanted === undefined || known === undefined ? [] : [Math.abs(known - wanted)],
  );
  return differences.length > 0 && differences.every((difference) => difference <= minutes);
};

/**
 * Whether a reference by one time can mean a leg of which only the other time is published: airports publish their own ends. The flight takes as long
 * as a flight can take, and leaves on its local date.
 */
const completesLeg = (
  leg: Leg,
  { scheduledOut, scheduledIn }: DesignatorReference,
  masterDataIndex: MasterDataIndex,
): boolean => {
  const published = getPublishedTimes(leg);
  const [from, to] = [masterDataIndex.location(leg.target.departure), masterDataIndex.location(leg.target.arrival)];
  if (!from || !to) return false;
  const out = published.out ?? scheduledOut;
  const into = published.in ?? scheduledIn;
  if (out === undefined || into === undefined || !isPossibleBlockTime(into - out, from, to)) return false;
  return toDate(toLocalMinute(from.zone, out)) === leg.target.departsOn;
};

/** Whether a leg has the time of a reference at one end, and at the other end none that is published. */
const isOfOtherEnd = (leg: Leg, { scheduledOut, scheduledIn }: DesignatorReference): boolean => {
  const published = getPublishedTimes(leg);
  return scheduledOut === undefined
    ? published.in === undefined
    : scheduledIn === undefined && published.out === undefined;
};

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

/**
 * Selects a leg by the scheduled times of a reference: exactly, else within `MAX_RETIMED_MINUTES`, else the only one whose other end has this time. The
 * date, if any, must agree.
 */
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
  const completed = onRoute.filter(
    (leg) => isOfOtherEnd(leg, reference) && completesLeg(leg, reference, masterDataIndex),
  );
  const matching = [exact, near, completed].find(({ length }) => length > 0) ?? [];
  const [leg, other] = matching.filter(isOfDate);
  if (leg && other) return { reason: 'ambiguous-flight' };
  if (leg) return matching === near ? { leg, remark: 'scheduled-time-differs' } : { leg };
  if (matching.length > 0) return { reason: 'contradictory-flight' };
  const isOfAnotherTime = originDate !== undefined && onRoute.some(isOfDate);
  return {
    reason: isOfAnotherTime ? 'contradictory-flight' : 'no-such-flight',
    others: onRoute.map(({ target }) => target),
  };
};
