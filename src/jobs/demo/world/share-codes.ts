import { mealAt, mealPairs } from '../../../domain/schedule/meals.ts';
import type { Designator, Itinerary, ScheduleLeg, SegmentData } from '../../../domain/schedule/schedule.ts';
import { airlineOf } from './carriers.ts';
import { partnerships, type Partnership } from './partnerships.ts';

const MARKETING_FLIGHTS = 10;
const OPERATING_FLIGHT = 50;
const OPERATOR_NAME = 127;

/** A designator as data elements name it: airline in three characters, number in four, suffix in one. */
const item = ({ carrier, flightNumber, suffix }: Designator): string =>
  carrier.padEnd(3) + String(flightNumber).padStart(4, '0') + suffix.padEnd(1);

const endsOf = ({ legs }: Itinerary): readonly [from: string, to: string] => [
  legs[0].departure.station,
  (legs.at(-1) ?? legs[0]).arrival.station,
];

/** Flights leased from others, extra flights and freight are not shared. */
const isShared = ({ operating, at, and }: Partnership, itinerary: Itinerary): boolean => {
  const { carrier, serviceType, disclosure, jointOperators } = itinerary.legs[0];
  if (carrier !== operating || disclosure !== '' || jointOperators.length > 0 || !'JS'.includes(serviceType))
    return false;
  const [from, to] = endsOf(itinerary);
  const reaches = (other: string): boolean => and === undefined || and.includes(other);
  return (at.includes(from) && reaches(to)) || (at.includes(to) && reaches(from));
};

/** The same data for every pair of stations of the itinerary, each leg and each way through. */
const forEveryPair = ({ legs }: Itinerary, dei: number, data: string): readonly SegmentData[] => {
  const stations = [legs[0].departure.station, ...legs.map(({ arrival }) => arrival.station)];
  return stations.flatMap((boardStation, boardIndex) =>
    stations.flatMap((offStation, offIndex) =>
      boardIndex < offIndex ? [{ dei, boardStation, offStation, boardIndex, offIndex, data, line: 0 }] : [],
    ),
  );
};

const marketingDesignator = ({ marketing, addNumber }: Partnership, itinerary: Itinerary): Designator => {
  const { flightNumber, suffix } = itinerary.legs[0];
  return { carrier: marketing, flightNumber: flightNumber + addNumber, suffix };
};

const sellLeg = (leg: ScheduleLeg, { operating, disclosure }: Partnership, designator: Designator): ScheduleLeg => {
  // A partner gets no seats in the first cabin, nor in the cheapest classes.
  const bookingClasses = leg.bookingClasses.replaceAll(/[FAHLQ]/g, '');
  return {
    ...leg,
    ...designator,
    disclosure,
    aircraftOwner: { code: disclosure === 'L' ? operating : '', name: '' },
    bookingClasses,
    meals: mealPairs(`//${mealAt(leg.meals, 0)}`, bookingClasses),
  };
};

const sell = (itinerary: Itinerary, partnership: Partnership): Itinerary => {
  const designator = marketingDesignator(partnership, itinerary);
  const [first, ...others] = itinerary.legs;
  const { operating } = partnership;
  const operatorName = `${operating.padEnd(3)}/${airlineOf(operating).name.toUpperCase()}`;
  return {
    legs: [sellLeg(first, partnership, designator), ...others.map((leg) => sellLeg(leg, partnership, designator))],
    segmentData: [
      ...forEveryPair(itinerary, OPERATING_FLIGHT, item(first)),
      ...forEveryPair(itinerary, OPERATOR_NAME, operatorName),
    ],
    complete: true,
  };
};

/** An operating itinerary that names its marketing flights, followed by those; itself alone when nobody shares it. */
export const shareCodes = (itinerary: Itinerary): readonly Itinerary[] => {
  const shared = partnerships.filter((partnership) => isShared(partnership, itinerary));
  if (shared.length === 0) return [itinerary];
  const marketed = shared.map((partnership) => item(marketingDesignator(partnership, itinerary))).join('/');
  const operating: Itinerary = {
    ...itinerary,
    segmentData: [...itinerary.segmentData, ...forEveryPair(itinerary, MARKETING_FLIGHTS, marketed)],
  };
  return [operating, ...shared.map((partnership) => sell(itinerary, partnership))];
};
