import { clipPeriod, findFirstDate, type Period, shiftPeriod } from '../time/period.ts';
import { addDays, toDate, MINUTES_A_DAY, type LocalDate, type UtcMinute } from '../time/dates.ts';
import { computeInstance, toPassengerMinutes, type SegmentInstance, type ZoneLookup } from './instances.ts';
import type { FlightSegment, LegEnd, ScheduleLeg } from './schedule.ts';
import { listClockChanges } from '../time/zones.ts';

/** UTC departure and arrival, in minutes after 00:00 UTC of the local date of departure. */
export type UtcTimes = { readonly departureUtcMinutes: number; readonly arrivalUtcMinutes: number };

/**
 * A segment over a period with constant local passenger times. Minutes count from midnight of the local date of departure; the departure is within
 * that day, the arrival can be previous or after it.
 */
export type ScheduleRecord = UtcTimes & {
  /** Local dates of departure. */
  readonly period: Period;
  readonly departureLocalMinutes: number;
  readonly arrivalLocalMinutes: number;
  /** Days from the local departure date of the last leg to its local arrival date. */
  readonly lastLegArrivalDays: number;
  /** The dates of operation from which UTC times differ from those of the first date of operation, earliest first. */
  readonly clockChanges: readonly (UtcTimes & { readonly from: LocalDate })[];
};

type Context = { readonly firstLeg: ScheduleLeg; readonly zoneOf: ZoneLookup };

/** The result of a filed date: days to the local date of departure, and minutes after it. */
type Shape = Omit<ScheduleRecord, 'period' | 'clockChanges'> & { readonly shiftDays: number };

/** Filed dates with the same result; the first is a date of operation. */
type Run = { readonly first: LocalDate; readonly last: LocalDate; readonly shape: Shape };

const minutesAfter = (date: LocalDate, minute: number): number => minute - date * MINUTES_A_DAY;

/** Creates a function that converts filed dates of a segment; `lastLeg` is the segment of its last leg alone. */
const createShaper = (segment: FlightSegment, context: Context): ((filed: LocalDate) => Shape) => {
  const [first] = segment.legs;
  const last = segment.legs.at(-1) ?? first;
  const lastLeg: FlightSegment = { ...segment, legs: [last] };
  const lastLegShift = last.departure.dateVariation - first.departure.dateVariation;
  const arrivalDays = ({ filed }: SegmentInstance): number => toDate(filed.arrivesAt) - toDate(filed.departsAt);
  return (filed) => {
    const instance = computeInstance(segment, filed, context);
    const date = toDate(instance.filed.departsAt);
    return {
      shiftDays: date - filed,
      departureLocalMinutes: minutesAfter(date, instance.filed.departsAt),
      arrivalLocalMinutes: minutesAfter(date, instance.filed.arrivesAt),
      departureUtcMinutes: minutesAfter(date, instance.departsAtUtc),
      arrivalUtcMinutes: minutesAfter(date, instance.arrivesAtUtc),
      lastLegArrivalDays: arrivalDays(
        last === first ? instance : computeInstance(lastLeg, addDays(filed, lastLegShift), context),
      ),
    };
  };
};

const sameLocal = (one: Shape, other: Shape): boolean =>
  one.shiftDays === other.shiftDays &&
  one.departureLocalMinutes === other.departureLocalMinutes &&
  one.arrivalLocalMinutes === other.arrivalLocalMinutes &&
  one.lastLegArrivalDays === other.lastLegArrivalDays;

const sameUtc = (one: UtcTimes, other: UtcTimes): boolean =>
  one.departureUtcMinutes === other.departureUtcMinutes && one.arrivalUtcMinutes === other.arrivalUtcMinutes;

/**
 * The filed dates whose local and UTC times may differ from those of the day previous because of a clock change at an end. Times are resolved by
 * offsets up to a day away, so these are the few dates around each change.
 */
const datesAround = (
  end: LegEnd,
  { period, filedDays }: { readonly period: Period; readonly filedDays: number },
  zoneOf: ZoneLookup,
): readonly number[] => {
  const zone = zoneOf(end.station);
  if (zone === undefined) return [];
  const minute = filedDays * MINUTES_A_DAY + toPassengerMinutes(end);
  const span = {
    from: ((period.from - 1) * MINUTES_A_DAY + minute) as UtcMinute,
    to: ((period.to + 1) * MINUTES_A_DAY + minute) as UtcMinute,
  };
  return listClockChanges(zone, span).flatMap((change) => {
    const day = Math.floor((change - minute) / MINUTES_A_DAY);
    return [day - 1, day, day + 1, day + 2];
  });
};

/** The filed dates from which the result may change, ascending, including the first of the period. */
const listBreaks = ({ legs }: FlightSegment, zoneOf: ZoneLookup): readonly LocalDate[] => {
  const [first] = legs;
  const last = legs.at(-1) ?? first;
  const { period, departure } = first;
  const daysTo = ({ dateVariation }: LegEnd): number => dateVariation - departure.dateVariation;
  // Both ends of a leg decide whether its times follow the zones or the filed variations.
  const ends = first === last ? [departure, last.arrival] : [departure, first.arrival, last.departure, last.arrival];
  const breaks = ends.flatMap((end) => datesAround(end, { period, filedDays: daysTo(end) }, zoneOf));
  const within = breaks.filter((date) => date > period.from && date <= period.to);
  return [...new Set([period.from, ...within])].toSorted((one, other) => one - other) as LocalDate[];
};

/** Computes one date of operation between two breaks; the others have the same result. */
const listRuns = (segment: FlightSegment, context: Context): readonly Run[] => {
  const { period } = segment.legs[0];
  const toShape = createShaper(segment, context);
  const breaks = listBreaks(segment, context.zoneOf);
  const runs: Run[] = [];
  for (const [index, start] of breaks.entries()) {
    const end = addDays(breaks[index + 1] ?? addDays(period.to, 1), -1);
    const first = findFirstDate(period, { from: start, to: end });
    if (first === undefined) continue;
    const shape = toShape(first);
    const previous = runs.at(-1);
    if (previous && sameLocal(previous.shape, shape) && sameUtc(previous.shape, shape))
      runs[runs.length - 1] = { ...previous, last: end };
    else runs.push({ first, last: end, shape });
  }
  return runs;
};

const toScheduleRecord = (runs: readonly [Run, ...Run[]], period: Period): ScheduleRecord => {
  const [{ shape }, ...later] = runs;
  const { shiftDays, ...times } = shape;
  return {
    ...times,
    period: shiftPeriod(period, shiftDays),
    clockChanges: later.map((run) => ({
      from: addDays(run.first, shiftDays),
      departureUtcMinutes: run.shape.departureUtcMinutes,
      arrivalUtcMinutes: run.shape.arrivalUtcMinutes,
    })),
  };
};

/**
 * Builds the records of a segment. A schedule in local time is one record, with the dates from which its UTC times change; a schedule in UTC is split
 * where its local times change. `firstLeg` is the first leg of the whole itinerary. A record takes a few microseconds: only the days around clock
 * changes are computed.
 */
export const buildScheduleRecords = (segment: FlightSegment, context: Context): readonly ScheduleRecord[] => {
  const { period } = segment.legs[0];
  const [first, ...later] = listRuns(segment, context);
  if (first === undefined) return [];
  if (later.every((run) => sameLocal(first.shape, run.shape))) return [toScheduleRecord([first, ...later], period)];
  return [first, ...later].flatMap((run) =>
    clipPeriod(period, { from: run.first, to: run.last }).map((part) => toScheduleRecord([run], part)),
  );
};
