import type { FlightInstance, ScheduledEnd, StatusDetails } from '../../../../../generated/flight-info/v2/types.gen.ts';
import type { EventSeats, LocalAndUtc } from '../../../../domain/events/event-parts.ts';
import { originDateOf } from '../../../../domain/events/origin-date.ts';
import type { ToldStatus } from '../../../../domain/events/told-status.ts';
import { formatDate, localDate } from '../../../../domain/time/dates.ts';
import { filled, readInstance, type KeptInstance } from './cached-instance.ts';

/** An instance of a flight, under one of its designators. */
export type StatusInstance = KeptInstance & { readonly isMarketing: boolean };

/** What is kept of a flight's status. */
export type KeptStatus = {
  /** The latest StatusDetails, JSON text; '' while nothing has been observed. */
  readonly doc: string;
  /** Cabins of the aircraft that flies, JSON text; undefined where nobody told. */
  readonly seats: string | undefined;
  /** On a recovery flight: the status key of the flight it recovers. */
  readonly originalStatusKey: string | undefined;
};

/** Keys of the instances that share a status. */
type SharedKeys = { readonly operating: string | undefined; readonly marketing: readonly string[] };

/** The date and minute of the list row as a moment: local without an offset, for which the row has no seconds to tell. */
const momentOf = ({ date, time }: ScheduledEnd): LocalAndUtc => ({
  local: `${date.local}T${time.local}:00`,
  utc: `${date.utc}T${time.utc}:00+00:00`,
});

const placeOf = ({ airport, country }: Partial<Pick<ScheduledEnd, 'airport' | 'country'>>) => ({
  ...(filled(airport) && { airport }),
  ...(country && { country }),
});

/** An elapsed time of 0 says that nobody knows when an unscheduled flight arrives. */
const isArrivalKnown = ({ flightType, elapsedTime }: FlightInstance): boolean =>
  flightType === 'Scheduled' || elapsedTime > 0;

const tellDeparture = (row: FlightInstance, status: StatusDetails | undefined): ToldStatus['departure'] => {
  const { estimatedTime, actualTime, actualTerminal, gate, checkInCounter } = status?.departure ?? {};
  return {
    times: {
      scheduled: momentOf(row.departure),
      ...(estimatedTime && { estimated: estimatedTime }),
      ...(actualTime && { actual: actualTime }),
    },
    ...placeOf(row.departure),
    scheduled: placeOf(row.departure),
    terminal: actualTerminal ?? (row.departure.terminal || undefined),
    gate,
    checkInCounter,
  };
};

/** On a flight that was diverted only what was observed tells place and terminal: the schedule speaks of another airport. */
const tellArrival = (row: FlightInstance, status: StatusDetails | undefined): ToldStatus['arrival'] => {
  const { estimatedTime, actualTime, actualTerminal, gate, baggage, ...place } = status?.arrival ?? {};
  const wasDiverted = status?.diversionType !== undefined;
  const times = filled({
    ...(isArrivalKnown(row) && { scheduled: momentOf(row.arrival) }),
    ...(estimatedTime && { estimated: estimatedTime }),
    ...(actualTime && { actual: actualTime }),
  });
  return {
    ...(times && { times }),
    ...placeOf(wasDiverted ? place : row.arrival),
    scheduled: placeOf(row.arrival),
    terminal: actualTerminal ?? (wasDiverted ? undefined : row.arrival.terminal || undefined),
    gate,
    baggage,
  };
};

/** The type and the registration that fly; of the type, what was scheduled stands until another is told. */
const tellEquipment = (row: FlightInstance, status: StatusDetails | undefined): ToldStatus['equipment'] => {
  const { actualAircraftType, aircraftRegistrationNumber } = status?.equipment ?? {};
  return filled({ aircraftType: filled(actualAircraftType) ?? filled(row.aircraftType), aircraftRegistrationNumber });
};

const tellSeats = (row: FlightInstance, kept: string | undefined): ToldStatus['seatingCapacity'] => {
  const flown: EventSeats | undefined = kept === undefined ? undefined : JSON.parse(kept);
  const actual = filled(flown) ?? filled(row.seatingCapacity?.actual);
  return actual && { actual };
};

