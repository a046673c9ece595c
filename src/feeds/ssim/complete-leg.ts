import { dataElements as dei } from '../../domain/schedule/data-elements.ts';
import { mealPairs } from '../../domain/schedule/meals.ts';
import type { Company, ScheduleLeg, SegmentData } from '../../domain/schedule/schedule.ts';
import { readMctStatuses } from '../../domain/schedule/mct-status.ts';
import { pointPairOf, readCompany, textFor } from '../../domain/schedule/segment-data.ts';
import { listOfCodes } from './carrier-record.ts';

/** In record 3 this stands for a value that did not fit its columns and is told by a data element. */
const overflow = 'XX';

type Told = (dei: number) => string | undefined;

const companyOf = (filed: Company, told: string | undefined): Company => {
  const named = told === undefined ? undefined : readCompany(told);
  return { code: named?.code || (filed.code === 'X' ? '' : filed.code), name: named?.name ?? filed.name };
};

const classesOf = (text: string): string => text.replaceAll(/[^A-Z]/g, '');

const ticketing = (text: string | undefined): boolean | undefined =>
  text === 'ET' ? true : text === 'EN' ? false : undefined;

/** Data element 220 in the place of bytes 120 and 121. */
const withStatus = (
  ends: Pick<ScheduleLeg, 'departure' | 'arrival'>,
  text: string | undefined,
): Pick<ScheduleLeg, 'departure' | 'arrival'> => {
  const told = readMctStatuses(text);
  if (told === undefined) return ends;
  return {
    departure: { ...ends.departure, mctStatus: told.board },
    arrival: { ...ends.arrival, mctStatus: told.off },
  };
};

const terminal = (filed: string, told: string | undefined): string => {
  const text = told?.trim();
  return text === undefined ? filed : text === '0' ? '' : text;
};

type Reference = {
  readonly field: keyof ScheduleLeg;
  readonly refers: (leg: ScheduleLeg) => boolean;
  readonly to: readonly number[];
};

/** How a record 3 says that a value is to be found in a data element, and in which. */
const references: readonly Reference[] = [
  { field: 'bookingClasses', refers: (leg) => leg.bookingClasses === overflow, to: [dei.bookingClasses] },
  { field: 'bookingModifiers', refers: (leg) => leg.bookingModifiers === overflow, to: [dei.bookingModifiers] },
  { field: 'configuration', refers: (leg) => leg.configuration === overflow, to: [dei.configuration] },
  { field: 'meals', refers: (leg) => leg.meals === overflow, to: [dei.meals] },
  { field: 'aircraftOwner', refers: (leg) => leg.aircraftOwner.code === 'X', to: [dei.aircraftOwner] },
  { field: 'cockpitCrew', refers: (leg) => leg.cockpitCrew.code === 'X', to: [dei.cockpitCrew] },
  { field: 'cabinCrew', refers: (leg) => leg.cabinCrew.code === 'X', to: [dei.cabinCrew] },
  {
    field: 'disclosure',
    refers: (leg) => leg.disclosure === 'X' || leg.disclosure === 'Z',
    to: [dei.operatingAirline],
  },
  {
    field: 'trafficRestrictions',
    refers: (leg) => leg.trafficRestrictions.startsWith('Z'),
    to: [
      dei.restriction,
      dei.passengerRestriction,
      dei.cargoAndMailRestriction,
      dei.cargoRestriction,
      dei.mailRestriction,
    ],
  },
];

/**
 * A leg with what the data elements of its own two points add to it: values that overflowed their columns, company names, terminals and
 * services. `missing` names the fields that refer to an element which is not there; they come out blank.
 */
export const completeLeg = (
  leg: ScheduleLeg,
  data: readonly SegmentData[],
): { readonly leg: ScheduleLeg; readonly missing: readonly string[] } => {
  const pair = pointPairOf([leg]);
  const told: Told = (element) => textFor(data, pair, element);
  const missing = references
    .filter(({ refers, to }) => refers(leg) && to.every((element) => told(element) === undefined))
    .map(({ field }) => field);
  if (data.length === 0 && missing.length === 0) return { leg, missing };
  const filedOr = (filed: string, element: number): string => (filed === overflow ? (told(element) ?? '') : filed);
  const bookingClasses =
    leg.bookingClasses === overflow ? classesOf(told(dei.bookingClasses) ?? '') : leg.bookingClasses;
  const meals = told(dei.meals);
  const services = told(dei.inFlightServices);
  const ends = withStatus(leg, told(dei.mctStatus));
  return {
    missing,
    leg: {
      ...leg,
      departure: { ...ends.departure, terminal: terminal(leg.departure.terminal, told(dei.departureTerminal)) },
      arrival: { ...ends.arrival, terminal: terminal(leg.arrival.terminal, told(dei.arrivalTerminal)) },
      bookingClasses,
      bookingModifiers: filedOr(leg.bookingModifiers, dei.bookingModifiers),
      configuration: filedOr(leg.configuration, dei.configuration).trim(),
      meals: meals !== undefined ? mealPairs(meals, bookingClasses) : leg.meals === overflow ? '' : leg.meals,
      aircraftOwner: companyOf(leg.aircraftOwner, told(dei.aircraftOwner)),
      cockpitCrew: companyOf(leg.cockpitCrew, told(dei.cockpitCrew)),
      cabinCrew: companyOf(leg.cabinCrew, told(dei.cabinCrew)),
      secureFlight: told(dei.secureFlight)?.trim() ?? leg.secureFlight,
      electronicTicketing: ticketing(told(dei.electronicTicketing)?.trim()) ?? leg.electronicTicketing,
      inFlightServices: services === undefined ? leg.inFlightServices : listOfCodes(services),
    },
  };
};
