import { addDays, buildLocalMinute, type LocalDate, type LocalMinute } from '../../../../src/domain/time/dates.ts';
import { listDepartureDates } from '../../../../src/domain/time/period.ts';
import type { CarrierSchedule, ScheduleLeg } from '../../../../src/domain/schedule/schedule.ts';

/** One leg on one day, in local times of both ends. */
export type OperatedLeg = {
  readonly leg: ScheduleLeg;
  readonly originDate: LocalDate;
  readonly departsAt: LocalMinute;
  readonly arrivesAt: LocalMinute;
};

/** Returns every leg on every day of its period, computed from the filed values only. */
export const listOperatedLegs = (schedules: readonly CarrierSchedule[]): readonly OperatedLeg[] =>
  schedules
    .flatMap(({ itineraries }) => itineraries.flatMap(({ legs }) => legs))
    .flatMap((leg) =>
      [...listDepartureDates(leg.period)].map((date) => {
        const originDate = addDays(date, -leg.departure.dateVariation);
        return {
          leg,
          originDate,
          departsAt: buildLocalMinute(date, leg.departure.aircraftMinutes),
          arrivesAt: buildLocalMinute(addDays(originDate, leg.arrival.dateVariation), leg.arrival.aircraftMinutes),
        };
      }),
    );

/** `L0 15` or, with a suffix, `K0 2501A`. */
export const formatDesignator = ({ carrier, flightNumber, suffix }: ScheduleLeg): string =>
  `${carrier} ${flightNumber}${suffix}`;

const clocks = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();
const fields = { month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const;

/** Returns the offset of a zone from `Intl`, cached by quarter of an hour: clocks change at no other time. */
export const getCalendarOffset = (timeZone: string, utcMinute: number): number => {
  const key = `${timeZone} ${Math.floor(utcMinute / 15)}`;
  const cached = offsets.get(key);
  if (cached !== undefined) return cached;
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { timeZone, year: 'numeric', ...fields });
  clocks.set(timeZone, clock);
  const parts = clock.formatToParts(utcMinute * 60_000).map(({ type, value }) => [type, Number(value)]);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = Object.fromEntries(parts);
  const offset = Date.UTC(year, month - 1, day, hour, minute) / 60_000 - utcMinute;
  offsets.set(key, offset);
  return offset;
};
