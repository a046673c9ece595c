import type {
  AirportCodeSet,
  ArrivalStatus,
  ArrivalTimes,
  Country,
  DepartureStatus,
  DepartureTimes,
  StatusDetails,
  Timeliness,
  ZonedTime,
} from '#generated/flight-info/v2/types.gen.ts';
import type { LocalMinute, UtcMinute } from '#domain/time/dates.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { Location } from '#domain/master-data/master-data.ts';
import type { FlightView, LandingView } from '#domain/status/flight-view.ts';
import {
  minuteToSecond,
  formatInstant,
  formatVariation,
  secondToMinute,
  type UtcMillisecond,
  type UtcSecond,
} from '#domain/status/instants.ts';
import type { ProcessEvent } from '#domain/status/message.ts';
import {
  getValue,
  listValues,
  selectResource,
  type FlightObservations,
  type LatestValue,
} from '#domain/status/observed-flight.ts';
import { compareTexts } from '#lib/compare-texts.ts';
import { getUtcOffset } from '#domain/time/zones.ts';
import type { LatestTimes, ScheduleReference } from '#store/status/flight-statuses.ts';
import { toCodes } from './to-flight-instance.ts';

/** The observations of a flight up to one instant, and what follows from them. */
export type StatusAtInstant = {
  readonly observations: FlightObservations;
  readonly view: FlightView;
  readonly observedAt: UtcMillisecond;
  /** Whether the message of that instant corrected an earlier one. */
  readonly isCorrection: boolean;
};

type Clock = (second: UtcSecond) => number;

const createClock = (location: Location | undefined, fallback: number): Clock => {
  const zone = location?.zone;
  return zone === undefined ? () => fallback : (second) => getUtcOffset(zone, secondToMinute(second));
};

const toZonedTime = (second: UtcSecond, clock: Clock): ZonedTime => ({
  local: formatInstant(second, clock(second)),
  utc: formatInstant(second, 0),
});

const toTimeliness = (variation: number): Timeliness =>
  variation === 0 ? 'OnTime' : variation > 0 ? 'Delayed' : 'Early';

type GateTime = { readonly at: UtcSecond | undefined; readonly scheduled: UtcMinute | undefined };

const computeLateness = ({ at, scheduled }: GateTime): { timeliness: Timeliness; variation: string } | undefined => {
  if (at === undefined || scheduled === undefined) return undefined;
  const variation = at - minuteToSecond(scheduled);
  return { timeliness: toTimeliness(variation), variation: formatVariation(variation) };
};

const toDepartureTimes = (out: GateTime, off: UtcSecond | undefined, clock: Clock): DepartureTimes | undefined => {
  if (out.at === undefined && off === undefined) return undefined;
  const late = computeLateness(out);
  return {
    ...(late && { outGateTimeliness: late.timeliness, outGateVariation: late.variation }),
    ...(out.at !== undefined && { outGate: toZonedTime(out.at, clock) }),
    ...(off !== undefined && { offGround: toZonedTime(off, clock) }),
  };
};

const toArrivalTimes = (arrived: GateTime, on: UtcSecond | undefined, clock: Clock): ArrivalTimes | undefined => {
  if (arrived.at === undefined && on === undefined) return undefined;
  const late = computeLateness(arrived);
  return {
    ...(late && { inGateTimeliness: late.timeliness, inGateVariation: late.variation }),
    ...(on !== undefined && { onGround: toZonedTime(on, clock) }),
    ...(arrived.at !== undefined && { inGate: toZonedTime(arrived.at, clock) }),
  };
};

const toPlace = (location: Location | undefined): { airport?: AirportCodeSet; country?: Country } => ({
  ...(location && { airport: toCodes(location) }),
  ...(location?.countryCode && { country: { code: location.countryCode } }),
});

const toProgress = <Status extends string>({ status, at }: ProcessEvent<Status>, clock: Clock) => ({
  status,
  time: toZonedTime(at, clock),
});

