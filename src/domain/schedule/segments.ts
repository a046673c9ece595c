import { computeMinSeats, computeMinFreight, parseConfiguration } from './cabins.ts';
import { dataElements as dei } from './data-elements.ts';
import { toDesignatorKey, parseFlightReferences } from './designators.ts';
import { listRestrictions } from './restrictions.ts';
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
import { toPointPair, parseCompany, findText, listTexts } from './segment-data.ts';

/** Codes after a leading `//` are served in every class. */
const readByClass = (text: string): { readonly everywhere: string; readonly byClass: ReadonlyMap<string, string> } => {
  const everywhere = text.startsWith('//') ? (text.slice(2).split('/')[0] ?? '') : '';
  const items = (text.startsWith('//') ? text.slice(2 + everywhere.length) : text)
    .split('/')
    .map((item) => item.trim());
  return {
    everywhere: everywhere.trim(),
    byClass: new Map(items.filter((item) => item !== '').map((item) => [item.slice(0, 1), item.slice(1)])),
  };
};

/**
 * Meals told by class (SSIM data elements 109 and 111, e.g. `FLD/CL/YS`, or `//S` for all) as the meal service note of record 3 tells them:
 * two characters for each booking class, in their order.
 */
export const formatMealNote = (text: string, bookingClasses: string): string => {
  const { everywhere, byClass } = readByClass(text);
  return [...bookingClasses]
    .map((code) => (byClass.get(code) ?? everywhere).slice(0, 2).padEnd(2))
    .join('')
    .trimEnd();
};

/** The meals of the booking class at an index, from a meal service note; '' when none is filed. */
export const readMeal = (note: string, index: number): string => note.slice(index * 2, index * 2 + 2).trim();

type Legs = readonly [ScheduleLeg, ...ScheduleLeg[]];
type Facts = {
  readonly legs: Legs;
  readonly data: readonly SegmentData[];
  readonly findData: (dei: number) => string | undefined;
};

const factsOf = (legs: Legs, data: readonly SegmentData[]): Facts => {
  const pair = toPointPair(legs);
  return { legs, data, findData: (element) => findText(data, pair, element) };
};

/** What every leg has, in the order of the first. */
const listCommon = <T>(lists: readonly (readonly T[])[], keyOf: (item: T) => string): readonly T[] => {
  const [first = [], ...others] = lists;
  const keys = others.map((list) => new Set(list.map(keyOf)));
  return first.filter((item) => keys.every((set) => set.has(keyOf(item))));
};

const itself = (text: string): string => text;

/** The company that is the same on every leg; none when a leg names another or nobody. */
const findCommonCompany = (companies: readonly (Company | undefined)[]): Company | undefined => {
  const first = companies[0];
  if (first === undefined || (first.code === '' && first.name === '')) return undefined;
  return companies.every((company) => company?.code === first.code && company.name === first.name) ? first : undefined;
};

/** Byte 149 says who operates: the owner of the aircraft (L, S), or whom data element 127 names (X, Z), with the owner to fall back on. */
const findDisclosedOperator = (leg: ScheduleLeg, named: Company | undefined): Company | undefined => {
  if (leg.disclosure === '') return undefined;
  const owner = leg.aircraftOwner.code === '' && leg.aircraftOwner.name === '' ? undefined : leg.aircraftOwner;
  if (leg.disclosure === 'X' || leg.disclosure === 'Z') return named ?? owner;
  if (owner === undefined) return named;
  const name = owner.name === '' && (named?.code === owner.code || named?.code === '') ? named.name : owner.name;
  return { ...owner, name };
};

const ownFacts = (leg: ScheduleLeg, data: readonly SegmentData[]): Facts => factsOf([leg], data);

const operatorOf = ({ legs, data, findData: told }: Facts): Company | undefined => {
  const whole = told(dei.operatingAirline);
  return findCommonCompany(
    legs.map((leg) => {
      const text = whole ?? ownFacts(leg, data).findData(dei.operatingAirline);
      return findDisclosedOperator(leg, text === undefined ? undefined : parseCompany(text));
    }),
  );
};

/** The flights listed for the segment itself; a through segment without a list of its own has those that all its legs share. */
const listReferences = ({ legs, data }: Facts, element: number): readonly Designator[] => {
  const listed = (some: Legs): readonly Designator[] => {
    const found = listTexts(data, toPointPair(some), element).flatMap((text) => parseFlightReferences(text) ?? []);
    return [...new Map(found.map((designator) => [toDesignatorKey(designator), designator])).values()];
  };
  const own = listed(legs);
  return own.length > 0 || legs.length === 1
    ? own
    : listCommon(
        legs.map((leg) => listed([leg])),
        toDesignatorKey,
      );
};

const isMarketingLeg = (leg: ScheduleLeg, data: readonly SegmentData[]): boolean =>
  leg.disclosure === 'L' || leg.disclosure === 'Z' || ownFacts(leg, data).findData(dei.operatingFlight) !== undefined;

const joinMeals = (meals: readonly string[]): string => [...new Set(meals.join(''))].join('');

/** A class is sold all the way when every leg sells it, unless element 101 lists the segment's own; its meals are those of all legs, unless element 111 tells. */
const buildBookingClasses = ({ legs, findData: told }: Facts): readonly BookingClass[] => {
  const override = told(dei.segmentBookingClasses)?.replaceAll(/[^A-Z]/g, '');
  const codes =
    override ??
    listCommon(
      legs.map((leg) => [...leg.bookingClasses]),
      itself,
    ).join('');
  const unique = [...new Set(codes)];
  const segmentMeals = told(dei.segmentMeals);
  const note = segmentMeals === undefined ? undefined : formatMealNote(segmentMeals, unique.join(''));
  const ofLegs = (code: string): string =>
    joinMeals(
      legs.map((leg) =>
        leg.bookingClasses.includes(code) ? readMeal(leg.meals, leg.bookingClasses.indexOf(code)) : '',
      ),
    );
  return unique.map((code, index) => ({ code, meal: note === undefined ? ofLegs(code) : readMeal(note, index) }));
};

