import { formatDate, type LocalDate, type UtcMinute } from '../time/dates.ts';
import type { FlightView } from './flight-view.ts';
import { minuteToSecond, type UtcSecond } from './instants.ts';

/** A flight is on time up to 14 minutes and 59 seconds after schedule: D15 at the gate it leaves, A14 at the one it reaches. */
const LATE_FROM_SECONDS = 15 * 60;

/** How a flight ended; each counted flight has exactly one of these ends. */
export type FlightEnd = 'arrivedOnTime' | 'arrivedLate' | 'cancelled' | 'diverted';

/** The contribution of one flight; `departedOnTime` is undefined when its gate departure is unknown. */
export type Punctuality = { readonly end: FlightEnd; readonly departedOnTime: boolean | undefined };

/** Scheduled gate times; `in` is undefined when the arrival time is unknown. */
export type GateSchedule = { readonly out: UtcMinute; readonly in: UtcMinute | undefined };

const isOnTime = (actual: UtcSecond, scheduled: UtcMinute): boolean =>
  actual - minuteToSecond(scheduled) < LATE_FROM_SECONDS;

const findFlightEnd = (view: FlightView, scheduledIn: UtcMinute | undefined): FlightEnd | undefined => {
  if (view.state === 'Canceled') return 'cancelled';
  if (view.landings.length > 0) return 'diverted';
  const { actualIn } = view.destination;
  if (actualIn === undefined || scheduledIn === undefined) return undefined;
  return isOnTime(actualIn, scheduledIn) ? 'arrivedOnTime' : 'arrivedLate';
};

/**
 * Computes the punctuality of a flight by D15/A14; undefined while its end is unknown. A cancelled flight did not depart on time, even if it left the
 * gate, and is not diverted, even if it returned. A flight with a diversion is diverted, wherever it arrived. Any other flight ends at the gate of
 * its arrival airport, because taxi-in is part of the measured time.
 */
export const computePunctuality = (view: FlightView, scheduled: GateSchedule): Punctuality | undefined => {
  const end = findFlightEnd(view, scheduled.in);
  if (end === undefined) return undefined;
  const { actualOut } = view;
  if (end === 'cancelled') return { end, departedOnTime: false };
  return { end, departedOnTime: actualOut === undefined ? undefined : isOnTime(actualOut, scheduled.out) };
};

/** Flights by end: `flights` is the sum of the four ends, `departures` those with a known departure, `departedOnTime` those that departed on time. */
export type OnTimeCounts = Readonly<Record<FlightEnd | 'flights' | 'departures' | 'departedOnTime', number>>;

/** Counts without any flight. */
export const emptyOnTimeCounts: OnTimeCounts = {
  flights: 0,
  departures: 0,
  departedOnTime: 0,
  arrivedOnTime: 0,
  arrivedLate: 0,
  cancelled: 0,
  diverted: 0,
};

/** Mutable counts: for millions of flights, new objects would cost more than counting. */
export type MutableOnTimeCounts = Record<keyof OnTimeCounts, number>;

/** Adds a flight to mutable counts. */
export const countFlight = (counts: MutableOnTimeCounts, { end, departedOnTime }: Punctuality): void => {
  counts.flights += 1;
  counts[end] += 1;
  if (departedOnTime !== undefined) counts.departures += 1;
  if (departedOnTime) counts.departedOnTime += 1;
};

/** Adds the counts of two groups of flights. */
export const addCounts = (a: OnTimeCounts, b: OnTimeCounts): OnTimeCounts => ({
  flights: a.flights + b.flights,
  departures: a.departures + b.departures,
  departedOnTime: a.departedOnTime + b.departedOnTime,
  arrivedOnTime: a.arrivedOnTime + b.arrivedOnTime,
  arrivedLate: a.arrivedLate + b.arrivedLate,
  cancelled: a.cancelled + b.cancelled,
  diverted: a.diverted + b.diverted,
});

/** Largest whole: 20,000 times as much is still an exact integer. */
const MAX_WHOLE = 2 ** 38;

/**
 * Computes a percentage with two decimals, half up, in integer arithmetic: 1 of 8 is 12.5, 1 of 1,600 (0.0625) is 0.06, 1 of 800 (0.125) is 0.13.
 * Throws a RangeError unless both are integers, the whole is from 1 to 2^38, and the part from 0 to the whole.
 */
export const computePercentage = (part: number, whole: number): number => {
  if (!Number.isInteger(part) || !Number.isInteger(whole) || part < 0 || part > whole || whole < 1 || whole > MAX_WHOLE)
    throw new RangeError(`${part} of ${whole} is not a valid share`);
  const doubled = 20_000 * part + whole;
  return (doubled - (doubled % (2 * whole))) / (2 * whole) / 100;
};

/**
 * Percentages of all counted flights; that of departures refers to those with a known departure (null without any). The four ends may not add up to
 * 100.00 because of rounding.
 */
export type OnTimeShares = {
  readonly onTimePercentage: number;
  readonly latePercentage: number;
  readonly cancelledPercentage: number;
  readonly divertedPercentage: number;
  readonly departedOnTimePercentage: number | null;
};

/** Computes the percentages of at least one flight. */
export const computeOnTimeShares = (counts: OnTimeCounts): OnTimeShares => ({
  onTimePercentage: computePercentage(counts.arrivedOnTime, counts.flights),
  latePercentage: computePercentage(counts.arrivedLate, counts.flights),
  cancelledPercentage: computePercentage(counts.cancelled, counts.flights),
  divertedPercentage: computePercentage(counts.diverted, counts.flights),
  departedOnTimePercentage:
    counts.departures === 0 ? null : computePercentage(counts.departedOnTime, counts.departures),
});

/** Observed on-time performance as the API returns it. */
export type OnTimePerformance = OnTimeShares & {
  /** Size of the sample, and how many of it have a known departure. */
  readonly flights: number;
  readonly departures: number;
  /** First and last local departure date of the sample, `YYYY-MM-DD`. */
  readonly period: { readonly startDate: string; readonly endDate: string };
  readonly rule: 'D15/A14';
};

/** Returns the performance of at least one flight; `from` and `to` are the first and last local departure date. */
export const toOnTimePerformance = (
  counts: OnTimeCounts,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): OnTimePerformance => ({
  ...computeOnTimeShares(counts),
  flights: counts.flights,
  departures: counts.departures,
  period: { startDate: formatDate(from), endDate: formatDate(to) },
  rule: 'D15/A14',
});
