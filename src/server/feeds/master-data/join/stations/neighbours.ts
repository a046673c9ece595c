import type { JoinedStation } from './merge-listing.ts';
import { computeMetres } from '#feeds/master-data/sources/station.ts';

/** Lower bound of a degree of latitude on the sphere that distances are computed on. */
const METRES_A_DEGREE = 111_000;

export type Neighbour = { readonly station: JoinedStation; readonly metres: number };

/**
 * Returns a function that lists the stations within a distance of a position, in no order. It computes the distance only of stations
 * whose degrees of latitude and longitude can be near enough.
 */
export const createNeighbourFinder = (
  stations: readonly JoinedStation[],
): ((position: Pick<JoinedStation, 'latitude' | 'longitude'>, metres: number) => readonly Neighbour[]) => {
  const degrees = Map.groupBy(
    stations.filter(({ latitude }) => latitude !== undefined),
    ({ latitude = 0 }) => Math.floor(latitude),
  );
  return (position, metres) => {
    const { latitude, longitude } = position;
    if (latitude === undefined || longitude === undefined) return [];
    const degreesOfLatitude = metres / METRES_A_DEGREE;
    const farthest = Math.abs(latitude) + degreesOfLatitude;
    // Near a pole, every longitude is near.
    const degreesOfLongitude = farthest < 89 ? degreesOfLatitude / Math.cos((farthest * Math.PI) / 180) : 180;
    const neighbours: Neighbour[] = [];
    for (let degree = Math.floor(latitude - degreesOfLatitude); degree <= latitude + degreesOfLatitude; degree++) {
      for (const station of degrees.get(degree) ?? []) {
        const difference = Math.abs((station.longitude ?? 0) - longitude);
        if (Math.min(difference, 360 - difference) > degreesOfLongitude) continue;
        const distance = computeMetres(position, station);
        if (distance <= metres) neighbours.push({ station, metres: distance });
      }
    }
    return neighbours;
  };
};

/** Returns the nearest neighbour, undefined when there is none. */
export const findNearest = (neighbours: readonly Neighbour[]): Neighbour | undefined =>
  neighbours.reduce<Neighbour | undefined>(
    (best, next) => (best && best.metres <= next.metres ? best : next),
    undefined,
  );
