import type {
  CodeshareInfo,
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

/** Converts a status of v2 to v1, which has no stand, check-in, boarding or sources. */
export const toStatus = ({ departure, arrival, sources: _sources, ...others }: NextStatus): StatusDetails => {
  const { stand: _departureStand, checkIn: _checkIn, boarding: _boarding, ...departureOfV1 } = departure ?? {};
  const { stand: _arrivalStand, ...arrivalOfV1 } = arrival ?? {};
  return { ...others, ...(departure && { departure: departureOfV1 }), ...(arrival && { arrival: arrivalOfV1 }) };
};

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
