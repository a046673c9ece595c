import { greatCircleMetres } from '../../../domain/master-data/distance.ts';
import { airportOf } from './airports.ts';
import { isSurface, performanceOf } from './equipment.ts';

/** Routes are that much longer than the great circle: airways, detours, arrivals. Roads wind more. */
const AIR_DETOUR = 1.06;
const SURFACE_DETOUR = 1.25;
/** What the westerly winds of the middle latitudes give an aircraft going east and take from one going west. */
const WIND_KMH = 45;

const round = (minutes: number): number => Math.ceil(minutes / 5) * 5;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** How far east the first stretch of the great circle points: 1 due east, -1 due west. */
const eastward = (from: string, to: string): number => {
  const [start, end] = [airportOf(from), airportOf(to)];
  const turn = radians(end.longitude - start.longitude);
  const east = Math.sin(turn) * Math.cos(radians(end.latitude));
  const north =
    Math.cos(radians(start.latitude)) * Math.sin(radians(end.latitude)) -
    Math.sin(radians(start.latitude)) * Math.cos(radians(end.latitude)) * Math.cos(turn);
  return Math.sin(Math.atan2(east, north));
};

const isInWesterlies = (...stations: readonly string[]): boolean =>
  stations.every((station) => Math.abs(airportOf(station).latitude) > 25);

/** Minutes from gate to gate by distance, type and, in the middle latitudes, wind; to the next five minutes. */
export const blockMinutes = (from: string, to: string, equipment: string): number => {
  const { speedKmh, overheadMinutes } = performanceOf(equipment);
  const kilometres = greatCircleMetres(airportOf(from), airportOf(to)) / 1000;
  if (isSurface(equipment)) return round((kilometres * SURFACE_DETOUR * 60) / speedKmh + overheadMinutes);
  const wind = isInWesterlies(from, to) ? WIND_KMH * eastward(from, to) : 0;
  return round((kilometres * AIR_DETOUR * 60) / (speedKmh + wind) + overheadMinutes);
};
