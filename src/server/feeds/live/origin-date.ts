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

/** The arrival of a row, and the dates that its leg can have left on. */
type Arrival = { readonly at: number; readonly zone: string; readonly confirmed: readonly string[] | undefined };

/** Lists the local dates on which an arrival can have left the first of some stations. */
const listDepartureDates = (
  stations: readonly (LiveStation | undefined)[],
  { at: arrival, zone, confirmed }: Arrival,
): readonly (string | undefined)[] => {
  const firstZone = stations[0]?.zone;
  const bounds = boundDuration(stations);
  if (firstZone === undefined || bounds === undefined) return [undefined];
  const [from, to] = [arrival - bounds[1] * HOUR_MS, arrival - bounds[0] * HOUR_MS];
  const dates = new Set<string>();
  for (let at = from; ; at = Math.min(at + HOUR_MS / 4, to)) {
    const instant = new Date(at);
    const isPossible =
      !confirmed ||
      confirmed.includes(instant.toISOString().slice(0, 10)) ||
      confirmed.includes(toLocalDateText(instant, zone));
    if (isPossible) dates.add(toLocalDateText(instant, firstZone));
    if (at >= to) return [...dates];
  }
};

/**
 * Returns the local date on which the flight of an arrival leaves its first station, if only one is possible, by the distance and by the date that the
 * ID of the leg confirms, and if its last leg leaves on the same date.
 */
export const findArrivalOriginDate = (row: LiveRow, zone: string, findStation: FindLiveStation): string | undefined => {
  const stations = [...row.stations, row.airport].map(findStation);
  const arrival = { at: Date.parse(row.scheduled), zone, confirmed: row.departureDates };
  const ofFirst = stations.length > 2 ? listDepartureDates(stations, { ...arrival, confirmed: undefined }) : [];
  const dates = new Set([...listDepartureDates(stations.slice(-2), arrival), ...ofFirst]);
  const [date] = dates;
  return dates.size === 1 ? date : undefined;
};
