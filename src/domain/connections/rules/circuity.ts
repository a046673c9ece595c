import { greatCircleMetres, type Position } from '../../master-data/distance.ts';
import type { ConnectingFlight, ConnectionAirport } from '../connecting-flight.ts';

/** A way and the direct one, metres on the great circle; `percent` is unrounded, 100 is a straight line. */
export type Circuity = { readonly metres: number; readonly directMetres: number; readonly percent: number };

/** What is longer is no way anybody books; itself allowed. */
export const MAX_CIRCUITY_PERCENT = 250;

const positionOf = ({ latitude, longitude }: ConnectionAirport): Position | undefined =>
  latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };

/** Codes of the airports of a flight whose position is unknown, in the order of the flight. */
export const unknownPositionsOf = ({ airports }: Pick<ConnectingFlight, 'airports'>): readonly string[] =>
  airports.filter((airport) => positionOf(airport) === undefined).map(({ iata }) => iata);

/** The sum over the sectors of a flight, metres, unrounded; undefined when the position of an airport is unknown. */
export const flownMetresOf = ({ airports }: Pick<ConnectingFlight, 'airports'>): number | undefined => {
  let metres = 0;
  let before: Position | undefined;
  for (const airport of airports) {
    const position = positionOf(airport);
    if (position === undefined) return undefined;
    if (before !== undefined) metres += greatCircleMetres(before, position);
    before = position;
  }
  return metres;
};

/**
 * How far round a connection leads: all sectors flown, without the change of airports, over the direct great circle. Undefined when a
 * position is unknown and when there is no direct way, because the origin is the destination.
 */
export const circuityOf = (
  flight1: Pick<ConnectingFlight, 'airports'>,
  flight2: Pick<ConnectingFlight, 'airports'>,
): Circuity | undefined => {
  const first = flownMetresOf(flight1);
  const second = flownMetresOf(flight2);
  const [origin] = flight1.airports;
  const destination = flight2.airports.at(-1) ?? flight2.airports[0];
  const from = positionOf(origin);
  const to = positionOf(destination);
  if (first === undefined || second === undefined || !from || !to || origin.iata === destination.iata) return undefined;
  const directMetres = greatCircleMetres(from, to);
  if (directMetres === 0) return undefined;
  const metres = first + second;
  return { metres, directMetres, percent: (100 * metres) / directMetres };
};

/** The rule `circuity` for a way whose positions are all known. */
export const isCircuityAllowed = (circuity: Circuity | undefined): boolean =>
  circuity !== undefined && circuity.percent <= MAX_CIRCUITY_PERCENT;
