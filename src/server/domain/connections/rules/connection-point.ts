import type { ConnectingFlight, ConnectionAirport } from '../flights/connecting-flight.ts';

/** A departure more than this after the arrival is a stopover; the limit itself is allowed. */
export const MAX_CONNECTING_MINUTES = 1440;

/** The default of `MaxConnectingTime` in the contract. */
export const DEFAULT_MAX_CONNECTING_MINUTES = 360;

/** The off point of leg 1 and the board point of leg 2, which can be two airports of one city. */
export type ConnectionPoint = { readonly arrival: ConnectionAirport; readonly departure: ConnectionAirport };

/** Returns the off point of flight 1 and the board point of flight 2, whether a connection is possible there or not. */
export const toConnectionPoint = (
  flight1: Pick<ConnectingFlight, 'airports'>,
  flight2: Pick<ConnectingFlight, 'airports'>,
): ConnectionPoint => ({ arrival: flight1.airports.at(-1) ?? flight1.airports[1], departure: flight2.airports[0] });

/** Returns whether the passenger has to change airports. */
export const isInterAirport = ({ arrival, departure }: ConnectionPoint): boolean => arrival.iata !== departure.iata;

/** Returns whether the rule `connection-point` is met: one airport, or two of the same known city. */
export const isConnectionPoint = (point: ConnectionPoint): boolean =>
  !isInterAirport(point) || (point.arrival.cityCode !== '' && point.arrival.cityCode === point.departure.cityCode);