const computeCapacity = (
  legs: Legs,
): { readonly seats: Seats | undefined; readonly freightClasses: readonly FreightClass[] } => {
  const read = legs.map((leg) => parseConfiguration(leg.configuration) ?? { seats: undefined, freightClasses: [] });
  const seats = read.flatMap((each) => each.seats ?? []);
  const known = seats.length === legs.length;
  return {
    seats: known ? computeMinSeats(seats) : undefined,
    freightClasses: computeMinFreight(read.map((each) => each.freightClasses)),
  };
};

const listJointOperators = ({ legs, findData: told }: Facts): readonly Company[] => {
  const text = told(dei.segmentJointOperators) ?? told(dei.jointOperators);
  const codes =
    text === undefined
      ? listCommon(
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
const findEquipment = (leg: ScheduleLeg, data: readonly SegmentData[]): string =>
  ownFacts(leg, data).findData(dei.segmentEquipment)?.trim() || leg.equipment;

const listInFlightServices = ({ legs, findData: told }: Facts): readonly string[] => {
  const text = told(dei.inFlightServices);
  if (text === undefined)
    return listCommon(
      legs.map((leg) => leg.inFlightServices),
      itself,
    );
  return text
    .split('/')
    .map((code) => code.trim())
    .filter((code) => code !== '');
};

const findPunctuality = ({ findData: told }: Facts): FlightSegment['punctuality'] => {
  const indicator = told(dei.punctualityIndicator);
  const delays = told(dei.delaysAndCancellations);
  return indicator === undefined && delays === undefined
    ? undefined
    : { indicator: indicator ?? '', delaysAndCancellations: delays ?? '' };
};

const hasElectronicTicketing = ({ legs, findData: told }: Facts): boolean => {
  const text = told(dei.electronicTicketing)?.trim();
  return text === 'ET' || (text !== 'EN' && legs.every((leg) => leg.electronicTicketing === true));
};

/**
 * What can be sold of some consecutive legs of an itinerary, from where the first departs to where the last arrives; `segmentsOf` tells how the
 * facts of several legs become one. The itinerary must be complete where there are several.
 */
export const buildSegment = (legs: Legs, itinerary: Itinerary): FlightSegment => {
  const facts = factsOf(legs, itinerary.segmentData);
  const { findData: told } = facts;
  const first = legs[0];
  const last = legs[legs.length - 1] ?? first;
  const operatingFlight = listReferences(facts, dei.operatingFlight)[0];
  return {
    carrier: first.carrier,
    flightNumber: first.flightNumber,
    suffix: first.suffix,
    legs,
    itinerary: first.itinerary,
    sequence: first.sequence,
    serviceType: first.serviceType,
    equipment: told(dei.segmentEquipment)?.trim() || first.equipment,
    legEquipment: legs.map((leg) => findEquipment(leg, itinerary.segmentData)),
    jointOperators: listJointOperators(facts),
    operatingAirlineDisclosure: operatorOf(facts),
    aircraftOwner: findCommonCompany(legs.map((leg) => leg.aircraftOwner)),
    cockpitCrew: findCommonCompany(legs.map((leg) => leg.cockpitCrew)),
    cabinCrew: findCommonCompany(legs.map((leg) => leg.cabinCrew)),
    marketingFlights: listReferences(facts, dei.marketingFlights),
    operatingFlight,
    isMarketing: operatingFlight !== undefined || legs.some((leg) => isMarketingLeg(leg, itinerary.segmentData)),
    departureTerminal: terminal(told(dei.segmentDepartureTerminal), first.departure.terminal),
    arrivalTerminal: terminal(told(dei.segmentArrivalTerminal), last.arrival.terminal),
    bookingClasses: buildBookingClasses(facts),
    ...computeCapacity(legs),
    restrictions: listRestrictions(legs, itinerary.segmentData),
    planeChangeWithoutTypeChange: told(dei.planeChange) !== undefined,
    punctuality: findPunctuality(facts),
    inFlightServices: listInFlightServices(facts),
    automatedCheckIn: told(dei.checkIn) !== undefined,
    electronicTicketing: hasElectronicTicketing(facts),
    secureFlight: (told(dei.secureFlight)?.trim() ?? '') === 'S' || legs.every((leg) => leg.secureFlight === 'S'),
    governmentApproval:
      told(dei.governmentApproval) !== undefined ||
      legs.some((leg) => ownFacts(leg, itinerary.segmentData).findData(dei.governmentApproval) !== undefined),
  };
};

/**
 * What can be sold of an itinerary: each leg, and for a complete flight of several legs the whole of it from its first station to its last,
 * also when the two are the same. Facts filed for exactly that pair of stations come first; otherwise the whole has what all its legs have
 * in common, the least of their seats and freight, and the equipment and service type it starts with. It is a marketing flight, and subject
 * to approval, as soon as one leg is.
 */
export const buildSegments = (itinerary: Itinerary): readonly FlightSegment[] => {
  const legs = itinerary.legs.map((leg) => buildSegment([leg], itinerary));
  return itinerary.complete && itinerary.legs.length > 1 ? [...legs, buildSegment(itinerary.legs, itinerary)] : legs;
};
