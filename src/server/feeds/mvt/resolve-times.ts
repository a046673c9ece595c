import { addDays, formatDate, formatTime, MINUTES_A_DAY, type LocalDate, type UtcMinute } from '#domain/time/dates.ts';
import { minuteToSecond, secondToMinute, type UtcMillisecond, type UtcSecond } from '#domain/status/instants.ts';
import type { MovementEvent, Movements } from './movements.ts';
import { toUtcMinute, type TelegramTime } from './telegram-times.ts';
import { TelegramError } from '../text/telegram-error.ts';

/** What the days of times are relative to. */
export type DateReference = {
  readonly flightDate: LocalDate;
  /** When the telegram was created; undefined when its header has no origin time. */
  readonly origin: UtcMillisecond | undefined;
};

/** The instants of the events of a telegram. */
export type EventTimes = Partial<Readonly<Record<MovementEvent, UtcSecond>>>;

/** An event before another one, and the maximum number of hours between them. */
type Predecessor = readonly [event: MovementEvent, hours: number];
type EventRule = {
  readonly event: MovementEvent;
  readonly timing: 'departure' | 'arrival' | 'estimate';
  /** The event follows the first of these that the telegram contains. */
  readonly after: readonly Predecessor[];
};

/** Limits in hours. The longest flights last 19 hours, no taxi takes 12, and a flight may leave the ramp again on a later day. */
const [flying, taxiing, waiting] = [24, 12, 72];

const departed: readonly Predecessor[] = [
  ['off', flying],
  ['out', flying],
];
const leaving: readonly Predecessor[] = [['nextOff', flying], ['nextOut', flying], ...departed];

const movementRules: readonly EventRule[] = [
  { event: 'out', timing: 'departure', after: [] },
  { event: 'off', timing: 'departure', after: [['out', taxiing]] },
  {
    event: 'ramp',
    timing: 'departure',
    after: [
      ['off', taxiing],
      ['out', taxiing],
    ],
  },
  { event: 'nextOut', timing: 'estimate', after: [['ramp', waiting]] },
  {
    event: 'nextOff',
    timing: 'estimate',
    after: [
      ['nextOut', taxiing],
      ['ramp', waiting],
      ['out', taxiing],
    ],
  },
  { event: 'returnOn', timing: 'arrival', after: departed },
  { event: 'returnIn', timing: 'arrival', after: [['returnOn', taxiing], ...departed] },
  { event: 'on', timing: 'arrival', after: [] },
  { event: 'in', timing: 'arrival', after: [['on', taxiing]] },
  { event: 'expectedOn', timing: 'estimate', after: leaving },
  {
    event: 'expectedIn',
    timing: 'estimate',
    after: [['expectedOn', taxiing], ['on', taxiing], ['returnOn', taxiing], ...leaving],
  },
];

/** At the airport of a diversion, the aircraft first arrives and then may leave. */
const diversionRules: readonly EventRule[] = [
  { event: 'expectedOn', timing: 'estimate', after: [] },
  { event: 'expectedIn', timing: 'estimate', after: [['expectedOn', taxiing]] },
  {
    event: 'nextOff',
    timing: 'estimate',
    after: [
      ['expectedIn', waiting],
      ['expectedOn', waiting],
    ],
  },
];

/** The local date of a flight begins 14 hours before its UTC date (UTC+14) and ends 12 hours after it (UTC-12); departures may be late. */
const [earliestHour, latestDepartureHour] = [-14, 38];
/** A telegram may be created shortly before an actual time, and after an estimated one. */
const [clockSkewMinutes, staleMinutes] = [60, 180];

const createDayError = ({ location }: TelegramTime, flightDate: LocalDate): TelegramError => {
  const message = `The day of '${location.value}' must be from one day before to two days after ${formatDate(flightDate)}.`;
  return new TelegramError(message, location, 'day-out-of-reach');
};

