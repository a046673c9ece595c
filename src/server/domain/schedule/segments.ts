import type { CabinLetters } from '../master-data/cabin-letters.ts';
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

/** Codes after a leading `//` apply to every class. */
const parseMealsByClass = (
  text: string,
): { readonly allClasses: string; readonly byClass: ReadonlyMap<string, string> } => {
  const allClasses = text.startsWith('//') ? (text.slice(2).split('/')[0] ?? '') : '';
  const items = (text.startsWith('//') ? text.slice(2 + allClasses.length) : text)
    .split('/')
    .map((item) => item.trim());
  return {
    allClasses: allClasses.trim(),
    byClass: new Map(items.filter((item) => item !== '').map((item) => [item.slice(0, 1), item.slice(1)])),
  };
};

/**
 * Formats meals by class (SSIM data elements 109 and 111, e.g. `FLD/CL/YS`, or `//S` for all) as a meal service note of record 3: two characters for
 * each booking class, in their order.
 */
export const formatMealNote = (text: string, bookingClasses: string): string => {
  const { allClasses, byClass } = parseMealsByClass(text);
  return [...bookingClasses]
    .map((code) => (byClass.get(code) ?? allClasses).slice(0, 2).padEnd(2))
    .join('')
    .trimEnd();
};

/** Returns the meals of the booking class at an index of a meal service note; '' when none is filed. */
export const readMeal = (note: string, index: number): string => note.slice(index * 2, index * 2 + 2).trim();

type Legs = readonly [ScheduleLeg, ...ScheduleLeg[]];
type Facts = {
  readonly legs: Legs;
  readonly data: readonly SegmentData[];
  readonly findData: (dei: number) => string | undefined;
};

const collectFacts = (legs: Legs, data: readonly SegmentData[]): Facts => {
  const pair = toPointPair(legs);
  return { legs, data, findData: (element) => findText(data, pair, element) };
};

/** Lists what every leg has, in the order of the first. */
const listCommon = <T>(lists: readonly (readonly T[])[], keyOf: (item: T) => string): readonly T[] => {
  const [first = [], ...others] = lists;
  const keys = others.map((list) => new Set(list.map(keyOf)));
  return first.filter((item) => keys.every((set) => set.has(keyOf(item))));
};

const identity = (text: string): string => text;

/** Returns the company that all legs share; undefined when a leg has another or none. */
const findCommonCompany = (companies: readonly (Company | undefined)[]): Company | undefined => {
  const first = companies[0];
  if (first === undefined || (first.code === '' && first.name === '')) return undefined;
  return companies.every((company) => company?.code === first.code && company.name === first.name) ? first : undefined;
};

/** Finds the operator that byte 149 discloses: the aircraft owner (L, S), or the company of data element 127 (X, Z), otherwise the owner. */
export const findDisclosedOperator = (leg: ScheduleLeg, company127: Company | undefined): Company | undefined => {
  if (leg.disclosure === '') return undefined;
  const owner = leg.aircraftOwner.code === '' && leg.aircraftOwner.name === '' ? undefined : leg.aircraftOwner;
  if (leg.disclosure === 'X' || leg.disclosure === 'Z') return company127 ?? owner;
  if (owner === undefined) return company127;
  const name =
    owner.name === '' && (company127?.code === owner.code || company127?.code === '') ? company127.name : owner.name;
  return { ...owner, name };
};

const legFacts = (leg: ScheduleLeg, data: readonly SegmentData[]): Facts => collectFacts([leg], data);

const findOperator = ({ legs, data, findData }: Facts): Company | undefined => {
  const whole = findData(dei.operatingAirline);
  return findCommonCompany(
    legs.map((leg) => {
      const text = whole ?? legFacts(leg, data).findData(dei.operatingAirline);
      return findDisclosedOperator(leg, text === undefined ? undefined : parseCompany(text));
    }),
  );
};

