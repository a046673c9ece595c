import { dataElements as dei } from '../../domain/schedule/data-elements.ts';
import { mealPairs } from '../../domain/schedule/meals.ts';
import type { Company, ScheduleLeg, SegmentData } from '../../domain/schedule/schedule.ts';
import { readMctStatuses } from '../../domain/schedule/mct-status.ts';
import { pointPairOf, readCompany, textFor } from '../../domain/schedule/segment-data.ts';
import { splitCodes } from './carrier-record.ts';

/** In record 3 this stands for a value that did not fit its columns and is told by a data element. */
const overflow = 'XX';

type FindText = (dei: number) => string | undefined;

const completeCompany = (filed: Company, told: string | undefined): Company => {
  const named = told === undefined ? undefined : readCompany(told);
  return { code: named?.code || (filed.code === 'X' ? '' : filed.code), name: named?.name ?? filed.name };
};

const parseClasses = (text: string): string => text.replaceAll(/[^A-Z]/g, '');

const parseTicketing = (text: string | undefined): boolean | undefined =>
  text === 'ET' ? true : text === 'EN' ? false : undefined;

/** Data element 220 in the place of bytes 120 and 121. */
const withMctStatus = (
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

const completeTerminal = (filed: string, told: string | undefined): string => {
  const text = told?.trim();
  return text === undefined ? filed : text === '0' ? '' : text;
};

type ElementReference = {
  readonly field: keyof ScheduleLeg;
  readonly isReference: (leg: ScheduleLeg) => boolean;
  readonly elements: readonly number[];
};

/** How a record 3 says that a value is to be found in a data element, and in which. */
const references: readonly ElementReference[] = [
  { field: 'bookingClasses', isReference: (leg) => leg.bookingClasses === overflow, elements: [dei.bookingClasses] },
  {
    field: 'bookingModifiers',
    isReference: (leg) => leg.bookingModifiers === overflow,
    elements: [dei.bookingModifiers],
  },
  { field: 'configuration', isReference: (leg) => leg.configuration === overflow, elements: [dei.configuration] },
  { field: 'meals', isReference: (leg) => leg.meals === overflow, elements: [dei.meals] },
  { field: 'aircraftOwner', isReference: (leg) => leg.aircraftOwner.code === 'X', elements: [dei.aircraftOwner] },
  { field: 'cockpitCrew', isReference: (leg) => leg.cockpitCrew.code === 'X', elements: [dei.cockpitCrew] },
  { field: 'cabinCrew', isReference: (leg) => leg.cabinCrew.code === 'X', elements: [dei.cabinCrew] },
  {
    field: 'disclosure',
    isReference: (leg) => leg.disclosure === 'X' || leg.disclosure === 'Z',
    elements: [dei.operatingAirline],
  },
  {
    field: 'trafficRestrictions',
    isReference: (leg) => leg.trafficRestrictions.startsWith('Z'),
    elements: [
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
  const told: FindText = (element) => textFor(data, pair, element);
  const missing = references
    .filter(
      ({ isReference: refers, elements: to }) => refers(leg) && to.every((element) => told(element) === undefined),
    )
    .map(({ field }) => field);
  if (data.length === 0 && missing.length === 0) return { leg, missing };
  const filedOr = (filed: string, element: number): string => (filed === overflow ? (told(element) ?? '') : filed);
  const bookingClasses =
    leg.bookingClasses === overflow ? parseClasses(told(dei.bookingClasses) ?? '') : leg.bookingClasses;
  const meals = told(dei.meals);
  const services = told(dei.inFlightServices);
  const ends = withMctStatus(leg, told(dei.mctStatus));
  return {
    missing,
    leg: {
      ...leg,
      departure: { ...ends.departure, terminal: completeTerminal(leg.departure.terminal, told(dei.departureTerminal)) },
      arrival: { ...ends.arrival, terminal: completeTerminal(leg.arrival.terminal, told(dei.arrivalTerminal)) },
      bookingClasses,
      bookingModifiers: filedOr(leg.bookingModifiers, dei.bookingModifiers),
      configuration: filedOr(leg.configuration, dei.configuration).trim(),
      meals: meals !== undefined ? mealPairs(meals, bookingClasses) : leg.meals === overflow ? '' : leg.meals,
      aircraftOwner: completeCompany(leg.aircraftOwner, told(dei.aircraftOwner)),
      cockpitCrew: completeCompany(leg.cockpitCrew, told(dei.cockpitCrew)),
      cabinCrew: completeCompany(leg.cabinCrew, told(dei.cabinCrew)),
      secureFlight: told(dei.secureFlight)?.trim() ?? leg.secureFlight,
      electronicTicketing: parseTicketing(told(dei.electronicTicketing)?.trim()) ?? leg.electronicTicketing,
      inFlightServices: services === undefined ? leg.inFlightServices : splitCodes(services),
    },
  };
};