/** Returns the instants that a time can mean, from the day before the flight's date to the second day after it, earliest first. */
const listCandidates = (time: TelegramTime, flightDate: LocalDate, isDeparture: boolean): readonly UtcMinute[] => {
  const days = [-1, 0, 1, 2].map((days) => addDays(flightDate, days));
  const matchingDays = days.filter((date) => time.day === undefined || Number(formatDate(date).slice(8)) === time.day);
  const minutes = matchingDays.map((date) => (date * MINUTES_A_DAY + time.minute) as UtcMinute);
  if (time.day !== undefined) return minutes;
  const from = flightDate * MINUTES_A_DAY + earliestHour * 60;
  const to = isDeparture ? flightDate * MINUTES_A_DAY + latestDepartureHour * 60 : Infinity;
  return minutes.filter((minute) => minute >= from && minute <= to);
};

const findNearest = (candidates: readonly UtcMinute[], anchor: number): UtcMinute | undefined =>
  candidates.toSorted((a, b) => Math.abs(a - anchor) - Math.abs(b - anchor) || a - b)[0];

/** An actual time is the last one before the creation of the telegram, an estimate the first one after it. */
const findByOrigin = (
  candidates: readonly UtcMinute[],
  timing: EventRule['timing'],
  origin: UtcMinute,
): UtcMinute | undefined =>
  timing === 'estimate'
    ? (candidates.find((minute) => minute >= origin - staleMinutes) ?? candidates.at(-1))
    : (candidates.findLast((minute) => minute <= origin + clockSkewMinutes) ?? candidates[0]);

/** Returns the first occurrence of a time from `start` on. Throws a TelegramError when it is too far away. */
const resolveFollowing = (
  time: TelegramTime,
  flightDate: LocalDate,
  [start, hours]: readonly [UtcMinute, number],
): UtcMinute => {
  const candidates = listCandidates(time, flightDate, false);
  const minute = candidates.find((candidate) => candidate >= start && candidate <= start + hours * 60);
  if (minute !== undefined) return minute;
  if (candidates.length === 0) throw createDayError(time, flightDate);
  const timeText = `${formatTime(time.minute)} UTC`;
  const message = `${timeText} is not within ${hours} hours after the previous event and two days of the flight date.`;
  throw new TelegramError(message, time.location, 'times-out-of-order');
};

const resolveAlone = (
  time: TelegramTime,
  timing: EventRule['timing'],
  { flightDate, origin }: DateReference,
): UtcMinute => {
  // A later leg can leave more than a day after the date of its flight: with the origin, that needs no limit.
  const candidates = listCandidates(time, flightDate, timing === 'departure' && origin === undefined);
  const noon = flightDate * MINUTES_A_DAY + 720;
  const minute =
    origin === undefined ? findNearest(candidates, noon) : findByOrigin(candidates, timing, toUtcMinute(origin));
  if (minute === undefined) throw createDayError(time, flightDate);
  return minute;
};

/**
 * Resolves the times of a telegram to instants. A time that follows another one of the telegram is its first occurrence after that.
 * Other times are relative to the creation of the telegram, or, if that is unknown, nearest to 12:00 UTC of the flight's date. All are
 * within 48 hours of the flight's date. Throws a TelegramError when the times cannot follow one another.
 */
export const resolveTimes = (times: Movements['times'], kind: 'MVT' | 'DIV', reference: DateReference): EventTimes => {
  const resolved: Partial<Record<MovementEvent, UtcSecond>> = {};
  const findStart = (after: readonly Predecessor[]): readonly [UtcMinute, number] | undefined => {
    for (const [event, hours] of after) {
      const second = resolved[event];
      if (second !== undefined) return [secondToMinute(second), hours];
    }
    return undefined;
  };
  for (const { event, timing, after } of kind === 'DIV' ? diversionRules : movementRules) {
    const time = times[event];
    if (!time) continue;
    const start = findStart(after);
    resolved[event] = minuteToSecond(
      start ? resolveFollowing(time, reference.flightDate, start) : resolveAlone(time, timing, reference),
    );
  }
  return resolved;
};
