import { computeGreatCircleMetres } from '#domain/master-data/distance.ts';
import type { Location } from '#domain/master-data/master-data.ts';

/** From gate to gate, minutes. `shortest` and `longest` include every scheduled flight that was compared. */
export type BlockTime = { readonly shortest: number; readonly estimated: number; readonly longest: number };

/**
 * Ground time in minutes and speed in km/h. All 30,691 US flights of two days (2015, 40 to 8,000 km) are within these limits, as are the flights with
 * the strongest winds (HKG-SFO 12:00 for 11,130 km) and the longest detours (HEL-HND 13:20 for 7,840 km).
 */
const limits = {
  shortest: { minutes: 10, speed: 1000 },
  estimated: { minutes: 30, speed: 800 },
  longest: { minutes: 90, speed: 600 },
} as const;

/** The longest flight between places whose distance is not known, minutes. */
const LONGEST_FLIGHT = 24 * 60;

type Place = Pick<Location, 'latitude' | 'longitude'>;

const computeMetres = (from: Place, to: Place): number | undefined => {
  if (from.latitude === undefined || from.longitude === undefined) return undefined;
  if (to.latitude === undefined || to.longitude === undefined) return undefined;
  return computeGreatCircleMetres(
    { latitude: from.latitude, longitude: from.longitude },
    { latitude: to.latitude, longitude: to.longitude },
  );
};

/** Estimates the block time of a flight from the great-circle distance. Without a position, only that it takes up to a day. */
export const estimateBlockTime = (from: Place, to: Place): BlockTime => {
  const metres = computeMetres(from, to);
  const minutesOf = ({ minutes, speed }: (typeof limits)[keyof typeof limits]): number =>
    minutes + Math.round(((metres ?? 0) / 1000 / speed) * 60);
  return {
    shortest: minutesOf(limits.shortest),
    estimated: minutesOf(limits.estimated),
    longest: metres === undefined ? LONGEST_FLIGHT : minutesOf(limits.longest),
  };
};

/** Whether a flight between two places can take these minutes. */
export const isPossibleBlockTime = (minutes: number, from: Place, to: Place): boolean => {
  const { shortest, longest } = estimateBlockTime(from, to);
  return minutes >= shortest && minutes <= longest;
};
