import type { FlightInstance, ScheduledEnd } from '#generated/flight-info/v2/types.gen.ts';
import { toDate, formatDate, formatTime, toMinuteOfDay, type LocalMinute, type UtcMinute } from '#domain/time/dates.ts';
import { computeFlightDistances } from '#domain/master-data/distance.ts';
import type { Carrier, Location } from '#domain/master-data/master-data.ts';
import type { UnscheduledFlightDescription } from '#domain/status/message.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import { toMarketedFlight } from '#domain/schedule/segment-lookups.ts';
import { toCodes } from './to-flight-instance.ts';

/** Departure or arrival of an unscheduled flight. */
export type UnscheduledEnd = {
  readonly location: Location;
  readonly local: LocalMinute;
  readonly utc: UtcMinute;
  /** True if the time is only estimated from the distance. */
  readonly isEstimated: boolean;
};

/** A flight that is in no schedule file or message. */
export type UnscheduledFlight = {
  readonly carrier: Carrier;
  readonly flightNumber: number;
  /** '' when there is none. */
  readonly suffix: string;
  readonly flightType: UnscheduledFlightDescription['flightType'];
  readonly departure: UnscheduledEnd;
  readonly arrival: UnscheduledEnd;
  readonly aircraftType: { readonly iata: string; readonly icao: string };
  /** One IATA letter, '' when undefined. */
  readonly serviceType: string;
  readonly marketingFlights: readonly Designator[];
  /** 64 hexadecimal digits. */
  readonly statusKey: string;
};

const toEnd = ({ location, local, utc, isEstimated }: UnscheduledEnd): ScheduledEnd => ({
  airport: toCodes(location),
  ...(location.countryCode && { country: { code: location.countryCode } }),
  date: { local: formatDate(toDate(local)), utc: formatDate(toDate(utc)) },
  time: { local: formatTime(toMinuteOfDay(local)), utc: formatTime(toMinuteOfDay(utc)) },
  ...(isEstimated && { isEstimated }),
});

/** Renders the list row of an unscheduled flight as JSON text of a FlightInstance. */
export const renderUnscheduledRow = (flight: UnscheduledFlight): string => {
  const { carrier, departure, arrival } = flight;
  const distance = computeFlightDistances([departure.location, arrival.location]);
  return JSON.stringify({
    carrier: toCodes({ iata: carrier.iata, icao: carrier.icao }),
    ...(flight.suffix !== '' && { serviceSuffix: flight.suffix }),
    flightNumber: flight.flightNumber,
    flightType: flight.flightType,
    departure: toEnd(departure),
    arrival: toEnd(arrival),
    elapsedTime: departure.isEstimated || arrival.isEstimated ? 0 : arrival.utc - departure.utc,
    aircraftType: toCodes(flight.aircraftType),
    serviceType: flight.serviceType === '' ? {} : { iata: flight.serviceType },
    segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
    ...(distance && { distance }),
    codeshare: {
      jointOperationAirlineDesignators: [],
      marketingFlights: flight.marketingFlights.map(toMarketedFlight),
    },
    statusKey: flight.statusKey,
  } satisfies Omit<FlightInstance, 'isOperating'>);
};
