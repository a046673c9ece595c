import { formatDate } from '../../../domain/time/dates.ts';
import type { FlightReference } from '../../../domain/status/message.ts';

/** A reference as a person reads it. */
export const describeReference = (flight: FlightReference): string =>
  flight.by === 'designator'
    ? `${flight.carrier} ${flight.flightNumber}${flight.suffix} of ${formatDate(flight.originDate)}, ${flight.departureAirport || '?'}-${flight.arrivalAirport ?? '?'}`
    : `${flight.by} ${flight.key}`;
