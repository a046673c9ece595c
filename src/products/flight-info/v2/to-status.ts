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
} from '../../../../generated/flight-info/v2/types.gen.ts';
import type { UtcMinute } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import type { Location } from '../../../domain/master-data/master-data.ts';
import type { FlightView, Landing } from '../../../domain/status/flight-view.ts';
import {
  atSecond,
  formatInstant,
  formatVariation,
  minuteAt,
  type UtcMillisecond,
  type UtcSecond,
} from '../../../domain/status/instants.ts';
import { valueOf, type KnownFlight } from '../../../domain/status/known-flight.ts';
import { utcOffsetAt } from '../../../domain/time/zones.ts';
import type { StatusFrame } from '../../../store/status/flight-statuses.ts';
import { toCodes } from './to-flight-instance.ts';

/** A flight as it was known at one moment. */
export type ObservedFlight = {
  readonly known: KnownFlight;
  readonly view: FlightView;
  readonly observedAt: UtcMillisecond;
  /** Whether the message of that moment took back what an earlier one had said. */
  readonly isCorrection: boolean;
};

type Clock = (second: UtcSecond) => number;

const createClock = (location: Location | undefined, fallback: number): Clock => {
  const zone = location?.zone;
  return zone === undefined ? () => fallback : (second) => utcOffsetAt(zone, minuteAt(second));
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
  const variation = at - atSecond(scheduled);
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

const toDeparture = (
  { known: { facts }, view }: ObservedFlight,
  frame: StatusFrame,
  directory: Directory,
): DepartureStatus => {
  const location = directory.location(frame.departure);
  const clock = createClock(location, frame.departureOffset);
  const scheduled = frame.scheduledOut;
  const estimatedTime = toDepartureTimes({ at: view.estimatedOut, scheduled }, view.estimatedOff, clock);
  const actualTime = toDepartureTimes({ at: view.actualOut, scheduled }, view.actualOff, clock);
  const terminal = valueOf(facts, 'departureTerminal');
  const gate = valueOf(facts, 'departureGate');
  const counter = valueOf(facts, 'checkInCounter');
  return {
    ...(estimatedTime && { estimatedTime }),
    ...(actualTime && { actualTime }),
    ...toPlace(location),
    ...(terminal !== undefined && { actualTerminal: terminal }),
    ...(gate !== undefined && { gate }),
    ...(counter !== undefined && { checkInCounter: counter }),
  };
};

/** What stands in for a zone that is not known: the schedule tells it of its own airports, UTC serves for others. */
const filedOffset = (airport: number, frame: StatusFrame): number => {
  if (airport === frame.arrival) return frame.arrivalOffset;
  return airport === frame.departure ? frame.departureOffset : 0;
};

/** After a diversion the arrival is the one at the airport it was diverted to, on that airport's clock, until the flight goes on. */
const toArrival = (
  { known: { facts }, view }: ObservedFlight,
  frame: StatusFrame,
  directory: Directory,
): ArrivalStatus => {
  const elsewhere = view.boundFor;
  const airport = elsewhere?.airport ?? frame.arrival;
  const location = directory.location(airport);
  const clock = createClock(location, filedOffset(airport, frame));
  const times = elsewhere ?? view.destination;
  const scheduled = frame.scheduledIn;
  const estimatedTime = toArrivalTimes({ at: times.estimatedIn, scheduled }, times.estimatedOn, clock);
  const actualTime = toArrivalTimes({ at: times.actualIn, scheduled }, times.actualOn, clock);
  // What was said of gates and belts before the diversion speaks of the other airport.
  const holds = (name: 'arrivalTerminal' | 'arrivalGate' | 'baggage'): string | undefined =>
    elsewhere && (facts[name]?.[1] ?? 0) < elsewhere.since ? undefined : valueOf(facts, name);
  const terminal = holds('arrivalTerminal');
  const gate = holds('arrivalGate');
  const baggage = holds('baggage');
  return {
    ...(estimatedTime && { estimatedTime }),
    ...(actualTime && { actualTime }),
    ...toPlace(location),
    ...(terminal !== undefined && { actualTerminal: terminal }),
    ...(gate !== undefined && { gate }),
    ...(baggage !== undefined && { baggage }),
  };
};

const toEquipment = ({ facts }: KnownFlight, directory: Directory): StatusDetails['equipment'] => {
  const registration = valueOf(facts, 'registration');
  const type = valueOf(facts, 'aircraftType');
  if (registration === undefined && type === undefined) return undefined;
  return {
    ...(registration !== undefined && { aircraftRegistrationNumber: registration }),
    ...(type && {
      actualAircraftType: toCodes({
        iata: type.iata,
        icao: type.icao || (directory.equipment(type.iata)?.icao ?? ''),
      }),
    }),
  };
};

const toDiversion = (landing: Landing, directory: Directory): Partial<StatusDetails> => {
  const location = landing.airport === undefined ? undefined : directory.location(landing.airport);
  return { ...(location && { diversionAirport: toCodes(location) }), diversionType: landing.type };
};

/** The status of a flight as it was known at one moment. */
export const toStatusDetails = (observed: ObservedFlight, frame: StatusFrame, directory: Directory): StatusDetails => {
  const { known, view, observedAt, isCorrection } = observed;
  const equipment = toEquipment(known, directory);
  const diversion = view.landings.at(-1);
  return {
    state: view.state,
    updatedAt: new Date(observedAt).toISOString().slice(0, -1),
    ...(equipment && { equipment }),
    departure: toDeparture(observed, frame, directory),
    arrival: toArrival(observed, frame, directory),
    ...(diversion && toDiversion(diversion, directory)),
    ...((diversion ?? frame.isRecovery) && { irregularOperationType: frame.isRecovery ? 'Recovery' : 'Diverted' }),
    ...(isCorrection && { correction: true }),
  };
};
