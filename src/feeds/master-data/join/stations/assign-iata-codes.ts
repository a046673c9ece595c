import type { BestKnown } from '../../sources/reference-points.ts';
import { metresBetween, type Station } from '../../sources/station.ts';

/** Two lists that give one identifier within this distance mean one field. */
const SAME_FIELD_METRES = 10_000;
/** Two lists that share no identifier mean one field only when its reference points all but fall together. */
const SAME_POINT_METRES = 1000;

export type Adopted = {
  readonly airports: readonly Station[];
  /** The station of another list that gave a field its IATA code, by that code. */
  readonly givers: ReadonlyMap<string, Station>;
};

type Others = {
  readonly snapshot: readonly Station[];
  readonly bestKnown: BestKnown;
  readonly withdrawnCodes: ReadonlySet<string>;
};

/**
 * Fields in use that list no IATA code take one that no airport in use has and that was not withdrawn: of the station of the
 * older list with their ICAO or FAA code at the same place, or of the airport that the points of reference have at their very
 * spot.
 */
export const adoptCodes = (airports: readonly Station[], { snapshot, bestKnown, withdrawnCodes }: Others): Adopted => {
  const taken = new Set([...airports.map(({ iata }) => iata), ...withdrawnCodes]);
  const givers = new Map<string, Station>();
  const free = snapshot.filter(({ iata }) => !taken.has(iata));
  const byIcao = Map.groupBy(free, ({ icao }) => icao);
  const byFaa = Map.groupBy(free, ({ faa }) => faa);
  const spots = [...bestKnown.stations.values()].filter(({ iata, type }) => type === 'Airport' && !taken.has(iata));
  const spotsByLatitude = Map.groupBy(spots, ({ latitude = Number.NaN }) => Math.floor(latitude));

  const giverOf = (field: Station): Station | undefined => {
    const alike = [
      ...(field.icao === '' ? [] : (byIcao.get(field.icao) ?? [])),
      ...(field.faa === '' ? [] : (byFaa.get(field.faa) ?? [])),
    ].filter((station) => metresBetween(station, field) <= SAME_FIELD_METRES);
    const band = Math.floor(field.latitude ?? Number.NaN);
    const close = [band - 1, band, band + 1]
      .flatMap((latitude) => spotsByLatitude.get(latitude) ?? [])
      .filter((station) => metresBetween(station, field) <= SAME_POINT_METRES);
    return [...alike, ...close].find(({ iata }) => !givers.has(iata));
  };

  const named = airports.map((field) => {
    const giver = field.iata === '' ? giverOf(field) : undefined;
    if (!giver) return field;
    givers.set(giver.iata, giver);
    return { ...field, iata: giver.iata };
  });
  return { airports: named, givers };
};