const toDeparture = (
  { observations: { facts }, view }: StatusAtInstant,
  reference: ScheduleReference,
  masterDataIndex: MasterDataIndex,
): DepartureStatus => {
  const location = masterDataIndex.location(reference.departure);
  const clock = createClock(location, reference.departureOffset);
  const scheduled = reference.isDepartureEstimated ? undefined : reference.scheduledOut;
  const estimatedTime = toDepartureTimes({ at: view.estimatedOut, scheduled }, view.estimatedOff, clock);
  const actualTime = toDepartureTimes({ at: view.actualOut, scheduled }, view.actualOff, clock);
  const terminal = selectResource(facts.departureTerminal, facts.plannedDepartureTerminal);
  const gate = selectResource(facts.departureGate, facts.plannedDepartureGate);
  const stand = selectResource(facts.departureStand, facts.plannedDepartureStand);
  const counter = selectResource(facts.checkInCounter, facts.plannedCheckInCounter);
  const checkIn = getValue(facts, 'checkIn');
  const boarding = getValue(facts, 'boarding');
  return {
    ...(estimatedTime && { estimatedTime }),
    ...(actualTime && { actualTime }),
    ...toPlace(location),
    ...(terminal !== undefined && { actualTerminal: terminal }),
    ...(gate !== undefined && { gate }),
    ...(stand !== undefined && { stand }),
    ...(counter !== undefined && { checkInCounter: counter }),
    ...(checkIn && { checkIn: toProgress(checkIn, clock) }),
    ...(boarding && { boarding: toProgress(boarding, clock) }),
  };
};

/** The UTC offset if a time zone is unknown: the filed one for the airports of the schedule, else 0. */
const getFiledOffset = (airport: number, reference: ScheduleReference): number => {
  if (airport === reference.arrival) return reference.arrivalOffset;
  return airport === reference.departure ? reference.departureOffset : 0;
};

type ArrivalResource =
  | 'arrivalTerminal'
  | 'arrivalGate'
  | 'arrivalStand'
  | 'baggage'
  | 'plannedArrivalTerminal'
  | 'plannedArrivalGate'
  | 'plannedArrivalStand'
  | 'plannedBaggage';

/**
 * After a diversion, the arrival is at the diversion airport, in its local time, until the flight continues. It is then neither early nor late:
 * the scheduled time is that of another airport.
 */
const toArrival = (
  { observations: { facts }, view }: StatusAtInstant,
  reference: ScheduleReference,
  masterDataIndex: MasterDataIndex,
): ArrivalStatus => {
  const diversion = view.boundFor;
  const airport = diversion?.airport ?? reference.arrival;
  const location = masterDataIndex.location(airport);
  const clock = createClock(location, getFiledOffset(airport, reference));
  const times = diversion ?? view.destination;
  const scheduled = diversion && diversion.airport !== reference.arrival ? undefined : reference.scheduledIn;
  const estimatedTime = toArrivalTimes({ at: times.estimatedIn, scheduled }, times.estimatedOn, clock);
  const actualTime = toArrivalTimes({ at: times.actualIn, scheduled }, times.actualOn, clock);
  // Terminal, gate, stand and baggage belt reported before the diversion are those of the scheduled airport.
  const valueAfterDiversion = (name: ArrivalResource): LatestValue<string | null> | undefined =>
    diversion && (facts[name]?.[1] ?? 0) < diversion.since ? undefined : facts[name];
  const select = (actual: ArrivalResource, planned: ArrivalResource): string | undefined =>
    selectResource(valueAfterDiversion(actual), valueAfterDiversion(planned));
  const terminal = select('arrivalTerminal', 'plannedArrivalTerminal');
  const gate = select('arrivalGate', 'plannedArrivalGate');
  const stand = select('arrivalStand', 'plannedArrivalStand');
  const baggage = select('baggage', 'plannedBaggage');
  return {
    ...(estimatedTime && { estimatedTime }),
    ...(actualTime && { actualTime }),
    ...toPlace(location),
    ...(terminal !== undefined && { actualTerminal: terminal }),
    ...(gate !== undefined && { gate }),
    ...(stand !== undefined && { stand }),
    ...(baggage !== undefined && { baggage }),
  };
};

