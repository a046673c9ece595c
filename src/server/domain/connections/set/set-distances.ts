import { computeGreatCircleMetres, type Position } from '#domain/master-data/distance.ts';
import type { ConnectionAirport } from '../flights/connecting-flight.ts';

/** Great-circle distances in a set, metres, unrounded; NaN where a position is unknown. */
export type SetDistances = {
  /** From an airport to all airports, by number. */
  readonly directFrom: (airport: number) => Float64Array;
  /** Along each route, including stops. */
  readonly alongRoute: Float64Array;
};

const toPosition = (airport: ConnectionAirport | undefined): Position | undefined =>
  airport?.latitude === undefined || airport.longitude === undefined
    ? undefined
    : { latitude: airport.latitude, longitude: airport.longitude };

/** Creates the distances. Those of an airport are computed on first use: 0.2 ms for 3,500 airports, 28 kB each. */
export const createSetDistances = (
  airports: readonly ConnectionAirport[],
  routes: readonly (readonly number[])[],
): SetDistances => {
  const positions = airports.map(toPosition);
  const rows: (Float64Array | undefined)[] = [];
  const between = (one: Position | undefined, other: Position | undefined): number =>
    one && other ? computeGreatCircleMetres(one, other) : Number.NaN;
  const directFrom = (airport: number): Float64Array =>
    (rows[airport] ??= Float64Array.from(positions, (to) => between(positions[airport], to)));
  const measureRoute = (route: readonly number[]): number =>
    route.slice(1).reduce((sum, to, index) => sum + between(positions[route[index] ?? -1], positions[to]), 0);
  return { directFrom, alongRoute: Float64Array.from(routes, measureRoute) };
};