/** The flights filed for the segment itself; a through segment without its own has those that all its legs share. */
const listReferences = ({ legs, data }: Facts, element: number): readonly Designator[] => {
  const listFiled = (some: Legs): readonly Designator[] => {
    const designators = listTexts(data, toPointPair(some), element).flatMap(
      (text) => parseFlightReferences(text) ?? [],
    );
    return [...new Map(designators.map((designator) => [toDesignatorKey(designator), designator])).values()];
  };
  const ofSegment = listFiled(legs);
  return ofSegment.length > 0 || legs.length === 1
    ? ofSegment
    : listCommon(
        legs.map((leg) => listFiled([leg])),
        toDesignatorKey,
      );
};

/** Returns whether byte 149 discloses that another carrier operates the flight (`L` and `Z`: codeshare). */
export const isOperatedByOther = ({ disclosure }: Pick<ScheduleLeg, 'disclosure'>): boolean =>
  disclosure === 'L' || disclosure === 'Z';

/** Lists the carriers of the marketing flights that an itinerary names. */
export const listMarketingCarriers = ({ segmentData }: Itinerary): readonly string[] =>
  segmentData
    .filter(({ dei: element }) => element === dei.marketingFlights)
    .flatMap(({ data }) => (parseFlightReferences(data) ?? []).map(({ carrier }) => carrier));

const isMarketingLeg = (leg: ScheduleLeg, data: readonly SegmentData[]): boolean =>
  isOperatedByOther(leg) || legFacts(leg, data).findData(dei.operatingFlight) !== undefined;

const joinMeals = (meals: readonly string[]): string => [...new Set(meals.join(''))].join('');

/**
 * A class is available when every leg sells it, unless element 101 lists the classes of the segment; its meals are those of all legs, unless element
 * 111 is filed.
 */
const buildBookingClasses = ({ legs, findData }: Facts): readonly BookingClass[] => {
  const override = findData(dei.segmentBookingClasses)?.replaceAll(/[^A-Z]/g, '');
  const codes =
    override ??
    listCommon(
      legs.map((leg) => [...leg.bookingClasses]),
      identity,
    ).join('');
  const unique = [...new Set(codes)];
  const segmentMeals = findData(dei.segmentMeals);
  const note = segmentMeals === undefined ? undefined : formatMealNote(segmentMeals, unique.join(''));
  const mealOfLegs = (code: string): string =>
    joinMeals(
      legs.map((leg) =>
        leg.bookingClasses.includes(code) ? readMeal(leg.meals, leg.bookingClasses.indexOf(code)) : '',
      ),
    );
  return unique.map((code, index) => ({ code, meal: note === undefined ? mealOfLegs(code) : readMeal(note, index) }));
};

const computeCapacity = (
  legs: Legs,
  letters: CabinLetters | undefined,
): { readonly seats: Seats | undefined; readonly freightClasses: readonly FreightClass[] } => {
  const read = legs.map(
    (leg) => parseConfiguration(leg.configuration, letters) ?? { seats: undefined, freightClasses: [] },
  );
  const seats = read.flatMap((each) => each.seats ?? []);
  const known = seats.length === legs.length;
  return {
    seats: known ? computeMinSeats(seats) : undefined,
    freightClasses: computeMinFreight(read.map((each) => each.freightClasses)),
  };
};

const listJointOperators = ({ legs, findData }: Facts): readonly Company[] => {
  const text = findData(dei.segmentJointOperators) ?? findData(dei.jointOperators);
  const codes =
    text === undefined
      ? listCommon(
          legs.map((leg) => leg.jointOperators),
          identity,
        )
      : text
          .split('/')
          .map((code) => code.trim())
          .filter((code) => code !== '');
  return codes.map((code) => ({ code, name: '' }));
};

const resolveTerminal = (findData: string | undefined, filed: string): string =>
  findData === undefined ? filed : findData.trim() === '0' ? '' : findData.trim();

/** Element 121 can override the aircraft type of a leg. */
const findEquipment = (leg: ScheduleLeg, data: readonly SegmentData[]): string =>
  legFacts(leg, data).findData(dei.segmentEquipment)?.trim() || leg.equipment;

