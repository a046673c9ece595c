import type { CityPoint } from '../../sources/best-known.ts';
import type { JoinedStation } from './merge-place.ts';

/**
 * A station that lost its code before the city it serves got the one it has now was in a city of its own code: Astana was TSE.
 * Where an airport has the code of the city, the city has it since the airport uses it.
 */
export const cityOfItsTime = (
  stations: readonly JoinedStation[],
  points: ReadonlyMap<string, CityPoint>,
): readonly JoinedStation[] => {
  const present = new Map(
    stations.filter(({ facts }) => facts.validity.to === '').map((station) => [station.iata, station]),
  );
  return stations.map((station) => {
    const { iata, cityCode, facts } = station;
    const listed = points.get(cityCode)?.since ?? '';
    const used = present.get(cityCode)?.facts.validity.from ?? '';
    const since = listed === '' || listed > used ? listed : used;
    const isFormer = facts.validity.to !== '' && facts.validity.to < since;
    if (!isFormer || iata === cityCode || present.has(iata)) return station;
    const provenance = { ...facts.provenance, 'place.city.code': 'own' as const };
    return { ...station, cityCode: iata, facts: { ...facts, provenance } };
  });
};
