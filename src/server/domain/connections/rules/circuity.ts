import { computeGreatCircleMetres, type Position } from '#domain/master-data/distance.ts';
import type { ConnectingFlight, ConnectionAirport } from '../flights/connecting-flight.ts';

/** The flown and the direct distance, great-circle metres; `percent` is unrounded, 100 is a straight line. */
export type Circuity = { readonly metres: number; readonly directMetres: number; readonly percent: number };

/** Longer routes are not bookable; the limit itself is allowed. */
export const MAX_CIRCUITY_PERCENT = 250;

const toPosition = ({ latitude, longitude }: ConnectionAirport): Position | undefined =>
  latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };

/** Lists the airports of a flight whose position is unknown, in the order of the flight. */
export const listUnknownPositions = ({ airports }: Pick<ConnectingFlight, 'airports'>): readonly string[] =>
  airports.filter((airport) => toPosition(airport) === undefined).map(({ iata }) => iata);

/** Computes the sum over the sectors of a flight, metres, unrounded; undefined when the position of an airport is unknown. */
export const computeFlownMetres = ({ airports }: Pick<ConnectingFlight, 'airports'>): number | undefined => {
  let metres = 0;
  let previous: Position | undefined;
  for (const airport of airports) {
    const position = toPosition(airport);
    if (position === undefined) return undefined;
    if (previous !== undefined) metres += computeGreatCircleMetres(previous, position);
    previous = position;
  }
  return metres;
};

/**
 * Computes the circuity of a connection: all flown sectors, without the transfer between airports, over the direct great circle. Undefined when a
 * position is unknown, and when the origin is the destination.
 */
export const computeCircuity = (
  flight1: Pick<ConnectingFlight, 'airports'>,
  flight2: Pick<ConnectingFlight, 'airports'>,
): Circuity | undefined => {
  const first = computeFlownMetres(flight1);
  const second = computeFlownMetres(flight2);
  const [origin] = flight1.airports;
  const destination = flight2.airports.at(-1) ?? flight2.airports[0];
  const from = toPosition(origin);
  const to = toPosition(destination);
  if (first === undefined || second === undefined || !from || !to || origin.iata === destination.iata) return undefined;
  const directMetres = computeGreatCircleMetres(from, to);
  if (directMetres === 0) return undefined;
  const metres = first + second;
  return { metres, directMetres, percent: (100 * metres) / directMetres };
};

/** Returns whether the rule `circuity` allows a route whose positions are all known. */
export const isCircuityAllowed = (circuity: Circuity | undefined): boolean =>
  circuity !== undefined && circuity.percent <= MAX_CIRCUITY_PERCENT;
