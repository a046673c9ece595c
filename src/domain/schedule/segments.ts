import { fewestSeats, leastFreight, readConfiguration } from './cabins.ts';
import { dataElements as dei } from './data-elements.ts';
import { designatorKey, readFlightReferences } from './flight-references.ts';
import { mealAt, mealPairs } from './meals.ts';
import { restrictionsOf } from './restrictions.ts';
import type {
  BookingClass,
  Company,
  Designator,
  FlightSegment,
  FreightClass,
  Itinerary,
  ScheduleLeg,
  Seats,
  SegmentData,
} from './schedule.ts';
import { pointPairOf, readCompany, textFor, textsFor } from './segment-data.ts';

type Legs = readonly [ScheduleLeg, ...ScheduleLeg[]];
type Facts = {
  readonly legs: Legs;
  readonly data: readonly SegmentData[];
  readonly told: (dei: number) => string | undefined;
};

const factsOf = (legs: Legs, data: readonly SegmentData[]): Facts => {
  const pair = pointPairOf(legs);
  return { legs, data, told: (element) => textFor(data, pair, element) };
};

/** What every leg has, in the order of the first. */
const common = <T>(lists: readonly (readonly T[])[], keyOf: (item: T) => string): readonly T[] => {
  const [first = [], ...others] = lists;
  const keys = others.map((list) => new Set(list.map(keyOf)));
  return first.filter((item) => keys.every((set) => set.has(keyOf(item))));
};

const itself = (text: string): string => text;

/** The company that is the same on every leg; none when a leg names another or nobody. */
const sameCompany = (companies: readonly (Company | undefined)[]): Company | undefined => {
  const first = companies[0];
  if (first === undefined || (first.code === '' && first.name === '')) return undefined;
  return companies.every((company) => company?.code === first.code && company.name === first.name) ? first : undefined;
};

/** Byte 149 says who operates: the owner of the aircraft (L, S), or whom data element 127 names (X, Z), with the owner to fall back on. */
const disclosureOf = (leg: ScheduleLeg, named: Company | undefined): Company | undefined => {
  if (leg.disclosure === '') return undefined;
  const owner = leg.aircraftOwner.code === '' && leg.aircraftOwner.name === '' ? undefined : leg.aircraftOwner;
  if (leg.disclosure === 'X' || leg.disclosure === 'Z') return named ?? owner;
  if (owner === undefined) return named;
  const name = owner.name === '' && (named?.code === owner.code || named?.code === '') ? named.name : owner.name;
  return { ...owner, name };
};

const ownFacts = (leg: ScheduleLeg, data: readonly SegmentData[]): Facts => factsOf([leg], data);

const operatorOf = ({ legs, data, told }: Facts): Company | undefined => {
  const whole = told(dei.operatingAirline);
  return sameCompany(
    legs.map((leg) => {
      const text = whole ?? ownFacts(leg, data).told(dei.operatingAirline);
      return disclosureOf(leg, text === undefined ? undefined : readCompany(text));
    }),
  );
};

/** The flights listed for the segment itself; a through segment without a list of its own has those that all its legs share. */
const referencesOf = ({ legs, data }: Facts, element: number): readonly Designator[] => {
  const listed = (some: Legs): readonly Designator[] => {
    const found = textsFor(data, pointPairOf(some), element).flatMap((text) => readFlightReferences(text) ?? []);
    return [...new Map(found.map((designator) => [designatorKey(designator), designator])).values()];
  };
  const own = listed(legs);
  return own.length > 0 || legs.length === 1
    ? own
    : common(
        legs.map((leg) => listed([leg])),
        designatorKey,
      );
};

const isMarketingLeg = (leg: ScheduleLeg, data: readonly SegmentData[]): boolean =>
  leg.disclosure === 'L' || leg.disclosure === 'Z' || ownFacts(leg, data).told(dei.operatingFlight) !== undefined;

const joinMeals = (meals: readonly string[]): string => [...new Set(meals.join(''))].join('');

/** A class is sold all the way when every leg sells it, unless element 101 lists the segment's own; its meals are those of all legs, unless element 111 tells. */
const bookingClassesOf = ({ legs, told }: Facts): readonly BookingClass[] => {
  const override = told(dei.segmentBookingClasses)?.replaceAll(/[^A-Z]/g, '');
  const codes =
    override ??
    common(
      legs.map((leg) => [...leg.bookingClasses]),
      itself,
    ).join('');
  const unique = [...new Set(codes)];
  const segmentMeals = told(dei.segmentMeals);
  const note = segmentMeals === undefined ? undefined : mealPairs(segmentMeals, unique.join(''));
  const ofLegs = (code: string): string =>
    joinMeals(
      legs.map((leg) => (leg.bookingClasses.includes(code) ? mealAt(leg.meals, leg.bookingClasses.indexOf(code)) : '')),
    );
  return unique.map((code, index) => ({ code, meal: note === undefined ? ofLegs(code) : mealAt(note, index) }));
};

const capacityOf = (
  legs: Legs,
): { readonly seats: Seats | undefined; readonly freightClasses: readonly FreightClass[] } => {
  const read = legs.map((leg) => readConfiguration(leg.configuration) ?? { seats: undefined, freightClasses: [] });
  const seats = read.flatMap((each) => each.seats ?? []);
  const known = seats.length === legs.length;
  return {
    seats: known ? fewestSeats(seats) : undefined,
    freightClasses: leastFreight(read.map((each) => each.freightClasses)),
  };
};

