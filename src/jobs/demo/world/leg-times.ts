import { greatCircleMetres } from '../../../domain/master-data/distance.ts';
import { atMinute, type LocalDate, type UtcMinute } from '../../../domain/time/dates.ts';
import { getAirport } from './airports.ts';
import { toUtcMinute } from './clock-changes.ts';
import { getPerformance, isSurface } from './equipment.ts';
import type { TimetableFlight, TimetableLeg } from './timetable.ts';

/** Routes are that much longer than the great circle: airways, detours, arrivals. Roads wind more. */
const AIR_DETOUR = 1.06;
const SURFACE_DETOUR = 1.25;
/** What the westerly winds of the middle latitudes give an aircraft going east and take from one going west. */
const WIND_KMH = 45;

const round = (minutes: number): number => Math.ceil(minutes / 5) * 5;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** How far east the first stretch of the great circle points: 1 due east, -1 due west. */
const eastward = (from: string, to: string): number => {
  const [start, end] = [getAirport(from), getAirport(to)];
  const turn = radians(end.longitude - start.longitude);
  const east = Math.sin(turn) * Math.cos(radians(end.latitude));
  const north =
    Math.cos(radians(start.latitude)) * Math.sin(radians(end.latitude)) -
    Math.sin(radians(start.latitude)) * Math.cos(radians(end.latitude)) * Math.cos(turn);
  return Math.sin(Math.atan2(east, north));
};

const isInWesterlies = (...stations: readonly string[]): boolean =>
  stations.every((station) => Math.abs(getAirport(station).latitude) > 25);

/** Minutes from gate to gate by distance, type and, in the middle latitudes, wind; to the next five minutes. */
export const computeBlockMinutes = (from: string, to: string, equipment: string): number => {
  const { speedKmh, overheadMinutes } = getPerformance(equipment);
  const kilometres = greatCircleMetres(getAirport(from), getAirport(to)) / 1000;
  if (isSurface(equipment)) return round((kilometres * SURFACE_DETOUR * 60) / speedKmh + overheadMinutes);
  const wind = isInWesterlies(from, to) ? WIND_KMH * eastward(from, to) : 0;
  return round((kilometres * AIR_DETOUR * 60) / (speedKmh + wind) + overheadMinutes);
};

/** A leg with the minutes from the flight's first departure to its own departure and arrival. */
export type TimedLeg = { readonly leg: TimetableLeg; readonly leaves: number; readonly arrives: number };

/** The legs of a flight one after the other: flying and ground times are the same in every season, clocks are not. */
export const computeLegTimes = (plan: TimetableFlight): readonly TimedLeg[] => {
  let clock = 0;
  return plan.legs.map((leg) => {
    const leaves = clock + (leg.groundMinutes ?? 0);
    clock = leaves + (leg.blockMinutes ?? computeBlockMinutes(leg.from, leg.to, leg.equipment));
    return { leg, leaves, arrives: clock };
  });
};

/** The instant at which a flight leaves its first station on a date there. */
export const toDepartureInstant = (plan: TimetableFlight, date: LocalDate): UtcMinute =>
  toUtcMinute(getAirport(plan.legs[0].from).zone, atMinute(date, plan.departs));

/** An instant some minutes later. */
export const addUtcMinutes = (start: UtcMinute, minutes: number): UtcMinute => (start + minutes) as UtcMinute;
