import type { FlightInstance } from '../../../../generated/flight-info/v2/types.gen.ts';
import { greatCircleMetres, inKilometers, inMiles, inNauticalMiles, type Position } from '../../../domain/distance.ts';
import type { Location } from '../../../domain/master-data.ts';

const positionOf = (location: Location | undefined): Position | undefined =>
  location?.latitude === undefined || location.longitude === undefined
    ? undefined
    : { latitude: location.latitude, longitude: location.longitude };

/** The distances of a flight over its stations in order; undefined when the position of one is not known. */
export const showDistances = (stations: readonly (Location | undefined)[]): FlightInstance['distance'] => {
  const points = stations.map(positionOf);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return undefined;
  let accumulated = 0;
  for (const [index, point] of points.entries()) {
    if (index === 0) continue;
    const before = points[index - 1];
    if (!before || !point) return undefined;
    accumulated += greatCircleMetres(before, point);
  }
  const direct = greatCircleMetres(first, last);
  return {
    accumulatedGreatCircleKilometers: inKilometers(accumulated),
    accumulatedGreatCircleMiles: inMiles(accumulated),
    accumulatedGreatCircleNauticalMiles: inNauticalMiles(accumulated),
    greatCircleKilometers: inKilometers(direct),
    greatCircleMiles: inMiles(direct),
    greatCircleNauticalMiles: inNauticalMiles(direct),
  };
};
