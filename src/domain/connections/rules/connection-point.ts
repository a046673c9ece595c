import type { ConnectingFlight, ConnectionAirport } from '../connecting-flight.ts';

/** Where a connection is made: the off point of leg 1 and the board point of leg 2, which can be two airports of one city. */
export type ConnectionPoint = { readonly arrival: ConnectionAirport; readonly departure: ConnectionAirport };

/** The connection point of two flights, whether they can connect there or not. */
export const connectionPointOf = (
  flight1: Pick<ConnectingFlight, 'airports'>,
  flight2: Pick<ConnectingFlight, 'airports'>,
): ConnectionPoint => ({ arrival: flight1.airports.at(-1) ?? flight1.airports[1], departure: flight2.airports[0] });

/** Whether one has to change airports. */
export const isInterAirport = ({ arrival, departure }: ConnectionPoint): boolean => arrival.iata !== departure.iata;

/** The rule `connection-point`: one airport, or two of the same city; one whose city is unknown shares it with none. */
export const isConnectionPoint = (point: ConnectionPoint): boolean =>
  !isInterAirport(point) || (point.arrival.cityCode !== '' && point.arrival.cityCode === point.departure.cityCode);
