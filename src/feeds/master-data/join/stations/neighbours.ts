import type { JoinedStation } from './merge-listing.ts';
import { metresBetween } from '../../sources/station.ts';

/** A degree of latitude is nowhere shorter on the sphere that distances are measured on. */
const METRES_A_DEGREE = 111_000;

export type Neighbour = { readonly station: JoinedStation; readonly metres: number };

/**
 * The stations around a place within a distance, in no order. Few are measured: those whose degrees of latitude and longitude
 * could be that near.
 */
export const neighboursAmong = (
  stations: readonly JoinedStation[],
): ((place: Pick<JoinedStation, 'latitude' | 'longitude'>, metres: number) => readonly Neighbour[]) => {
  const degrees = Map.groupBy(
    stations.filter(({ latitude }) => latitude !== undefined),
    ({ latitude = 0 }) => Math.floor(latitude),
  );
  return (place, metres) => {
    const { latitude, longitude } = place;
    if (latitude === undefined || longitude === undefined) return [];
    const reach = metres / METRES_A_DEGREE;
    const farthest = Math.abs(latitude) + reach;
    // Near a pole any longitude is near.
    const spread = farthest < 89 ? reach / Math.cos((farthest * Math.PI) / 180) : 180;
    const found: Neighbour[] = [];
    for (let degree = Math.floor(latitude - reach); degree <= latitude + reach; degree++) {
      for (const station of degrees.get(degree) ?? []) {
        const apart = Math.abs((station.longitude ?? 0) - longitude);
        if (Math.min(apart, 360 - apart) > spread) continue;
        const distance = metresBetween(place, station);
        if (distance <= metres) found.push({ station, metres: distance });
      }
    }
    return found;
  };
};

/** The nearest of neighbours; undefined of none. */
export const nearestOf = (neighbours: readonly Neighbour[]): Neighbour | undefined =>
  neighbours.reduce<Neighbour | undefined>(
    (best, next) => (best && best.metres <= next.metres ? best : next),
    undefined,
  );
