import type { ReferencePoints } from '#feeds/master-data/sources/reference-points.ts';
import { computeMetres, type Station } from '#feeds/master-data/sources/station.ts';

/** Entries of two lists with the same identifier are one field within this distance. */
const SAME_FIELD_METRES = 10_000;
/** Entries of two lists without a common identifier are one field within this distance. */
const SAME_POINT_METRES = 1000;

export type AssignedCodes = {
  readonly airports: readonly Station[];
  /** The entries of other lists that provided IATA codes, by code. */
  readonly codeSources: ReadonlyMap<string, Station>;
};

type OtherLists = {
  readonly snapshot: readonly Station[];
  readonly referencePoints: ReferencePoints;
  readonly withdrawnCodes: ReadonlySet<string>;
};

/**
 * Assigns IATA codes to fields in use without one: the code of the station of the older list with their ICAO or FAA code at the same
 * place, or of the airport that the points of reference have at the same point. Codes that an airport in use has, or that were
 * withdrawn, are not assigned.
 */
export const assignIataCodes = (
  airports: readonly Station[],
  { snapshot, referencePoints, withdrawnCodes }: OtherLists,
): AssignedCodes => {
  const taken = new Set([...airports.map(({ iata }) => iata), ...withdrawnCodes]);
  const codeSources = new Map<string, Station>();
  const free = snapshot.filter(({ iata }) => !taken.has(iata));
  const byIcao = Map.groupBy(free, ({ icao }) => icao);
  const byFaa = Map.groupBy(free, ({ faa }) => faa);
  const points = [...referencePoints.stations.values()].filter(
    ({ iata, type }) => type === 'Airport' && !taken.has(iata),
  );
  const pointsByLatitude = Map.groupBy(points, ({ latitude = Number.NaN }) => Math.floor(latitude));

  const findCodeSource = (field: Station): Station | undefined => {
    const alike = [
      ...(field.icao === '' ? [] : (byIcao.get(field.icao) ?? [])),
      ...(field.faa === '' ? [] : (byFaa.get(field.faa) ?? [])),
    ].filter((station) => computeMetres(station, field) <= SAME_FIELD_METRES);
    const band = Math.floor(field.latitude ?? Number.NaN);
    const close = [band - 1, band, band + 1]
      .flatMap((latitude) => pointsByLatitude.get(latitude) ?? [])
      .filter((station) => computeMetres(station, field) <= SAME_POINT_METRES);
    return [...alike, ...close].find(({ iata }) => !codeSources.has(iata));
  };

  const coded = airports.map((field) => {
    const codeSource = field.iata === '' ? findCodeSource(field) : undefined;
    if (!codeSource) return field;
    codeSources.set(codeSource.iata, codeSource);
    return { ...field, iata: codeSource.iata };
  });
  return { airports: coded, codeSources };
};
