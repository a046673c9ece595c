import { parseConfiguration } from '../../../domain/schedule/cabins.ts';
import { formatMealNote } from '../../../domain/schedule/segments.ts';
import type { ScheduleLeg, Seats } from '../../../domain/schedule/schedule.ts';
import { getAirport } from './airports.ts';
import { getAirline, getConfiguration } from './carriers.ts';
import { isSurface } from './equipment.ts';
import type { TimetableLeg } from './timetable.ts';

/** Countries and territories with the entry rules of the United States (Secure Flight). */
const unitedStates = new Set(['US', 'AS', 'GU', 'MP', 'PR', 'VI']);

/** Returns the booking designators of the cabins of an aircraft, the full fare first. */
const buildBookingClasses = (seats: Seats | undefined, service: string): string =>
  [
    seats?.first ? 'FA' : '',
    seats?.business ? 'JCDI' : '',
    seats?.premiumEconomy ? 'WE' : '',
    seats?.economy ? (service === 'full' ? 'YBMHKLQ' : 'YMK') : '',
  ].join('');

/**
 * Returns the meal code by local departure time: breakfast, lunch, dinner, a snack at night, refreshments on a short
 * flight.
 */
const chooseMeal = (departs: number, minutes: number): string => {
  if (minutes < 90) return 'R';
  if (departs < 600) return 'B';
  if (departs < 900) return 'L';
  return departs < 1320 ? 'D' : 'S';
};

const buildMeals = (bookingClasses: string, service: string, meal: string): string => {
  if (service === 'none') return '';
  return formatMealNote(service === 'full' ? `//${meal}` : '//G', bookingClasses);
};

/** Returns the facts of a leg other than route and times: those of its airline and aircraft type, and its overrides. */
export const buildLegFacts = (
  carrier: string,
  leg: TimetableLeg,
  times: { readonly departs: number; readonly minutes: number },
) => {
  const airline = getAirline(carrier);
  const service = isSurface(leg.equipment) ? 'none' : airline.service;
  const configuration = leg.overrides?.configuration ?? getConfiguration(carrier, leg.equipment);
  const seats = parseConfiguration(configuration)?.seats;
  const bookingClasses = buildBookingClasses(seats, airline.service);
  const touchesUnitedStates = [leg.from, leg.to].some((station) => unitedStates.has(getAirport(station).countryCode));
  const noCompany = { code: '', name: '' };
  return {
    configuration,
    bookingClasses,
    bookingModifiers: '',
    meals: buildMeals(bookingClasses, service, chooseMeal(times.departs, times.minutes)),
    jointOperators: [],
    secureFlight: seats && touchesUnitedStates ? 'S' : '',
    aircraftOwner: noCompany,
    cockpitCrew: noCompany,
    cabinCrew: noCompany,
    disclosure: '',
    trafficRestrictions: '',
    electronicTicketing: seats ? true : undefined,
    inFlightServices: seats && !isSurface(leg.equipment) ? airline.inFlightServices : [],
    ...leg.overrides,
  } satisfies Partial<ScheduleLeg>;
};
