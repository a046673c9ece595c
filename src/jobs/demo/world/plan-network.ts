import { addDays, atMinute, localDate, MINUTES_A_DAY, weekdayOf } from '../../../domain/time/dates.ts';
import { daySet, type DaySet, EVERY_DAY, weekdaysOf } from '../../../domain/time/period.ts';
import { utcOffsetAt } from '../../../domain/time/zones.ts';
import { getAirport } from './airports.ts';
import { toUtcMinute } from './clock-changes.ts';
import { getPerformance } from './equipment.ts';
import { addUtcMinutes, computeBlockMinutes } from './leg-times.ts';
import { createTimetableFlight, parseDays, parseMinutes, type Season, type TimetableFlight } from './timetable.ts';

/** A destination of a hub: flown by a type in some of the hub's banks, on some days (1 = Monday), in some season. */
type Route = readonly [to: string, equipment: string, banks: string, days?: string, season?: Season];

/**
 * Flights out of one hub and back. `banks` are departure times, HHMM; a route names those it flies in by a digit or a letter
 * each (1-9, then a for the tenth). The flights of a bank leave five minutes apart in the order of the table.
 */
export type Network = {
  readonly carrier: string;
  readonly hub: string;
  /** The first outbound flight; each further one is two up, its return the number between. */
  readonly firstNumber: number;
  readonly serviceType: string;
  readonly banks: readonly string[];
  readonly routes: readonly Route[];
};

/** Return flights are timed for the later of these two days, so that the aircraft is there in either season. */
const probeDates = [localDate('2024-01-16'), localDate('2024-07-16')];
const NIGHT_ENDS = 5 * 60 + 30;
const FIRST_DEPARTURE = 6 * 60;
const STAGGER_MINUTES = 5;

type Trip = { readonly from: string; readonly to: string; readonly equipment: string; readonly departs: number };

/**
 * When an aircraft can leave again, minutes after midnight of the day it left home, on the clock of the other end. Never before
 * that midnight: no network crosses the date line that far, the special flights do.
 */
const readyAgain = ({ from, to, equipment, departs }: Trip): number => {
  const arrivals = probeDates.map((date) => {
    const start = toUtcMinute(getAirport(from).zone, atMinute(date, departs));
    const utc = addUtcMinutes(start, computeBlockMinutes(from, to, equipment));
    return utc + utcOffsetAt(getAirport(to).zone, utc) - date * MINUTES_A_DAY;
  });
  const ready = Math.max(...arrivals) + getPerformance(equipment).turnaroundMinutes;
  return Math.ceil(ready / STAGGER_MINUTES) * STAGGER_MINUTES;
};

/** Nothing leaves for home at night: what is ready then waits for the morning, spread over an hour. */
const returnTime = (ready: number, flightNumber: number): number => {
  const time = ready % MINUTES_A_DAY;
  if (time >= NIGHT_ENDS) return ready;
  return ready - time + FIRST_DEPARTURE + ((flightNumber * STAGGER_MINUTES) % 60);
};

/** A Sunday, so that adding a weekday gives a date on that weekday. */
const SUNDAY = localDate('2024-01-07');

/** The same days so many days later. */
const shiftDays = (days: DaySet, by: number): DaySet =>
  daySet(...weekdaysOf(days).map((day) => weekdayOf(addDays(SUNDAY, day + by))));

type Rotation = {
  readonly network: Network;
  readonly route: Route;
  readonly departs: number;
  readonly flightNumber: number;
};

const planRotation = ({ network, route, departs, flightNumber }: Rotation): readonly TimetableFlight[] => {
  const { carrier, hub, serviceType } = network;
  const [to, equipment, , daysText, season = 'all year'] = route;
  const days: DaySet = daysText === undefined ? EVERY_DAY : parseDays(daysText);
  const back = returnTime(readyAgain({ from: hub, to, equipment, departs }), flightNumber);
  const shared = { carrier, serviceType, season };
  return [
    createTimetableFlight({ ...shared, flightNumber, departs, days, legs: [{ from: hub, to, equipment }] }),
    createTimetableFlight({
      ...shared,
      flightNumber: flightNumber + 1,
      departs: back % MINUTES_A_DAY,
      days: shiftDays(days, Math.floor(back / MINUTES_A_DAY)),
      legs: [{ from: to, to: hub, equipment }],
    }),
  ];
};

/** The flights of a hub, out and back. Throws RangeError where a route names a bank that the hub does not have. */
export const expandNetwork = (network: Network): readonly TimetableFlight[] => {
  const nextDeparture = network.banks.map(parseMinutes);
  let flightNumber = network.firstNumber;
  return network.routes.flatMap((route) =>
    [...route[2]].flatMap((letter) => {
      const bank = Number.parseInt(letter, 36) - 1;
      const departs = nextDeparture[bank];
      if (departs === undefined) throw new RangeError(`${network.hub} has no bank '${letter}'`);
      nextDeparture[bank] = departs + STAGGER_MINUTES;
      flightNumber += 2;
      return planRotation({ network, route, departs, flightNumber: flightNumber - 2 });
    }),
  );
};
