import { MINUTES_A_DAY } from '../time/dates.ts';
import type { LegEnd } from './schedule.ts';

/**
 * When passengers depart or arrive, in minutes after midnight of the day the **aircraft** does. Date variations, periods and days of operation
 * go by the aircraft; where the two times lie more than half a day apart, they lie on two sides of midnight, and the result is below 0 or
 * above 1440.
 */
export const passengerMinutesOf = ({
  passengerMinutes,
  aircraftMinutes,
}: Pick<LegEnd, 'passengerMinutes' | 'aircraftMinutes'>): number => {
  const apart = passengerMinutes - aircraftMinutes;
  if (apart > MINUTES_A_DAY / 2) return passengerMinutes - MINUTES_A_DAY;
  return apart < -MINUTES_A_DAY / 2 ? passengerMinutes + MINUTES_A_DAY : passengerMinutes;
};
