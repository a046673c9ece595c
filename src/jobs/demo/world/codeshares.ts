import { mealAt, mealPairs } from '../../../domain/schedule/meals.ts';
import type { Designator, Itinerary, ScheduleLeg, SegmentData } from '../../../domain/schedule/schedule.ts';
import { getAirline } from './carriers.ts';

/** One airline selling seats on the flights of another, under numbers of its own: the operating number and `addNumber`. */
type Partnership = {
  readonly operating: string;
  readonly marketing: string;
  readonly addNumber: number;
  /** Flights that begin or end at one of these, and at one of `and` at their other end where that is given. */
  readonly at: readonly string[];
  readonly and?: readonly string[];
  /** L names the operator as the owner of the aircraft, Z leaves that to the data element that tells its name; both have one. */
  readonly disclosure: 'L' | 'Z';
};

const northAmerica = ['JFK', 'EWR', 'BOS', 'ORD', 'MIA', 'LAX', 'SFO', 'SEA', 'DEN', 'PHX', 'MEX'];

/** Who shares codes with whom. */
const partnerships: readonly Partnership[] = [
  {
    operating: 'L0',
    marketing: 'K1',
    addNumber: 5000,
    at: ['LHR'],
    and: [...northAmerica, 'CDG', 'MAD', 'CPH', 'FCO', 'ATH'],
    disclosure: 'L',
  },
  {
    operating: 'K1',
    marketing: 'L0',
    addNumber: 4000,
    at: ['JFK', 'ORD'],
    and: ['LHR', 'SFO', 'SEA', 'SJU', 'ANC'],
    disclosure: 'L',
  },
  { operating: 'N1', marketing: 'L0', addNumber: 5000, at: ['CPH'], disclosure: 'Z' },
  { operating: 'N1', marketing: 'M1', addNumber: 7000, at: ['CPH'], and: ['OSL', 'HEL'], disclosure: 'L' },
  {
    operating: 'D1',
    marketing: 'L0',
    addNumber: 7000,
    at: ['DOH'],
    and: ['LHR', 'KTM', 'DEL', 'BKK', 'SYD', 'MEL', 'AKL', 'NBO', 'JNB'],
    disclosure: 'L',
  },
  {
    operating: 'L0',
    marketing: 'D1',
    addNumber: 6000,
    at: ['LHR'],
    and: ['DOH', 'DUB', 'CPH', 'OSL', 'JFK'],
    disclosure: 'L',
  },
  { operating: 'K0', marketing: 'K1', addNumber: 1000, at: ['LGA'], disclosure: 'Z' },
  {
    operating: 'M1',
    marketing: 'H0',
    addNumber: 5000,
    at: ['SIN'],
    and: ['HND', 'NRT', 'BKK', 'SYD', 'DEL'],
    disclosure: 'L',
  },
  {
    operating: 'H0',
    marketing: 'M1',
    addNumber: 3000,
    at: ['HND', 'NRT'],
    and: ['SIN', 'ICN', 'HNL', 'LAX', 'GUM'],
    disclosure: 'L',
  },
  {
    operating: 'H0',
    marketing: 'K1',
    addNumber: 8000,
    at: ['HND', 'NRT'],
    and: ['ORD', 'JFK', 'LAX', 'SFO', 'SEA', 'BKK', 'HKG'],
    disclosure: 'L',
  },
  {
    operating: 'X2',
    marketing: 'D1',
    addNumber: 4000,
    at: ['SYD', 'MEL'],
    and: ['ADL', 'MEL', 'AKL'],
    disclosure: 'L',
  },
  {
    operating: 'X2',
    marketing: 'M1',
    addNumber: 6000,
    at: ['SYD', 'MEL'],
    and: ['MEL', 'ADL', 'DRW'],
    disclosure: 'Z',
  },
  {
    operating: 'M1',
    marketing: 'X2',
    addNumber: 7000,
    at: ['SIN'],
    and: ['SYD', 'MEL', 'LHR', 'BKK', 'HKG', 'ADL'],
    disclosure: 'L',
  },
  { operating: 'L0', marketing: 'X2', addNumber: 8000, at: ['SYD'], disclosure: 'L' },
  { operating: 'YF', marketing: 'K1', addNumber: 6000, at: ['MIA', 'JFK'], disclosure: 'L' },
  {
    operating: 'K1',
    marketing: 'YF',
    addNumber: 7000,
    at: ['JFK', 'ORD'],
    and: ['LIM', 'GRU', 'MIA', 'MEX'],
    disclosure: 'L',
  },
];

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
  const operatorName = `${operating.padEnd(3)}/${getAirline(operating).name.toUpperCase()}`;
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
export const addCodeshares = (itinerary: Itinerary): readonly Itinerary[] => {
  const shared = partnerships.filter((partnership) => isShared(partnership, itinerary));
  if (shared.length === 0) return [itinerary];
  const marketed = shared.map((partnership) => item(marketingDesignator(partnership, itinerary))).join('/');
  const operating: Itinerary = {
    ...itinerary,
    segmentData: [...itinerary.segmentData, ...forEveryPair(itinerary, MARKETING_FLIGHTS, marketed)],
  };
  return [operating, ...shared.map((partnership) => sell(itinerary, partnership))];
};
