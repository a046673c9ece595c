import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { Location } from '#domain/master-data/master-data.ts';
import { estimateBlockTime, isPossibleBlockTime } from '#domain/status/block-time.ts';
import { secondToMinute, type UtcSecond } from '#domain/status/instants.ts';
import type { UnscheduledFlightDescription } from '#domain/status/message.ts';
import { formatDate, type LocalDate, MINUTES_A_DAY, toDate, type UtcMinute } from '#domain/time/dates.ts';
import { toLocalMinute } from '#domain/time/zones.ts';
import type { UnscheduledEnd } from '#products/flight-info/v2/to-unscheduled-flight.ts';
import type { ScheduleReference } from '#store/status/flight-statuses.ts';
import { findLocation } from './flight-codes.ts';

/** Why a plan is not used, and the value that is the cause. */
export type PlanError = { readonly reason: string; readonly value: string };

/** The ends of a planned flight. One of them can be estimated. */
export type PlanEnds = { readonly departure: UnscheduledEnd; readonly arrival: UnscheduledEnd };

/** What limits the times of a plan: the local date of departure, if the flight has one already, and the times of earlier plans. */
export type PlanLimits = {
  readonly date: LocalDate | undefined;
  readonly before: ScheduleReference | undefined;
};

type Route = { readonly from: Location; readonly to: Location };

/** The times that are known from a plan and those before it. */
type KnownTimes = { readonly out: UtcMinute | undefined; readonly in: UtcMinute | undefined };

const toEnd = (location: Location, utc: UtcMinute, isEstimated: boolean): UnscheduledEnd => ({
  location,
  utc,
  local: toLocalMinute(location.zone, utc),
  isEstimated,
});

const toMinute = (second: UtcSecond | undefined): UtcMinute | undefined =>
  second === undefined ? undefined : secondToMinute(second);

/** Airports publish their own ends of a flight: the other end remains as an earlier plan has it, unless both cannot be true. */
const mergeTimes = (
  { flightType, departsAt, arrivesAt }: UnscheduledFlightDescription,
  { from, to }: Route,
  before: ScheduleReference | undefined,
): KnownTimes => {
  const planned: KnownTimes = { out: toMinute(departsAt), in: toMinute(arrivesAt) };
  if (flightType !== 'Scheduled' || !before || before.departure !== from.id || before.arrival !== to.id) return planned;
  const knownOut = before.isDepartureEstimated ? undefined : before.scheduledOut;
  const merged: KnownTimes = { out: planned.out ?? knownOut, in: planned.in ?? before.scheduledIn };
  if (merged.out === undefined || merged.in === undefined) return merged;
  return isPossibleBlockTime(merged.in - merged.out, from, to) ? merged : planned;
};

const addMinutes = (minute: UtcMinute, minutes: number): UtcMinute => (minute + minutes) as UtcMinute;

/** Returns the estimate, or the minute of the local date that is nearest to it. */
const moveToDate = (estimate: UtcMinute, location: Location, date: LocalDate): UtcMinute => {
  const local = toLocalMinute(location.zone, estimate);
  const [first, last] = [date * MINUTES_A_DAY, (date + 1) * MINUTES_A_DAY - 1];
  const moved = addMinutes(estimate, Math.min(Math.max(local, first), last) - local);
  // A change of the clock in between moves it by up to two hours.
  const choices = [0, 60, -60, 120, -120].map((minutes) => addMinutes(moved, minutes));
  return choices.find((minute) => toDate(toLocalMinute(location.zone, minute)) === date) ?? moved;
};

/**
 * Estimates the departure of a flight of which only the arrival is known. The local date of departure must be certain: given, or the same for the
 * shortest and the longest flight.
 */
const estimateDeparture = (
  arrivesAt: UtcMinute,
  { from, to }: Route,
  date: LocalDate | undefined,
): { readonly out: UtcMinute } | PlanError => {
  const { shortest, estimated, longest } = estimateBlockTime(from, to);
  const estimate = addMinutes(arrivesAt, -estimated);
  const [first, last] = [longest, shortest].map((minutes) =>
    toDate(toLocalMinute(from.zone, addMinutes(arrivesAt, -minutes))),
  );
  if (first === undefined || last === undefined) return { out: estimate };
  if (date === undefined) {
    if (first === last && from.zone !== undefined) return { out: estimate };
    const dates = [...new Set([first, last].map(formatDate))];
    return { reason: 'uncertain-date', value: `${dates.join(' or ')} at ${from.iata || from.icao || from.faa}` };
  }
  // Without a time zone, the local date can be that in UTC, the day before or the day after.
  const unknownDays = from.zone === undefined ? 1 : 0;
  if (date < first - unknownDays || date > last + unknownDays)
    return { reason: 'plan-of-another-day', value: formatDate(toDate(toLocalMinute(from.zone, estimate))) };
  return { out: moveToDate(estimate, from, date) };
};

const findRoute = (plan: UnscheduledFlightDescription, masterDataIndex: MasterDataIndex): Route | PlanError => {
  const from = findLocation(masterDataIndex, plan.departureAirport);
  const to = findLocation(masterDataIndex, plan.arrivalAirport);
  if (!from) return { reason: 'airport-unknown', value: plan.departureAirport };
  if (!to) return { reason: 'airport-unknown', value: plan.arrivalAirport };
  return { from, to };
};

/** Returns both ends of the flight that a plan describes; what neither it nor an earlier plan says is estimated from the distance. */
export const resolveEnds = (
  plan: UnscheduledFlightDescription,
  { date, before }: PlanLimits,
  masterDataIndex: MasterDataIndex,
): PlanEnds | PlanError => {
  const route = findRoute(plan, masterDataIndex);
  if ('reason' in route) return route;
  const { from, to } = route;
  const known = mergeTimes(plan, route, before);
  if (known.out !== undefined) {
    const arrivesAt = known.in ?? addMinutes(known.out, estimateBlockTime(from, to).estimated);
    return { departure: toEnd(from, known.out, false), arrival: toEnd(to, arrivesAt, known.in === undefined) };
  }
  if (known.in === undefined) return { reason: 'plan-of-no-flight', value: 'no time' };
  const departure = estimateDeparture(known.in, route, date);
  if ('reason' in departure) return departure;
  return { departure: toEnd(from, departure.out, true), arrival: toEnd(to, known.in, false) };
};
