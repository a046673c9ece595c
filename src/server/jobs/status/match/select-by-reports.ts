import type { FlightFacts, LandingFacts } from '#domain/status/message.ts';
import { secondToMinute, type UtcSecond } from '#domain/status/instants.ts';
import { MINUTES_A_DAY, type UtcMinute } from '#domain/time/dates.ts';

/** The scheduled times of a leg; `scheduledIn` is undefined when unknown. */
type ScheduledTimes = { readonly scheduledOut: UtcMinute; readonly scheduledIn: UtcMinute | undefined };

/** What a message reports about its flight. */
export type Reports = {
  readonly facts?: FlightFacts | undefined;
  readonly landings?: readonly LandingFacts<string>[] | undefined;
  /** Whether the days of the times follow from the date of the flight. */
  readonly hasDerivedDays?: boolean | undefined;
};

/** How early and how late an event can be, in minutes. */
type Tolerance = { readonly early: number; readonly late: number };

const usual: Tolerance = { early: 120, late: 360 };

/** A leg whose date alone does not identify it must fit within this tolerance. */
const longest: Tolerance = { early: 120, late: 1080 };

/** Among several legs, the time of one within the first tolerance decides, else one within the second. */
const tolerances = [usual, longest];

/** No leg is this early, even if its date is certain. */
const certainTolerance: Tolerance = { early: 240, late: Infinity };

/** Boarding is reported from this many minutes before the departure on. */
const BOARDING_MINUTES = 240;

/** Assumed as the longest duration of a leg whose arrival time is unknown. */
const MAX_LEG_MINUTES = MINUTES_A_DAY;

/** The events of a message: their minute, and the earliest and latest scheduled minute of a leg between which they occur. */
type Event = {
  readonly at: number;
  readonly from: (leg: ScheduledTimes) => number;
  readonly to: (leg: ScheduledTimes) => number;
};

const getOut = ({ scheduledOut }: ScheduledTimes): number => scheduledOut;
const getEarliestIn = ({ scheduledOut, scheduledIn }: ScheduledTimes): number => scheduledIn ?? scheduledOut;
const getLatestIn = ({ scheduledOut, scheduledIn }: ScheduledTimes): number =>
  scheduledIn ?? scheduledOut + MAX_LEG_MINUTES;
const getBoarding = ({ scheduledOut }: ScheduledTimes): number => scheduledOut - BOARDING_MINUTES;

const toMinutes = (times: readonly (UtcSecond | null | undefined)[]): readonly number[] =>
  times.flatMap((time) => (typeof time === 'number' ? [secondToMinute(time)] : []));

/** Lists the events of a message that show when its leg is scheduled. A landing elsewhere is between both ends of the leg. */
const listEvents = ({ facts = {}, landings = [] }: Reports): readonly Event[] => [
  ...toMinutes([facts.estimatedOut, facts.estimatedOff, facts.actualOut, facts.actualOff]).map((at) => ({
    at,
    from: getOut,
    to: getOut,
  })),
  ...toMinutes([facts.boarding?.at]).map((at) => ({ at, from: getBoarding, to: getOut })),
  ...toMinutes([facts.estimatedOn, facts.estimatedIn, facts.actualOn, facts.actualIn]).map((at) => ({
    at,
    from: getEarliestIn,
    to: getLatestIn,
  })),
  ...toMinutes(landings.flatMap((one) => [one.estimatedOn, one.estimatedIn, one.actualOn, one.actualIn])).map((at) => ({
    at,
    from: getOut,
    to: getLatestIn,
  })),
];

const isWithin = (events: readonly Event[], leg: ScheduledTimes, { early, late }: Tolerance): boolean =>
  events.every(({ at, from, to }) => at >= from(leg) - early && at <= to(leg) + late);

/** Moves events by whole days. */
const moveEvents = (events: readonly Event[], days: number): readonly Event[] =>
  events.map((event) => ({ ...event, at: event.at + days * MINUTES_A_DAY }));

/**
 * Selects the one leg that the actual and estimated times of a message fit. Returns undefined when they fit several, or the message has none. A message
 * whose days are derived must fit no other leg on another day either.
 */
export const selectByReports = <Leg extends ScheduledTimes>(
  legs: readonly Leg[],
  reports: Reports,
): Leg | undefined => {
  const events = listEvents(reports);
  if (events.length === 0) return undefined;
  for (const tolerance of tolerances) {
    const shifts = reports.hasDerivedDays ? [-1, 0, 1] : [0];
    const fitting = legs.filter((leg) => shifts.some((days) => isWithin(moveEvents(events, days), leg, tolerance)));
    const [leg, other] = fitting;
    if (other) return undefined;
    if (leg) return isWithin(events, leg, tolerance) ? leg : undefined;
  }
  return undefined;
};

/** Whether a message has times whose days do not follow from the date of its flight. */
export const hasIndependentTimes = (reports: Reports): boolean =>
  !reports.hasDerivedDays && listEvents(reports).length > 0;

/** Whether the times of a message can be those of a leg. A leg whose date is certain can be late by any time. */
export const fitsLeg = (leg: ScheduledTimes, reports: Reports, isCertain: boolean): boolean =>
  isWithin(listEvents(reports), leg, isCertain ? certainTolerance : longest);

/** Whether a message has times, and all of them are usual for a leg. */
export const isConfirmed = (leg: ScheduledTimes, reports: Reports): boolean => {
  const events = listEvents(reports);
  return events.length > 0 && isWithin(events, leg, usual);
};