const originationOf = (row: FlightInstance): string => {
  const { scheduleInstanceKey, carrier, flightNumber, serviceSuffix = '', departure, arrival } = row;
  const departsOn = localDate(departure.date.local);
  const date =
    scheduleInstanceKey === undefined
      ? departsOn
      : originDateOf({
          scheduleInstanceKey,
          carrierCodes: [carrier.iata ?? '', carrier.icao ?? ''],
          flightNumber,
          suffix: serviceSuffix,
          board: departure.airport.iata ?? '',
          off: arrival.airport.iata ?? '',
          departsOn,
        });
  return `${formatDate(date)}T00:00:00`;
};

/** An instance that has been read, for any status. */
type ReadInstance = { readonly row: FlightInstance; readonly isMarketing: boolean; readonly originatesOn: string };

/** A flight under each of its designators, ready to be told with any status: reading it costs more than telling it. */
export type ReadFlight = { readonly instances: readonly ReadInstance[]; readonly keys: SharedKeys };

/** Reads a flight: give all instances that share its status key, for each names the others. */
export const readFlight = (instances: readonly StatusInstance[]): ReadFlight => {
  const read = instances.map((instance): ReadInstance => {
    const row = readInstance(instance);
    return { row, isMarketing: instance.isMarketing, originatesOn: originationOf(row) };
  });
  const keysOf = (isMarketing: boolean): readonly string[] =>
    read.flatMap((one) => (one.isMarketing === isMarketing ? (one.row.scheduleInstanceKey ?? []) : []));
  return { instances: read, keys: { operating: keysOf(false)[0], marketing: keysOf(true).toSorted() } };
};

/** The members of `KeptStatus` with the status read, once for all designators. */
type Observed = Omit<KeptStatus, 'doc'> & { readonly status: StatusDetails | undefined };

const tellStatus = ({ row, isMarketing, originatesOn }: ReadInstance, kept: Observed, keys: SharedKeys): ToldStatus => {
  const { status } = kept;
  const { codeshare } = row;
  return {
    flightType: row.flightType,
    // Nothing observed means that the schedule stands, so that the first message of a gate changes the gate alone.
    state: status?.state ?? 'Scheduled',
    serviceType: row.serviceType.iata,
    flightNumber: String(row.flightNumber),
    serviceSuffix: row.serviceSuffix ?? '',
    carrierCode: row.carrier,
    equipment: tellEquipment(row, status),
    originationDate: { local: originatesOn },
    departure: tellDeparture(row, status),
    arrival: tellArrival(row, status),
    diversionAirport: filled(status?.diversionAirport),
    irregularOperationType: status?.irregularOperationType,
    diversionType: status?.diversionType,
    originalStatusKey: kept.originalStatusKey,
    operatingAirlineDisclosure: codeshare.operatingAirlineDisclosure,
    cockpitCrewEmployer: codeshare.cockpitCrewEmployer,
    cabinCrewEmployer: codeshare.cabinCrewEmployer,
    marketingFlights: codeshare.marketingFlights,
    operatingFlight: codeshare.operatingFlight,
    seatingCapacity: tellSeats(row, kept.seats),
    isOperating: !isMarketing,
    scheduleInstanceKey: row.scheduleInstanceKey,
    operatingInstanceKey: keys.operating,
    marketingInstancesKeys: keys.marketing,
    statusKey: row.statusKey,
  };
};

/** What status events tell of a flight under each of its designators, in the order of its instances. */
export const tellStatuses = (
  { instances, keys }: ReadFlight,
  { doc, ...kept }: KeptStatus,
): readonly [ToldStatus, ...ToldStatus[]] | readonly [] => {
  const status: StatusDetails | undefined = doc === '' ? undefined : JSON.parse(doc);
  const [first, ...others] = instances.map((instance) => tellStatus(instance, { ...kept, status }, keys));
  return first ? [first, ...others] : [];
};
