import { computeGreatCircleMetres } from '../../../domain/master-data/distance.ts';
import { buildLocalMinute, type LocalDate, type UtcMinute } from '../../../domain/time/dates.ts';
import { getAirport } from './airports.ts';
import { convertLocalToUtc, getUtcOffset } from '../../../domain/time/zones.ts';
import { getPerformance, isSurface } from './equipment.ts';
import type { TimetableFlight, TimetableLeg } from './timetable.ts';

/** Routes are longer than the great circle by these factors, because of airways, arrival routes and roads. */
const AIR_DETOUR = 1.06;
const SURFACE_DETOUR = 1.25;
/** The westerly wind of the middle latitudes: faster eastbound, slower westbound. */
const WIND_KMH = 45;

const roundUp = (minutes: number): number => Math.ceil(minutes / 5) * 5;

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Returns the eastward component of the initial course on the great circle: 1 is due east, -1 due west. */
const computeEastward = (from: string, to: string): number => {
  const [start, end] = [getAirport(from), getAirport(to)];
  const longitudeChange = toRadians(end.longitude - start.longitude);
  const east = Math.sin(longitudeChange) * Math.cos(toRadians(end.latitude));
  const north =
    Math.cos(toRadians(start.latitude)) * Math.sin(toRadians(end.latitude)) -
    Math.sin(toRadians(start.latitude)) * Math.cos(toRadians(end.latitude)) * Math.cos(longitudeChange);
  return Math.sin(Math.atan2(east, north));
};

const isInWesterlies = (...stations: readonly string[]): boolean =>
  stations.every((station) => Math.abs(getAirport(station).latitude) > 25);

/**
 * Returns the minutes from gate to gate by distance, aircraft type and, in the middle latitudes, wind, rounded up to
 * five minutes.
 */
export const computeBlockMinutes = (from: string, to: string, equipment: string): number => {
  const { speedKmh, overheadMinutes } = getPerformance(equipment);
  const kilometres = computeGreatCircleMetres(getAirport(from), getAirport(to)) / 1000;
  if (isSurface(equipment)) return roundUp((kilometres * SURFACE_DETOUR * 60) / speedKmh + overheadMinutes);
  const wind = isInWesterlies(from, to) ? WIND_KMH * computeEastward(from, to) : 0;
  return roundUp((kilometres * AIR_DETOUR * 60) / (speedKmh + wind) + overheadMinutes);
};

/** A leg with the minutes from the first departure of the flight to its own departure and arrival. */
export type TimedLeg = { readonly leg: TimetableLeg; readonly departs: number; readonly arrives: number };

/**
 * Returns the legs of a flight with their times: block and ground times are the same in every season, local times are
 * not.
 */
export const computeLegTimes = (flight: TimetableFlight): readonly TimedLeg[] => {
  let clock = 0;
  return flight.legs.map((leg) => {
    const departs = clock + (leg.groundMinutes ?? 0);
    clock = departs + (leg.blockMinutes ?? computeBlockMinutes(leg.from, leg.to, leg.equipment));
    return { leg, departs, arrives: clock };
  });
};

/** Returns the instant at which a flight departs from its first station on a local date; throws RangeError when the clock skips it. */
export const toDepartureInstant = (flight: TimetableFlight, date: LocalDate): UtcMinute => {
  const { zone } = getAirport(flight.legs[0].from);
  const local = buildLocalMinute(date, flight.departs);
  const { utc, offset } = convertLocalToUtc(zone, local, getUtcOffset(zone, local as number as UtcMinute));
  if (getUtcOffset(zone, utc) !== offset) throw new RangeError(`the clock of ${zone} skips minute ${local}`);
  return utc;
};

/** Returns an instant some minutes later. */
export const addUtcMinutes = (start: UtcMinute, minutes: number): UtcMinute => (start + minutes) as UtcMinute;
