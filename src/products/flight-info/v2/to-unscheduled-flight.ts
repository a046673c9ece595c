import type { FlightInstance, ScheduledEnd } from '../../../../generated/flight-info/v2/types.gen.ts';
import {
  dateAt,
  formatDate,
  formatTime,
  minuteOfDay,
  type LocalMinute,
  type UtcMinute,
} from '../../../domain/time/dates.ts';
import { flightDistances } from '../../../domain/master-data/distance.ts';
import type { Carrier, Location } from '../../../domain/master-data/master-data.ts';
import { toCodes } from './to-flight-instance.ts';

/** One end of a flight that no schedule holds. */
export type UnscheduledEnd = {
  readonly location: Location;
  readonly local: LocalMinute;
  readonly utc: UtcMinute;
};

/** A flight that no schedule holds. */
export type UnscheduledFlight = {
  readonly carrier: Carrier;
  readonly flightNumber: number;
  readonly flightType: 'Unscheduled' | 'GA';
  readonly departure: UnscheduledEnd;
  readonly arrival: UnscheduledEnd;
  /** False when the arrival time is only worked out from the distance. */
  readonly isArrivalKnown: boolean;
  readonly aircraftType: { readonly iata: string; readonly icao: string };
  /** One IATA letter, '' when undefined. */
  readonly serviceType: string;
  /** 64 hexadecimal digits. */
  readonly statusKey: string;
};

const toEnd = ({ location, local, utc }: UnscheduledEnd): ScheduledEnd => ({
  airport: toCodes(location),
  ...(location.countryCode && { country: { code: location.countryCode } }),
  date: { local: formatDate(dateAt(local)), utc: formatDate(dateAt(utc)) },
  time: { local: formatTime(minuteOfDay(local)), utc: formatTime(minuteOfDay(utc)) },
});

/** The list row of a flight that no schedule holds, the JSON text of a FlightInstance. */
export const renderUnscheduledRow = (flight: UnscheduledFlight): string => {
  const { carrier, departure, arrival } = flight;
  const distance = flightDistances([departure.location, arrival.location]);
  return JSON.stringify({
    carrier: toCodes({ iata: carrier.iata, icao: carrier.icao }),
    flightNumber: flight.flightNumber,
    flightType: flight.flightType,
    departure: toEnd(departure),
    arrival: toEnd(arrival),
    elapsedTime: flight.isArrivalKnown ? arrival.utc - departure.utc : 0,
    aircraftType: toCodes(flight.aircraftType),
    serviceType: flight.serviceType === '' ? {} : { iata: flight.serviceType },
    segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
    ...(distance && { distance }),
    codeshare: { jointOperationAirlineDesignators: [], marketingFlights: [] },
    statusKey: flight.statusKey,
  } satisfies FlightInstance);
};
