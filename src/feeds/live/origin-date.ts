import { computeGreatCircleMetres } from '#domain/master-data/distance.ts';
import { toLocalDateText, type LiveRow } from './live-row.ts';

/** Position and zone of an airport. */
export type LiveStation = {
  readonly zone?: string | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
};

/** Finds an airport by its code. */
export type FindLiveStation = (code: string) => LiveStation | undefined;

/** Bounds of scheduled durations: a jet with tail wind, and an airplane that is slow on short legs, with taxi times. */
const shortest = { hours: 0.2, kilometresAnHour: 980 };
const longest = { hours: 0.9, kilometresAnHour: 640, onShortLegs: 280, shortKilometres: 1000 };
/** The longest stop of a flight under one number, hours. */
const LONGEST_STOP = 5;

const HOUR_MS = 3_600_000;

const measureLeg = (from: LiveStation | undefined, to: LiveStation | undefined): number | undefined => {
  if (from?.latitude === undefined || from.longitude === undefined) return undefined;
  if (to?.latitude === undefined || to.longitude === undefined) return undefined;
  const [a, b] = [from, to].map(({ latitude = 0, longitude = 0 }) => ({ latitude, longitude }));
  return a && b && computeGreatCircleMetres(a, b) / 1000;
};

/** Returns the shortest and the longest time from the first station to the last one, hours; undefined when a position is unknown. */
const boundDuration = (stations: readonly (LiveStation | undefined)[]): readonly [number, number] | undefined => {
  let [least, most] = [0, 0];
  for (let index = 1; index < stations.length; index += 1) {
    const kilometres = measureLeg(stations[index - 1], stations[index]);
    if (kilometres === undefined) return undefined;
    const slow = kilometres < longest.shortKilometres ? longest.onShortLegs : longest.kilometresAnHour;
    least += shortest.hours + kilometres / shortest.kilometresAnHour;
    most += longest.hours + kilometres / slow + (index > 1 ? LONGEST_STOP : 0);
  }
  return [least, most];
};

/**
 * Returns the local date on which the flight of an arrival leaves its first station, if only one is possible: by the distance, and by the date that
 * the ID of the leg confirms.
 */
export const findArrivalOriginDate = (row: LiveRow, zone: string, findStation: FindLiveStation): string | undefined => {
  const stations = [...row.stations, row.airport].map(findStation);
  const firstZone = stations[0]?.zone;
  const bounds = boundDuration(stations);
  if (firstZone === undefined || bounds === undefined) return undefined;
  const arrival = Date.parse(row.scheduled);
  const [least, most] = bounds;
  const [from, to] = [arrival - most * HOUR_MS, arrival - least * HOUR_MS];
  const confirmed = row.stations.length === 1 ? row.departureDates : undefined;
  const dates = new Set<string>();
  // In steps of half an hour: clocks of zones differ by quarters, but a date that only a part of a step has is possible at its ends, too.
  for (let at = from; ; at = Math.min(at + HOUR_MS / 2, to)) {
    const instant = new Date(at);
    const isPossible =
      !confirmed ||
      confirmed.includes(instant.toISOString().slice(0, 10)) ||
      confirmed.includes(toLocalDateText(instant, zone));
    if (isPossible) dates.add(toLocalDateText(instant, firstZone));
    if (at >= to) break;
  }
  const [date, ...others] = dates;
  return others.length === 0 ? date : undefined;
};
