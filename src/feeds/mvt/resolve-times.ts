import {
  addDays,
  formatDate,
  formatTime,
  MINUTES_A_DAY,
  type LocalDate,
  type UtcMinute,
} from '../../domain/time/dates.ts';
import { minuteToSecond, secondToMinute, type UtcMillisecond, type UtcSecond } from '../../domain/status/instants.ts';
import type { MovementEvent, Movements } from './movements.ts';
import { toUtcMinute, type TelegramTime } from './telegram-times.ts';
import { TelegramError } from './telegram-error.ts';

/** What days are reckoned from. */
export type DateReference = {
  readonly flightDate: LocalDate;
  /** When the telegram was made; undefined when its header does not say. */
  readonly origin: UtcMillisecond | undefined;
};

/** The moments of a telegram with their days. */
export type EventTimes = Partial<Readonly<Record<MovementEvent, UtcSecond>>>;

/** A moment that comes before another, and the most hours that may lie between them. */
type Predecessor = readonly [moment: MovementEvent, hours: number];
type EventRule = {
  readonly moment: MovementEvent;
  readonly nature: 'departure' | 'arrival' | 'estimate';
  /** The first of these that is told is what this moment follows. */
  readonly after: readonly Predecessor[];
};

/** The longest flights last 19 hours; nobody taxies for 12; a return to the ramp can end the day. */
const [flying, taxiing, waiting] = [24, 12, 72];

const departed: readonly Predecessor[] = [
  ['off', flying],
  ['out', flying],
];
const leaving: readonly Predecessor[] = [['nextOff', flying], ['nextOut', flying], ...departed];

const movementRules: readonly EventRule[] = [
  { moment: 'out', nature: 'departure', after: [] },
  { moment: 'off', nature: 'departure', after: [['out', taxiing]] },
  {
    moment: 'ramp',
    nature: 'departure',
    after: [
      ['off', taxiing],
      ['out', taxiing],
    ],
  },
  { moment: 'nextOut', nature: 'estimate', after: [['ramp', waiting]] },
  {
    moment: 'nextOff',
    nature: 'estimate',
    after: [
      ['nextOut', taxiing],
      ['ramp', waiting],
      ['out', taxiing],
    ],
  },
  { moment: 'returnOn', nature: 'arrival', after: departed },
  { moment: 'returnIn', nature: 'arrival', after: [['returnOn', taxiing], ...departed] },
  { moment: 'on', nature: 'arrival', after: [] },
  { moment: 'in', nature: 'arrival', after: [['on', taxiing]] },
  { moment: 'expectedOn', nature: 'estimate', after: leaving },
  {
    moment: 'expectedIn',
    nature: 'estimate',
    after: [['expectedOn', taxiing], ['on', taxiing], ['returnOn', taxiing], ...leaving],
  },
];

/** At the airport of a diversion the aircraft first arrives and then, if it does, leaves. */
const diversionRules: readonly EventRule[] = [
  { moment: 'expectedOn', nature: 'estimate', after: [] },
  { moment: 'expectedIn', nature: 'estimate', after: [['expectedOn', taxiing]] },
  {
    moment: 'nextOff',
    nature: 'estimate',
    after: [
      ['expectedIn', waiting],
      ['expectedOn', waiting],
    ],
  },
];

/** The date of a flight begins 14 hours before its UTC date does (UTC+14) and ends 12 hours after it (UTC-12), and a departure may be late. */
const [earliestHour, latestDepartureHour] = [-14, 38];
/** A telegram may be made before the moment it tells has come, and an estimate may have passed. */
const [clockSkewMinutes, staleMinutes] = [60, 180];

const createDayError = ({ location: place }: TelegramTime, flightDate: LocalDate): TelegramError => {
  const message = `'${place.value}' names no day from the one before ${formatDate(flightDate)} to the second after it.`;
  return new TelegramError(message, place, 'day-out-of-reach');
};