/** Returns the latest reported times of a flight at its scheduled airports, as a search by them compares them. */
export const computeLatestTimes = (
  view: FlightView,
  reference: ScheduleReference,
  masterDataIndex: MasterDataIndex,
): LatestTimes => {
  const toMinute = (second: UtcSecond | undefined, airport: number): LocalMinute | undefined => {
    if (second === undefined) return undefined;
    const clock = createClock(masterDataIndex.location(airport), getFiledOffset(airport, reference));
    return (secondToMinute(second) + clock(second)) as LocalMinute;
  };
  const { actualOut, actualOff, estimatedOut, estimatedOff, destination } = view;
  return {
    departure: toMinute(actualOut ?? actualOff ?? estimatedOut ?? estimatedOff, reference.departure),
    arrival: toMinute(
      destination.actualIn ?? destination.actualOn ?? destination.estimatedIn ?? destination.estimatedOn,
      reference.arrival,
    ),
  };
};

const toEquipment = ({ facts }: FlightObservations, masterDataIndex: MasterDataIndex): StatusDetails['equipment'] => {
  const registration = getValue(facts, 'registration');
  const type = getValue(facts, 'aircraftType');
  if (registration === undefined && type === undefined) return undefined;
  return {
    ...(registration !== undefined && { aircraftRegistrationNumber: registration }),
    ...(type && {
      actualAircraftType: toCodes({
        iata: type.iata,
        icao: type.icao || (masterDataIndex.equipment(type.iata)?.icao ?? ''),
      }),
    }),
  };
};

const toDiversion = (landing: LandingView, masterDataIndex: MasterDataIndex): Partial<StatusDetails> => {
  const location = landing.airport === undefined ? undefined : masterDataIndex.location(landing.airport);
  return { ...(location && { diversionAirport: toCodes(location) }), diversionType: landing.type };
};

/** Returns the public feeds whose values the status contains, or that report a flight without values, with the time of their newest message, by name. */
const toSources = ({ facts, landings, reports = {} }: FlightObservations): Pick<StatusDetails, 'sources'> => {
  if (Object.keys(reports).length === 0) return {};
  const all = [facts, ...Object.values(landings).map((landing) => landing.facts)].flatMap(listValues);
  const values = all.filter(([, [value]]) => value !== null);
  const named = new Set(values.flatMap(([, [, , , source]]) => source ?? []));
  // Without values, the flight itself can be theirs.
  const sources = Object.entries(reports).filter(([name]) => values.length === 0 || named.has(name));
  if (sources.length === 0) return {};
  return {
    sources: sources
      .toSorted(([a], [b]) => compareTexts(a, b))
      .map(([name, at]) => ({ name, confirmedAt: new Date(at).toISOString() })),
  };
};

/** Returns the wire form of the status of a flight at one instant. */
export const toStatusDetails = (
  flight: StatusAtInstant,
  reference: ScheduleReference,
  masterDataIndex: MasterDataIndex,
): StatusDetails => {
  const { observations, view, observedAt, isCorrection } = flight;
  const equipment = toEquipment(observations, masterDataIndex);
  const diversion = view.landings.at(-1);
  return {
    state: view.state,
    updatedAt: new Date(observedAt).toISOString().slice(0, -1),
    ...(equipment && { equipment }),
    departure: toDeparture(flight, reference, masterDataIndex),
    arrival: toArrival(flight, reference, masterDataIndex),
    ...(diversion && toDiversion(diversion, masterDataIndex)),
    ...((diversion ?? reference.isRecovery) && {
      irregularOperationType: reference.isRecovery ? 'Recovery' : 'Diverted',
    }),
    ...toSources(observations),
    ...(isCorrection && { correction: true }),
  };
};
