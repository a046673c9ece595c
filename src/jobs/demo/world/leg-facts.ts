import { readConfiguration } from '../../../domain/schedule/cabins.ts';
import { mealPairs } from '../../../domain/schedule/meals.ts';
import type { ScheduleLeg, Seats } from '../../../domain/schedule/schedule.ts';
import { getAirport } from './airports.ts';
import { getAirline, getConfiguration } from './carriers.ts';
import { isSurface } from './equipment.ts';
import type { TimetableLeg } from './timetable.ts';

/** Territories of the United States have country codes of their own, and the same rules of entry. */
const unitedStates = new Set(['US', 'AS', 'GU', 'MP', 'PR', 'VI']);

/** Booking designators of each cabin that the aircraft has, the full fare first. */
const bookingClassesOf = (seats: Seats | undefined, service: string): string =>
  [
    seats?.first ? 'FA' : '',
    seats?.business ? 'JCDI' : '',
    seats?.premiumEconomy ? 'WE' : '',
    seats?.economy ? (service === 'full' ? 'YBMHKLQ' : 'YMK') : '',
  ].join('');

/** What is served, by the time of departure: breakfast, lunch, dinner, a snack at night; refreshments on a short flight. One answer for all classes. */
const mealAt = (departs: number, minutes: number): string => {
  if (minutes < 90) return 'R';
  if (departs < 600) return 'B';
  if (departs < 900) return 'L';
  return departs < 1320 ? 'D' : 'S';
};

const mealsOf = (bookingClasses: string, service: string, meal: string): string => {
  if (service === 'none') return '';
  return mealPairs(service === 'full' ? `//${meal}` : '//G', bookingClasses);
};

/** Everything of a leg that is not its route and time, as its airline and type give it, and as its plan changes it. */
export const buildLegFacts = (
  carrier: string,
  leg: TimetableLeg,
  times: { readonly departs: number; readonly minutes: number },
) => {
  const airline = getAirline(carrier);
  const service = isSurface(leg.equipment) ? 'none' : airline.service;
  const configuration = leg.overrides?.configuration ?? getConfiguration(carrier, leg.equipment);
  const seats = readConfiguration(configuration)?.seats;
  const bookingClasses = bookingClassesOf(seats, airline.service);
  const entersOrLeavesUs = [leg.from, leg.to].some((station) => unitedStates.has(getAirport(station).countryCode));
  const nobody = { code: '', name: '' };
  return {
    configuration,
    bookingClasses,
    bookingModifiers: '',
    meals: mealsOf(bookingClasses, service, mealAt(times.departs, times.minutes)),
    jointOperators: [],
    secureFlight: seats && entersOrLeavesUs ? 'S' : '',
    aircraftOwner: nobody,
    cockpitCrew: nobody,
    cabinCrew: nobody,
    disclosure: '',
    trafficRestrictions: '',
    electronicTicketing: seats ? true : undefined,
    inFlightServices: seats && !isSurface(leg.equipment) ? airline.inFlightServices : [],
    ...leg.overrides,
  } satisfies Partial<ScheduleLeg>;
};
