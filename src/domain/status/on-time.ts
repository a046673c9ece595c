import { formatDate, type LocalDate, type UtcMinute } from '../time/dates.ts';
import type { FlightView } from './flight-view.ts';
import { minuteToSecond, type UtcSecond } from './instants.ts';

/** A flight is on time up to 14 minutes and 59 seconds after schedule: D15 at the gate it leaves, A14 at the one it reaches. */
const LATE_FROM_SECONDS = 15 * 60;

/** How a flight ended: each that is counted did so in exactly one of these ways. */
export type FlightEnd = 'arrivedOnTime' | 'arrivedLate' | 'cancelled' | 'diverted';

/** What one flight adds to the figures; `departedOnTime` is undefined when nobody told when it left the gate. */
export type Punctuality = { readonly end: FlightEnd; readonly departedOnTime: boolean | undefined };

/** The gate times of the schedule that a flight is measured against; `in` is undefined where nobody has said when it arrives. */
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
 * How punctual a flight was by D15/A14; undefined while it is not known how it ended. A flight that is cancelled has not
 * departed on time, even if it had left the gate, and is not diverted, even if it had come back. One whose status shows a
 * diversion is diverted, wherever it came in the end. Any other has ended when it is at the gate of its arrival airport: a
 * landing alone says too little, since taxiing in is part of the time that is measured.
 */
export const computePunctuality = (view: FlightView, scheduled: GateSchedule): Punctuality | undefined => {
  const end = findFlightEnd(view, scheduled.in);
  if (end === undefined) return undefined;
  const { actualOut } = view;
  if (end === 'cancelled') return { end, departedOnTime: false };
  return { end, departedOnTime: actualOut === undefined ? undefined : isOnTime(actualOut, scheduled.out) };
};

/**
 * How many flights ended in what way; `flights` is the sum of the four ends, `departures` are those of them of which it is known
 * whether they departed on time, and `departedOnTime` those that did.
 */
export type OnTimeCounts = Readonly<Record<FlightEnd | 'flights' | 'departures' | 'departedOnTime', number>>;

/** The counts of no flights. */
export const emptyOnTimeCounts: OnTimeCounts = {
  flights: 0,
  departures: 0,
  departedOnTime: 0,
  arrivedOnTime: 0,
  arrivedLate: 0,
  cancelled: 0,
  diverted: 0,
};

/** Counts that grow in place: of millions of flights a new object each would cost more than the counting. */
export type MutableOnTimeCounts = Record<keyof OnTimeCounts, number>;

/** Adds a flight to a tally. */
export const countFlight = (tally: MutableOnTimeCounts, { end, departedOnTime }: Punctuality): void => {
  tally.flights += 1;
  tally[end] += 1;
  if (departedOnTime !== undefined) tally.departures += 1;
  if (departedOnTime) tally.departedOnTime += 1;
};

/** The counts of two groups of flights together. */
export const addCounts = (a: OnTimeCounts, b: OnTimeCounts): OnTimeCounts => ({
  flights: a.flights + b.flights,
  departures: a.departures + b.departures,
  departedOnTime: a.departedOnTime + b.departedOnTime,
  arrivedOnTime: a.arrivedOnTime + b.arrivedOnTime,
  arrivedLate: a.arrivedLate + b.arrivedLate,
  cancelled: a.cancelled + b.cancelled,
  diverted: a.diverted + b.diverted,
});

/** The most a whole may be: 20,000 times as much is still an exact integer. */
const MAX_WHOLE = 2 ** 38;

/**
 * A part of a whole in percent with two decimals, half up: 1 of 8 is 12.5, 1 of 1,600 (0.0625) is 0.06, 1 of 800 (0.125) is
 * 0.13. Reckoned in integers. Throws a RangeError unless both are whole numbers, the whole is from 1 to 2^38, and the part
 * from 0 to the whole.
 */
export const computePercentage = (part: number, whole: number): number => {
  if (!Number.isInteger(part) || !Number.isInteger(whole) || part < 0 || part > whole || whole < 1 || whole > MAX_WHOLE)
    throw new RangeError(`${part} of ${whole} is no share`);
  const doubled = 20_000 * part + whole;
  return (doubled - (doubled % (2 * whole))) / (2 * whole) / 100;
};

/**
 * Shares in percent of all flights counted, that of departures of those whose departure is known (null when none is). Those of the four ends may miss 100.00 together by what rounding each of them costs.
 */
export type OnTimeShares = {
  readonly onTimePercentage: number;
  readonly latePercentage: number;
  readonly cancelledPercentage: number;
  readonly divertedPercentage: number;
  readonly departedOnTimePercentage: number | null;
};

/** The shares of at least one flight. */
export const computeOnTimeShares = (counts: OnTimeCounts): OnTimeShares => ({
  onTimePercentage: computePercentage(counts.arrivedOnTime, counts.flights),
  latePercentage: computePercentage(counts.arrivedLate, counts.flights),
  cancelledPercentage: computePercentage(counts.cancelled, counts.flights),
  divertedPercentage: computePercentage(counts.diverted, counts.flights),
  departedOnTimePercentage:
    counts.departures === 0 ? null : computePercentage(counts.departedOnTime, counts.departures),
});

/** Observed on-time performance as the contract shows it: shares, and what they are shares of. */
export type OnTimePerformance = OnTimeShares & {
  /** The size of the sample, and how many of it tell whether they departed on time. */
  readonly flights: number;
  readonly departures: number;
  /** The first and last local date of departure in the sample, `YYYY-MM-DD`. */
  readonly period: { readonly startDate: string; readonly endDate: string };
  readonly rule: 'D15/A14';
};

/** The performance of at least one flight; `from` and `to` are the first and last local date on which one of them departed. */
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