const jointOperatorsOf = ({ legs, told }: Facts): readonly Company[] => {
  const text = told(dei.segmentJointOperators) ?? told(dei.jointOperators);
  const codes =
    text === undefined
      ? common(
          legs.map((leg) => leg.jointOperators),
          itself,
        )
      : text
          .split('/')
          .map((code) => code.trim())
          .filter((code) => code !== '');
  return codes.map((code) => ({ code, name: '' }));
};

const terminal = (told: string | undefined, filed: string): string =>
  told === undefined ? filed : told.trim() === '0' ? '' : told.trim();

/** Element 121 can publish another type than the record of the leg has. */
const equipmentOf = (leg: ScheduleLeg, data: readonly SegmentData[]): string =>
  ownFacts(leg, data).told(dei.segmentEquipment)?.trim() || leg.equipment;

const servicesOf = ({ legs, told }: Facts): readonly string[] => {
  const text = told(dei.inFlightServices);
  if (text === undefined)
    return common(
      legs.map((leg) => leg.inFlightServices),
      itself,
    );
  return text
    .split('/')
    .map((code) => code.trim())
    .filter((code) => code !== '');
};

const punctualityOf = ({ told }: Facts): FlightSegment['punctuality'] => {
  const indicator = told(dei.punctualityIndicator);
  const delays = told(dei.delaysAndCancellations);
  return indicator === undefined && delays === undefined
    ? undefined
    : { indicator: indicator ?? '', delaysAndCancellations: delays ?? '' };
};

const electronicTicketingOf = ({ legs, told }: Facts): boolean => {
  const text = told(dei.electronicTicketing)?.trim();
  return text === 'ET' || (text !== 'EN' && legs.every((leg) => leg.electronicTicketing === true));
};

/**
 * What can be sold of some consecutive legs of an itinerary, from where the first departs to where the last arrives; `segmentsOf` tells how the
 * facts of several legs become one. The itinerary must be complete where there are several.
 */
export const segmentOf = (legs: Legs, itinerary: Itinerary): FlightSegment => {
  const facts = factsOf(legs, itinerary.segmentData);
  const { told } = facts;
  const first = legs[0];
  const last = legs[legs.length - 1] ?? first;
  const operatingFlight = referencesOf(facts, dei.operatingFlight)[0];
  return {
    carrier: first.carrier,
    flightNumber: first.flightNumber,
    suffix: first.suffix,
    legs,
    itinerary: first.itinerary,
    sequence: first.sequence,
    serviceType: first.serviceType,
    equipment: told(dei.segmentEquipment)?.trim() || first.equipment,
    legEquipment: legs.map((leg) => equipmentOf(leg, itinerary.segmentData)),
    jointOperators: jointOperatorsOf(facts),
    operatingAirlineDisclosure: operatorOf(facts),
    aircraftOwner: sameCompany(legs.map((leg) => leg.aircraftOwner)),
    cockpitCrew: sameCompany(legs.map((leg) => leg.cockpitCrew)),
    cabinCrew: sameCompany(legs.map((leg) => leg.cabinCrew)),
    marketingFlights: referencesOf(facts, dei.marketingFlights),
    operatingFlight,
    isMarketing: operatingFlight !== undefined || legs.some((leg) => isMarketingLeg(leg, itinerary.segmentData)),
    departureTerminal: terminal(told(dei.segmentDepartureTerminal), first.departure.terminal),
    arrivalTerminal: terminal(told(dei.segmentArrivalTerminal), last.arrival.terminal),
    bookingClasses: bookingClassesOf(facts),
    ...capacityOf(legs),
    restrictions: restrictionsOf(legs, itinerary.segmentData),
    planeChangeWithoutTypeChange: told(dei.planeChange) !== undefined,
    punctuality: punctualityOf(facts),
    inFlightServices: servicesOf(facts),
    automatedCheckIn: told(dei.checkIn) !== undefined,
    electronicTicketing: electronicTicketingOf(facts),
    secureFlight: (told(dei.secureFlight)?.trim() ?? '') === 'S' || legs.every((leg) => leg.secureFlight === 'S'),
    governmentApproval:
      told(dei.governmentApproval) !== undefined ||
      legs.some((leg) => ownFacts(leg, itinerary.segmentData).told(dei.governmentApproval) !== undefined),
  };
};

/**
 * What can be sold of an itinerary: each leg, and for a complete flight of several legs the whole of it from its first station to its last,
 * also when the two are the same. Facts filed for exactly that pair of stations come first; otherwise the whole has what all its legs have
 * in common, the least of their seats and freight, and the equipment and service type it starts with. It is a marketing flight, and subject
 * to approval, as soon as one leg is.
 */
export const segmentsOf = (itinerary: Itinerary): readonly FlightSegment[] => {
  const legs = itinerary.legs.map((leg) => segmentOf([leg], itinerary));
  return itinerary.complete && itinerary.legs.length > 1 ? [...legs, segmentOf(itinerary.legs, itinerary)] : legs;
};
