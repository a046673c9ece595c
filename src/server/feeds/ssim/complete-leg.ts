import { dataElements as dei } from '#domain/schedule/data-elements.ts';
import { formatMealNote } from '#domain/schedule/segments.ts';
import type { Company, ScheduleLeg, SegmentData } from '#domain/schedule/schedule.ts';
import { parseMctStatuses } from '#domain/connections/flights/connecting-records.ts';
import { toPointPair, parseCompany, findText } from '#domain/schedule/segment-data.ts';
import { splitCodes } from './carrier-record.ts';

/** In a record 3: the value did not fit its columns and is in a data element. */
const overflow = 'XX';

const completeCompany = (filed: Company, text: string | undefined): Company => {
  const company = text === undefined ? undefined : parseCompany(text);
  return { code: company?.code || (filed.code === 'X' ? '' : filed.code), name: company?.name ?? filed.name };
};

const parseClasses = (text: string): string => text.replaceAll(/[^A-Z]/g, '');

const parseTicketing = (text: string | undefined): boolean | undefined =>
  text === 'ET' ? true : text === 'EN' ? false : undefined;

/** Applies data element 220, which overrides bytes 120 and 121. */
const withMctStatus = (
  ends: Pick<ScheduleLeg, 'departure' | 'arrival'>,
  text: string | undefined,
): Pick<ScheduleLeg, 'departure' | 'arrival'> => {
  const statuses = parseMctStatuses(text);
  if (statuses === undefined) return ends;
  return {
    departure: { ...ends.departure, mctStatus: statuses.board },
    arrival: { ...ends.arrival, mctStatus: statuses.off },
  };
};

const completeTerminal = (filed: string, text: string | undefined): string => {
  const terminal = text?.trim();
  return terminal === undefined ? filed : terminal === '0' ? '' : terminal;
};

type ElementReference = {
  readonly field: keyof ScheduleLeg;
  readonly isReference: (leg: ScheduleLeg) => boolean;
  readonly elements: readonly number[];
};

/** How a record 3 refers to a data element for a value, and the elements that can contain it. */
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
 * Completes a leg from the data elements of its own pair of points: values that overflowed their columns, company names, terminals
 * and services. `missing` lists the fields that refer to an absent element; these are blank.
 */
export const completeLeg = (
  leg: ScheduleLeg,
  data: readonly SegmentData[],
): { readonly leg: ScheduleLeg; readonly missing: readonly string[] } => {
  const pointPair = toPointPair([leg]);
  const textOf = (element: number): string | undefined => findText(data, pointPair, element);
  const missing = references
    .filter(
      ({ isReference, elements }) => isReference(leg) && elements.every((element) => textOf(element) === undefined),
    )
    .map(({ field }) => field);
  if (data.length === 0 && missing.length === 0) return { leg, missing };
  const resolveOverflow = (filed: string, element: number): string =>
    filed === overflow ? (textOf(element) ?? '') : filed;
  const bookingClasses =
    leg.bookingClasses === overflow ? parseClasses(textOf(dei.bookingClasses) ?? '') : leg.bookingClasses;
  const meals = textOf(dei.meals);
  const services = textOf(dei.inFlightServices);
  const ends = withMctStatus(leg, textOf(dei.mctStatus));
  return {
    missing,
    leg: {
      ...leg,
      departure: {
        ...ends.departure,
        terminal: completeTerminal(leg.departure.terminal, textOf(dei.departureTerminal)),
      },
      arrival: { ...ends.arrival, terminal: completeTerminal(leg.arrival.terminal, textOf(dei.arrivalTerminal)) },
      bookingClasses,
      bookingModifiers: resolveOverflow(leg.bookingModifiers, dei.bookingModifiers),
      configuration: resolveOverflow(leg.configuration, dei.configuration).trim(),
      meals: meals !== undefined ? formatMealNote(meals, bookingClasses) : leg.meals === overflow ? '' : leg.meals,
      aircraftOwner: completeCompany(leg.aircraftOwner, textOf(dei.aircraftOwner)),
      cockpitCrew: completeCompany(leg.cockpitCrew, textOf(dei.cockpitCrew)),
      cabinCrew: completeCompany(leg.cabinCrew, textOf(dei.cabinCrew)),
      secureFlight: textOf(dei.secureFlight)?.trim() ?? leg.secureFlight,
      electronicTicketing: parseTicketing(textOf(dei.electronicTicketing)?.trim()) ?? leg.electronicTicketing,
      inFlightServices: services === undefined ? leg.inFlightServices : splitCodes(services),
    },
  };
};