const listInFlightServices = ({ legs, findData }: Facts): readonly string[] => {
  const text = findData(dei.inFlightServices);
  if (text === undefined)
    return listCommon(
      legs.map((leg) => leg.inFlightServices),
      identity,
    );
  return text
    .split('/')
    .map((code) => code.trim())
    .filter((code) => code !== '');
};

const findPunctuality = ({ findData }: Facts): FlightSegment['punctuality'] => {
  const indicator = findData(dei.punctualityIndicator);
  const delays = findData(dei.delaysAndCancellations);
  return indicator === undefined && delays === undefined
    ? undefined
    : { indicator: indicator ?? '', delaysAndCancellations: delays ?? '' };
};

const hasElectronicTicketing = ({ legs, findData }: Facts): boolean => {
  const text = findData(dei.electronicTicketing)?.trim();
  return text === 'ET' || (text !== 'EN' && legs.every((leg) => leg.electronicTicketing === true));
};

/**
 * Builds the segment of consecutive legs of an itinerary. Several legs require a complete itinerary; `buildSegments` documents how their facts are
 * combined.
 */
export const buildSegment = (legs: Legs, itinerary: Itinerary, letters?: CabinLetters): FlightSegment => {
  const facts = collectFacts(legs, itinerary.segmentData);
  const { findData } = facts;
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
    equipment: findData(dei.segmentEquipment)?.trim() || first.equipment,
    legEquipment: legs.map((leg) => findEquipment(leg, itinerary.segmentData)),
    jointOperators: listJointOperators(facts),
    operatingAirlineDisclosure: findOperator(facts),
    aircraftOwner: findCommonCompany(legs.map((leg) => leg.aircraftOwner)),
    cockpitCrew: findCommonCompany(legs.map((leg) => leg.cockpitCrew)),
    cabinCrew: findCommonCompany(legs.map((leg) => leg.cabinCrew)),
    marketingFlights: listReferences(facts, dei.marketingFlights),
    operatingFlight,
    isMarketing: operatingFlight !== undefined || legs.some((leg) => isMarketingLeg(leg, itinerary.segmentData)),
    departureTerminal: resolveTerminal(findData(dei.segmentDepartureTerminal), first.departure.terminal),
    arrivalTerminal: resolveTerminal(findData(dei.segmentArrivalTerminal), last.arrival.terminal),
    bookingClasses: buildBookingClasses(facts),
    ...computeCapacity(legs, letters),
    restrictions: listRestrictions(legs, itinerary.segmentData),
    planeChangeWithoutTypeChange: findData(dei.planeChange) !== undefined,
    punctuality: findPunctuality(facts),
    inFlightServices: listInFlightServices(facts),
    automatedCheckIn: findData(dei.checkIn) !== undefined,
    electronicTicketing: hasElectronicTicketing(facts),
    secureFlight: (findData(dei.secureFlight)?.trim() ?? '') === 'S' || legs.every((leg) => leg.secureFlight === 'S'),
    governmentApproval:
      findData(dei.governmentApproval) !== undefined ||
      legs.some((leg) => legFacts(leg, itinerary.segmentData).findData(dei.governmentApproval) !== undefined),
  };
};

/**
 * Builds the segments of an itinerary: each leg and, for a complete flight of several legs, the whole flight, also when it returns to its origin.
 * Facts filed for that pair of stations take precedence; otherwise the whole has what all its legs share, the minimum of their seats and freight, and
 * the equipment and service type of the first. It is a marketing flight, or subject to approval, as soon as one leg is.
 */
export const buildSegments = (itinerary: Itinerary, letters?: CabinLetters): readonly FlightSegment[] => {
  const legs = itinerary.legs.map((leg) => buildSegment([leg], itinerary, letters));
  return itinerary.complete && itinerary.legs.length > 1
    ? [...legs, buildSegment(itinerary.legs, itinerary, letters)]
    : legs;
};