/** The moments a time can stand for, from the day before the flight's date to the second day after it, earliest first. */
const listCandidates = (
  time: TelegramTime,
  flightDate: LocalDate,
  nature: EventRule['nature'],
): readonly UtcMinute[] => {
  const days = [-1, 0, 1, 2].map((days) => addDays(flightDate, days));
  const told = days.filter((date) => time.day === undefined || Number(formatDate(date).slice(8)) === time.day);
  const minutes = told.map((date) => (date * MINUTES_A_DAY + time.minute) as UtcMinute);
  if (time.day !== undefined) return minutes;
  const from = flightDate * MINUTES_A_DAY + earliestHour * 60;
  const to = nature === 'departure' ? flightDate * MINUTES_A_DAY + latestDepartureHour * 60 : Infinity;
  return minutes.filter((minute) => minute >= from && minute <= to);
};

const findNearest = (candidates: readonly UtcMinute[], anchor: number): UtcMinute | undefined =>
  candidates.toSorted((a, b) => Math.abs(a - anchor) - Math.abs(b - anchor) || a - b)[0];

/** An actual time is the last one before the telegram was made, an estimate the first one after it. */
const findByOrigin = (
  candidates: readonly UtcMinute[],
  nature: EventRule['nature'],
  origin: UtcMinute,
): UtcMinute | undefined =>
  nature === 'estimate'
    ? (candidates.find((minute) => minute >= origin - staleMinutes) ?? candidates.at(-1))
    : (candidates.findLast((minute) => minute <= origin + clockSkewMinutes) ?? candidates[0]);

/** The first occurrence of a time from `start` on. Throws a TelegramError when it is too far off. */
const resolveFollowing = (
  time: TelegramTime,
  flightDate: LocalDate,
  [start, hours]: readonly [UtcMinute, number],
): UtcMinute => {
  const candidates = listCandidates(time, flightDate, 'arrival');
  const minute = candidates.find((candidate) => candidate >= start && candidate <= start + hours * 60);
  if (minute !== undefined) return minute;
  if (candidates.length === 0) throw createDayError(time, flightDate);
  const told = `${formatTime(time.minute)} UTC`;
  const message = `No ${told} lies within ${hours} hours after the time it follows and two days of the flight's date.`;
  throw new TelegramError(message, time.location, 'times-out-of-order');
};

const resolveAlone = (
  time: TelegramTime,
  nature: EventRule['nature'],
  { flightDate, origin }: DateReference,
): UtcMinute => {
  const candidates = listCandidates(time, flightDate, nature);
  const noon = flightDate * MINUTES_A_DAY + 720;
  const minute =
    origin === undefined ? findNearest(candidates, noon) : findByOrigin(candidates, nature, toUtcMinute(origin));
  if (minute === undefined) throw createDayError(time, flightDate);
  return minute;
};

/**
 * Gives the times of a telegram their days. A time that follows another of the same telegram is its first occurrence after that one. Another
 * is found from the moment the telegram was made or, when that is not known, lies as near as can be to 12:00 UTC of the flight's date.
 * No moment lies more than 48 hours before or after the flight's date. Throws a TelegramError when the times cannot follow one another.
 */
export const resolveTimes = (times: Movements['times'], kind: 'MVT' | 'DIV', reckoning: DateReference): EventTimes => {
  const moments: Partial<Record<MovementEvent, UtcSecond>> = {};
  const startOf = (after: readonly Predecessor[]): readonly [UtcMinute, number] | undefined => {
    for (const [moment, hours] of after) {
      const second = moments[moment];
      if (second !== undefined) return [secondToMinute(second), hours];
    }
    return undefined;
  };
  for (const { moment, nature, after } of kind === 'DIV' ? diversionRules : movementRules) {
    const time = times[moment];
    if (!time) continue;
    const start = startOf(after);
    moments[moment] = minuteToSecond(
      start ? resolveFollowing(time, reckoning.flightDate, start) : resolveAlone(time, nature, reckoning),
    );
  }
  return moments;
};
