import type {
  ArrivalStatus,
  CodeshareInfo,
  DepartureStatus,
  FlightInstance,
  FlightInstancePage,
  ScheduledEnd,
  StatusDetails,
} from '#generated/flight-info/v1/types.gen.ts';
import type {
  CodeshareInfo as NextCodeshareInfo,
  FlightInstance as NextInstance,
  FlightInstancePage as NextPage,
  ScheduledEnd as NextEnd,
  StatusDetails as NextStatus,
} from '#generated/flight-info/v2/types.gen.ts';

const toEnd = ({ airport: { iata, icao }, terminal, date, time }: NextEnd): ScheduledEnd => ({
  airport: { iata, icao },
  terminal,
  date: date.local,
  passengerLocalTime: time.local,
});

const toCodeshare = ({
  operatingAirlineDisclosure,
  aircraftOwner,
  cockpitCrewEmployer,
  jointOperationAirlineDesignators,
  marketingFlights,
  operatingFlight,
}: NextCodeshareInfo): CodeshareInfo => ({
  operatingAirlineDisclosure,
  aircraftOwner,
  cockpitCrewEmployer,
  jointOperationAirlineDesignators,
  comments010: marketingFlights,
  comment050: operatingFlight,
});

/** The properties of a type, with a value or undefined for each: the compiler names one that is missing. */
type Complete<T> = { readonly [Name in keyof Required<T>]: T[Name] };

const toDepartureStatus = (status: NonNullable<NextStatus['departure']>): DepartureStatus =>
  ({
    estimatedTime: status.estimatedTime,
    actualTime: status.actualTime,
    airport: status.airport,
    country: status.country,
    actualTerminal: status.actualTerminal,
    gate: status.gate,
    checkInCounter: status.checkInCounter,
  }) satisfies Complete<DepartureStatus>;

const toArrivalStatus = (status: NonNullable<NextStatus['arrival']>): ArrivalStatus =>
  ({
    estimatedTime: status.estimatedTime,
    actualTime: status.actualTime,
    airport: status.airport,
    country: status.country,
    actualTerminal: status.actualTerminal,
    gate: status.gate,
    baggage: status.baggage,
  }) satisfies Complete<ArrivalStatus>;

const toEquipment = ({
  aircraftRegistrationNumber,
  actualAircraftType,
}: NonNullable<NextStatus['equipment']>): StatusDetails['equipment'] =>
  ({ aircraftRegistrationNumber, actualAircraftType }) satisfies Complete<NonNullable<StatusDetails['equipment']>>;

/** Converts a status of v2 to v1. It names what v1 has: a new property of v2 is not in v1. */
export const toStatus = (status: NextStatus): StatusDetails =>
  ({
    state: status.state,
    updatedAt: status.updatedAt,
    equipment: status.equipment && toEquipment(status.equipment),
    departure: status.departure && toDepartureStatus(status.departure),
    arrival: status.arrival && toArrivalStatus(status.arrival),
    diversionAirport: status.diversionAirport,
    diversionType: status.diversionType,
    irregularOperationType: status.irregularOperationType,
    correction: status.correction,
  }) satisfies Complete<StatusDetails>;

/** Converts an instance of v2 to v1. Undefined properties are absent from the JSON, as the contract requires. */
export const toFlightInstance = (instance: NextInstance): FlightInstance => ({
  carrierCode: instance.carrier,
  serviceSuffix: instance.serviceSuffix,
  flightNumber: instance.flightNumber,
  sequenceNumber: instance.sequenceNumber,
  flightType: instance.flightType,
  departure: toEnd(instance.departure),
  arrival: toEnd(instance.arrival),
  aircraftType: instance.aircraftType,
  serviceTypeCode: instance.serviceType,
  segmentInfo: instance.segmentInfo,
  fingerprint: instance.scheduleInstanceKey,
  isOperating: instance.isOperating,
  codeshare: toCodeshare(instance.codeshare),
  statusDetails: instance.statusDetails?.map(toStatus),
});

/** Converts a page of v2 to v1. Its `next` is already a v1 URL: v2 builds it from the request URL. */
export const toPage = ({ data, paging }: NextPage): FlightInstancePage => ({
  data: data.map(toFlightInstance),
  paging,
});
