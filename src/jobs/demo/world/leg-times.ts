import { atMinute, type LocalDate, type UtcMinute } from '../../../domain/time/dates.ts';
import { airportOf } from './airports.ts';
import { blockMinutes } from './block-time.ts';
import { instantOf } from './clock-changes.ts';
import type { FlightPlan, LegPlan } from './flight-plan.ts';

/** A leg with the minutes from the flight's first departure to its own departure and arrival. */
export type TimedLeg = { readonly leg: LegPlan; readonly leaves: number; readonly arrives: number };

/** The legs of a flight one after the other: flying and ground times are the same in every season, clocks are not. */
export const timeLegs = (plan: FlightPlan): readonly TimedLeg[] => {
  let clock = 0;
  return plan.legs.map((leg) => {
    const leaves = clock + (leg.groundMinutes ?? 0);
    clock = leaves + (leg.blockMinutes ?? blockMinutes(leg.from, leg.to, leg.equipment));
    return { leg, leaves, arrives: clock };
  });
};

/** The instant at which a flight leaves its first station on a date there. */
export const firstDeparture = (plan: FlightPlan, date: LocalDate): UtcMinute =>
  instantOf(airportOf(plan.legs[0].from).zone, atMinute(date, plan.departs));

/** An instant some minutes later. */
export const minutesAfter = (start: UtcMinute, minutes: number): UtcMinute => (start + minutes) as UtcMinute;
