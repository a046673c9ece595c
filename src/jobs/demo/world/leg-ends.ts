import {
  dateAt,
  MINUTES_A_DAY,
  minuteOfDay,
  type LocalDate,
  type LocalMinute,
  type UtcMinute,
} from '../../../domain/time/dates.ts';
import type { LegEnd } from '../../../domain/schedule/schedule.ts';
import { utcOffsetAt } from '../../../domain/time/zones.ts';
import { airportOf } from './airports.ts';
import type { LegPlan } from './flight-plan.ts';

/** An instant at a station, seen from the date on which the flight left its first station. */
type Moment = { readonly utc: UtcMinute; readonly origin: LocalDate };

const clockAt = (station: string, { utc, origin }: Moment) => {
  const utcVariationMinutes = utcOffsetAt(airportOf(station).zone, utc);
  const local = (utc + utcVariationMinutes) as LocalMinute;
  const aircraftMinutes = minuteOfDay(local);
  return { station, terminal: '', utcVariationMinutes, aircraftMinutes, dateVariation: dateAt(local) - origin };
};

/** Where and when a leg departs; its terminal is left open. */
export const departureEnd = (leg: LegPlan, moment: Moment): LegEnd => {
  const clock = clockAt(leg.from, moment);
  const passengerMinutes = clock.aircraftMinutes - (leg.passengerMinutes?.[0] ?? 0);
  return { ...clock, passengerMinutes, mctStatus: leg.mctStatus?.[0] ?? '' };
};

/** Where and when a leg arrives, its terminal left open. Midnight is filed as the end of the day before. */
export const arrivalEnd = (leg: LegPlan, moment: Moment): LegEnd => {
  const clock = clockAt(leg.to, moment);
  const mctStatus = leg.mctStatus?.[1] ?? '';
  if (clock.aircraftMinutes === 0)
    return {
      ...clock,
      aircraftMinutes: MINUTES_A_DAY,
      passengerMinutes: MINUTES_A_DAY,
      dateVariation: clock.dateVariation - 1,
      mctStatus,
    };
  return { ...clock, passengerMinutes: clock.aircraftMinutes + (leg.passengerMinutes?.[1] ?? 0), mctStatus };
};
