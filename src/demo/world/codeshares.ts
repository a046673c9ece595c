import { dataElements } from '#domain/schedule/data-elements.ts';
import { toPointPair } from '#domain/schedule/segment-data.ts';
import { readMeal, formatMealNote } from '#domain/schedule/segments.ts';
import type { Designator, Itinerary, ScheduleLeg, SegmentData } from '#domain/schedule/schedule.ts';
import { parseChoice, readCsvTable } from '#lib/csv-table.ts';
import { getAirline } from './carriers.ts';

/** Agreements under which one airline sells seats on the flights of another; codeshares.csv describes the columns. */
const agreements = readCsvTable(
  new URL('data/codeshares.csv', import.meta.url),
  'operating,marketing,add_number,airports,other_airports,disclosure',
).map((row) => ({
  ...row,
  addNumber: Number(row.add_number),
  airports: row.airports.split(' '),
  otherAirports: row.other_airports.split(' '),
  disclosure: parseChoice(row.disclosure, ['L', 'Z']),
}));

type CodeshareAgreement = (typeof agreements)[number];

/** Formats a designator for data elements: airline in three characters, number in four, suffix in one. */
const formatDesignator = ({ carrier, flightNumber, suffix }: Designator): string =>
  carrier.padEnd(3) + String(flightNumber).padStart(4, '0') + suffix.padEnd(1);

/** Leased flights, extra flights and freight are not shared. */
const isShared = ({ operating, airports, otherAirports }: CodeshareAgreement, itinerary: Itinerary): boolean => {
  const { carrier, serviceType, disclosure, jointOperators } = itinerary.legs[0];
  if (carrier !== operating || disclosure !== '' || jointOperators.length > 0 || !'JS'.includes(serviceType))
    return false;
  const { boardStation: from, offStation: to } = toPointPair(itinerary.legs);
  const isOtherEnd = (station: string): boolean => otherAirports.includes(station) || otherAirports.includes('');
  return (airports.includes(from) && isOtherEnd(to)) || (airports.includes(to) && isOtherEnd(from));
};

/** Repeats a data element for every pair of stations of the itinerary. */
const buildForAllPairs = ({ legs }: Itinerary, dei: number, data: string): readonly SegmentData[] => {
  const stations = [legs[0].departure.station, ...legs.map(({ arrival }) => arrival.station)];
  return stations.flatMap((boardStation, boardIndex) =>
    stations.flatMap((offStation, offIndex) =>
      boardIndex < offIndex ? [{ dei, boardStation, offStation, boardIndex, offIndex, data, line: 0 }] : [],
    ),
  );
};

const toMarketingDesignator = ({ marketing, addNumber }: CodeshareAgreement, itinerary: Itinerary): Designator => {
  const { flightNumber, suffix } = itinerary.legs[0];
  return { carrier: marketing, flightNumber: flightNumber + addNumber, suffix };
};

const toMarketingLeg = (
  leg: ScheduleLeg,
  { operating, disclosure }: CodeshareAgreement,
  designator: Designator,
): ScheduleLeg => {
  // The marketing airline sells neither the first cabin nor the cheapest classes.
  const bookingClasses = leg.bookingClasses.replaceAll(/[FAHLQ]/g, '');
  return {
    ...leg,
    ...designator,
    disclosure,
    aircraftOwner: { code: disclosure === 'L' ? operating : '', name: '' },
    bookingClasses,
    meals: formatMealNote(`//${readMeal(leg.meals, 0)}`, bookingClasses),
  };
};

const toMarketingItinerary = (itinerary: Itinerary, agreement: CodeshareAgreement): Itinerary => {
  const designator = toMarketingDesignator(agreement, itinerary);
  const [first, ...others] = itinerary.legs;
  const { operating } = agreement;
  const toMarketing = (leg: ScheduleLeg): ScheduleLeg => toMarketingLeg(leg, agreement, designator);
  const operatorName = `${operating.padEnd(3)}/${getAirline(operating).name.toUpperCase()}`;
  return {
    legs: [toMarketing(first), ...others.map(toMarketing)],
    segmentData: [
      ...buildForAllPairs(itinerary, dataElements.operatingFlight, formatDesignator(first)),
      ...buildForAllPairs(itinerary, dataElements.operatingAirline, operatorName),
    ],
    complete: true,
  };
};

/** Returns an operating itinerary with its marketing flights listed, followed by the marketing itineraries. */
export const addCodeshares = (itinerary: Itinerary): readonly Itinerary[] => {
  const shared = agreements.filter((agreement) => isShared(agreement, itinerary));
  if (shared.length === 0) return [itinerary];
  const marketed = shared.map((agreement) => formatDesignator(toMarketingDesignator(agreement, itinerary))).join('/');
  const operating: Itinerary = {
    ...itinerary,
    segmentData: [...itinerary.segmentData, ...buildForAllPairs(itinerary, dataElements.marketingFlights, marketed)],
  };
  return [operating, ...shared.map((agreement) => toMarketingItinerary(itinerary, agreement))];
};
