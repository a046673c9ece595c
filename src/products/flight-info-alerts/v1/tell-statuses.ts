import type { FlightInstance, ScheduledEnd, StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';
import type { EventSeats, LocalAndUtc } from '../../../domain/changes/event-parts.ts';
import { originDateOf } from '../../../domain/changes/origin-date.ts';
import type { ToldStatus } from '../../../domain/changes/told-status.ts';
import { formatDate, localDate } from '../../../domain/dates.ts';
import { filled, readInstance, readRow, type KeptInstance } from './kept-instance.ts';

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

const tellStatus = (instance: StatusInstance, kept: KeptStatus, keys: SharedKeys): ToldStatus => {
  const row = readInstance(instance);
  const status: StatusDetails | undefined = kept.doc === '' ? undefined : JSON.parse(kept.doc);
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
    originationDate: { local: originationOf(row) },
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
    isOperating: !instance.isMarketing,
    scheduleInstanceKey: row.scheduleInstanceKey,
    operatingInstanceKey: keys.operating,
    marketingInstancesKeys: keys.marketing,
    statusKey: row.statusKey,
  };
};

/**
 * What status events tell of a flight under each of its designators, in the order of its instances: give all that share its
 * status key, for each names the others.
 */
export const tellStatuses = (instances: readonly StatusInstance[], kept: KeptStatus): readonly ToldStatus[] => {
  const keysOf = (isMarketing: boolean): readonly string[] =>
    instances.flatMap((one) => (one.isMarketing === isMarketing ? (readRow(one.doc).scheduleInstanceKey ?? []) : []));
  const keys = { operating: keysOf(false)[0], marketing: keysOf(true).toSorted() };
  return instances.map((instance) => tellStatus(instance, kept, keys));
};
