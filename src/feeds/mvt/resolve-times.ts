import {
  addDays,
  formatDate,
  formatTime,
  MINUTES_A_DAY,
  type LocalDate,
  type UtcMinute,
} from '../../domain/time/dates.ts';
import { atSecond, minuteAt, type UtcMillisecond, type UtcSecond } from '../../domain/status/instants.ts';
import type { Moment, Movements } from './movements.ts';
import { minuteOf, type ToldTime } from './telegram-times.ts';
import { TelegramError } from './telegram-error.ts';

/** What days are reckoned from. */
export type Reckoning = {
  readonly flightDate: LocalDate;
  /** When the telegram was made; undefined when its header does not say. */
  readonly origin: UtcMillisecond | undefined;
};

/** The moments of a telegram with their days. */
export type Moments = Partial<Readonly<Record<Moment, UtcSecond>>>;

/** A moment that comes before another, and the most hours that may lie between them. */
type Before = readonly [moment: Moment, hours: number];
type Step = {
  readonly moment: Moment;
  readonly nature: 'departure' | 'arrival' | 'estimate';
  /** The first of these that is told is what this moment follows. */
  readonly after: readonly Before[];
};

/** The longest flights last 19 hours; nobody taxies for 12; a return to the ramp can end the day. */
const [flying, taxiing, waiting] = [24, 12, 72];

const departed: readonly Before[] = [
  ['off', flying],
  ['out', flying],
];
const leaving: readonly Before[] = [['nextOff', flying], ['nextOut', flying], ...departed];

const movementSteps: readonly Step[] = [
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
const diversionSteps: readonly Step[] = [
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

const outOfReach = ({ place }: ToldTime, flightDate: LocalDate): TelegramError => {
  const message = `'${place.value}' names no day from the one before ${formatDate(flightDate)} to the second after it.`;
  return new TelegramError(message, place, 'day-out-of-reach');
};

/** The moments a time can stand for, from the day before the flight's date to the second day after it, earliest first. */
const candidatesOf = (time: ToldTime, flightDate: LocalDate, nature: Step['nature']): readonly UtcMinute[] => {
  const days = [-1, 0, 1, 2].map((days) => addDays(flightDate, days));
  const told = days.filter((date) => time.day === undefined || Number(formatDate(date).slice(8)) === time.day);
  const minutes = told.map((date) => (date * MINUTES_A_DAY + time.minute) as UtcMinute);
  if (time.day !== undefined) return minutes;
  const from = flightDate * MINUTES_A_DAY + earliestHour * 60;
  const to = nature === 'departure' ? flightDate * MINUTES_A_DAY + latestDepartureHour * 60 : Infinity;
  return minutes.filter((minute) => minute >= from && minute <= to);
};

const nearest = (candidates: readonly UtcMinute[], anchor: number): UtcMinute | undefined =>
  candidates.toSorted((a, b) => Math.abs(a - anchor) - Math.abs(b - anchor) || a - b)[0];

/** An actual time is the last one before the telegram was made, an estimate the first one after it. */
const byOrigin = (candidates: readonly UtcMinute[], nature: Step['nature'], origin: UtcMinute): UtcMinute | undefined =>
  nature === 'estimate'
    ? (candidates.find((minute) => minute >= origin - staleMinutes) ?? candidates.at(-1))
    : (candidates.findLast((minute) => minute <= origin + clockSkewMinutes) ?? candidates[0]);

/** The first occurrence of a time from `start` on. Throws a TelegramError when it is too far off. */
const following = (time: ToldTime, flightDate: LocalDate, [start, hours]: readonly [UtcMinute, number]): UtcMinute => {
  const candidates = candidatesOf(time, flightDate, 'arrival');
  const minute = candidates.find((candidate) => candidate >= start && candidate <= start + hours * 60);
  if (minute !== undefined) return minute;
  if (candidates.length === 0) throw outOfReach(time, flightDate);
  const told = `${formatTime(time.minute)} UTC`;
  const message = `No ${told} lies within ${hours} hours after the time it follows and two days of the flight's date.`;
  throw new TelegramError(message, time.place, 'times-out-of-order');
};

const standing = (time: ToldTime, nature: Step['nature'], { flightDate, origin }: Reckoning): UtcMinute => {
  const candidates = candidatesOf(time, flightDate, nature);
  const noon = flightDate * MINUTES_A_DAY + 720;
  const minute = origin === undefined ? nearest(candidates, noon) : byOrigin(candidates, nature, minuteOf(origin));
  if (minute === undefined) throw outOfReach(time, flightDate);
  return minute;
};

/**
 * Gives the times of a telegram their days. A time that follows another of the same telegram is its first occurrence after that one. Another
 * is found from the moment the telegram was made or, when that is not known, lies as near as can be to 12:00 UTC of the flight's date.
 * No moment lies more than 48 hours before or after the flight's date. Throws a TelegramError when the times cannot follow one another.
 */
export const resolveTimes = (times: Movements['times'], kind: 'MVT' | 'DIV', reckoning: Reckoning): Moments => {
  const moments: Partial<Record<Moment, UtcSecond>> = {};
  const startOf = (after: readonly Before[]): readonly [UtcMinute, number] | undefined => {
    for (const [moment, hours] of after) {
      const second = moments[moment];
      if (second !== undefined) return [minuteAt(second), hours];
    }
    return undefined;
  };
  for (const { moment, nature, after } of kind === 'DIV' ? diversionSteps : movementSteps) {
    const time = times[moment];
    if (!time) continue;
    const start = startOf(after);
    moments[moment] = atSecond(
      start ? following(time, reckoning.flightDate, start) : standing(time, nature, reckoning),
    );
  }
  return moments;
};
