import type { FlightInstance, ScheduledEnd, StatusDetails } from '../../../../../generated/flight-info/v2/types.gen.ts';
import type { EventSeats, LocalAndUtc, StatusContent } from '../../../../domain/events/event-content.ts';
import { findOriginDate } from '../../../../domain/events/origin-date.ts';
import { formatDate, localDate } from '../../../../domain/time/dates.ts';
import { orUndefined, parseInstance, type StoredInstance } from './stored-instance.ts';

/** An instance of a flight, under one of its designators. */
export type StoredDesignatorInstance = StoredInstance & { readonly isMarketing: boolean };

/** What is kept of a flight's status. */
export type StoredStatus = {
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
const toScheduledTime = ({ date, time }: ScheduledEnd): LocalAndUtc => ({
  local: `${date.local}T${time.local}:00`,
  utc: `${date.utc}T${time.utc}:00+00:00`,
});

const toAirportAndCountry = ({ airport, country }: Partial<Pick<ScheduledEnd, 'airport' | 'country'>>) => ({
  ...(orUndefined(airport) && { airport }),
  ...(country && { country }),
});

/** An elapsed time of 0 says that nobody knows when an unscheduled flight arrives. */
const isArrivalKnown = ({ flightType, elapsedTime }: FlightInstance): boolean =>
  flightType === 'Scheduled' || elapsedTime > 0;

const toDeparture = (row: FlightInstance, status: StatusDetails | undefined): StatusContent['departure'] => {
  const { estimatedTime, actualTime, actualTerminal, gate, checkInCounter } = status?.departure ?? {};
  return {
    times: {
      scheduled: toScheduledTime(row.departure),
      ...(estimatedTime && { estimated: estimatedTime }),
      ...(actualTime && { actual: actualTime }),
    },
    ...toAirportAndCountry(row.departure),
    scheduled: toAirportAndCountry(row.departure),
    terminal: actualTerminal ?? (row.departure.terminal || undefined),
    gate,
    checkInCounter,
  };
};

/** On a flight that was diverted only what was observed tells place and terminal: the schedule speaks of another airport. */
const toArrival = (row: FlightInstance, status: StatusDetails | undefined): StatusContent['arrival'] => {
  const { estimatedTime, actualTime, actualTerminal, gate, baggage, ...place } = status?.arrival ?? {};
  const wasDiverted = status?.diversionType !== undefined;
  const times = orUndefined({
    ...(isArrivalKnown(row) && { scheduled: toScheduledTime(row.arrival) }),
    ...(estimatedTime && { estimated: estimatedTime }),
    ...(actualTime && { actual: actualTime }),
  });
  return {
    ...(times && { times }),
    ...toAirportAndCountry(wasDiverted ? place : row.arrival),
    scheduled: toAirportAndCountry(row.arrival),
    terminal: actualTerminal ?? (wasDiverted ? undefined : row.arrival.terminal || undefined),
    gate,
    baggage,
  };
};

/** The type and the registration that fly; of the type, what was scheduled stands until another is told. */
const toEquipment = (row: FlightInstance, status: StatusDetails | undefined): StatusContent['equipment'] => {
  const { actualAircraftType, aircraftRegistrationNumber } = status?.equipment ?? {};
  return orUndefined({
    aircraftType: orUndefined(actualAircraftType) ?? orUndefined(row.aircraftType),
    aircraftRegistrationNumber,
  });
};

const toSeatingCapacity = (row: FlightInstance, kept: string | undefined): StatusContent['seatingCapacity'] => {
  const flown: EventSeats | undefined = kept === undefined ? undefined : JSON.parse(kept);
  const actual = orUndefined(flown) ?? orUndefined(row.seatingCapacity?.actual);
  return actual && { actual };
};

const toOriginationDate = (row: FlightInstance): string => {
  const { scheduleInstanceKey, carrier, flightNumber, serviceSuffix = '', departure, arrival } = row;
  const departsOn = localDate(departure.date.local);
  const date =
    scheduleInstanceKey === undefined
      ? departsOn
      : findOriginDate({
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
type ParsedInstance = { readonly row: FlightInstance; readonly isMarketing: boolean; readonly originatesOn: string };

/** A flight under each of its designators, ready to be told with any status: reading it costs more than telling it. */
export type ParsedFlight = { readonly instances: readonly ParsedInstance[]; readonly keys: SharedKeys };

/** Reads a flight: give all instances that share its status key, for each names the others. */
export const parseFlight = (instances: readonly StoredDesignatorInstance[]): ParsedFlight => {
  const read = instances.map((instance): ParsedInstance => {
    const row = parseInstance(instance);
    return { row, isMarketing: instance.isMarketing, originatesOn: toOriginationDate(row) };
  });
  const keysOf = (isMarketing: boolean): readonly string[] =>
    read.flatMap((one) => (one.isMarketing === isMarketing ? (one.row.scheduleInstanceKey ?? []) : []));
  return { instances: read, keys: { operating: keysOf(false)[0], marketing: keysOf(true).toSorted() } };
};

/** The members of `KeptStatus` with the status read, once for all designators. */
type ParsedStatus = Omit<StoredStatus, 'doc'> & { readonly status: StatusDetails | undefined };

const toStatusContent = (
  { row, isMarketing, originatesOn }: ParsedInstance,
  kept: ParsedStatus,
  keys: SharedKeys,
): StatusContent => {
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
    equipment: toEquipment(row, status),
    originationDate: { local: originatesOn },
    departure: toDeparture(row, status),
    arrival: toArrival(row, status),
    diversionAirport: orUndefined(status?.diversionAirport),
    irregularOperationType: status?.irregularOperationType,
    diversionType: status?.diversionType,
    originalStatusKey: kept.originalStatusKey,
    operatingAirlineDisclosure: codeshare.operatingAirlineDisclosure,
    cockpitCrewEmployer: codeshare.cockpitCrewEmployer,
    cabinCrewEmployer: codeshare.cabinCrewEmployer,
    marketingFlights: codeshare.marketingFlights,
    operatingFlight: codeshare.operatingFlight,
    seatingCapacity: toSeatingCapacity(row, kept.seats),
    isOperating: !isMarketing,
    scheduleInstanceKey: row.scheduleInstanceKey,
    operatingInstanceKey: keys.operating,
    marketingInstancesKeys: keys.marketing,
    statusKey: row.statusKey,
  };
};

/** What status events tell of a flight under each of its designators, in the order of its instances. */
export const toStatusContents = (
  { instances, keys }: ParsedFlight,
  { doc, ...kept }: StoredStatus,
): readonly [StatusContent, ...StatusContent[]] | readonly [] => {
  const status: StatusDetails | undefined = doc === '' ? undefined : JSON.parse(doc);
  const [first, ...others] = instances.map((instance) => toStatusContent(instance, { ...kept, status }, keys));
  return first ? [first, ...others] : [];
};
