import type { City } from '../../../../domain/master-data/master-data-facts.ts';
import type { CityPoint } from '../../sources/reference-points.ts';
import { IN_USE, type JoinedStation, type RankedStation } from './merge-listing.ts';

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

/**
 * A station lies in the city it serves under the name which that city has now. One that has a code no more, or has it in
 * another country, stays in the place that its own row names.
 */
export const nameCities = (stations: readonly JoinedStation[], cities: readonly City[]): readonly RankedStation[] => {
  const byCode = new Map(cities.map((city) => [city.code, city]));
  return stations.map((station) => {
    const city = byCode.get(station.cityCode);
    if (!city || city.name === '') return station;
    const isElsewhere = station.rank !== IN_USE && station.countryCode !== city.countryCode;
    const isFormer = station.facts.validity.to !== '' && station.facts.cityName !== '';
    if (isElsewhere || isFormer) return station;
    const provenance = { ...station.facts.provenance, 'place.city.name': city.provenance['name'] ?? 'own' };
    return { ...station, facts: { ...station.facts, cityName: city.name, provenance } };
  });
};

/** Stations that no list names have the name of their city. */
export const nameStations = (stations: readonly RankedStation[]): readonly RankedStation[] =>
  stations.map((station) => {
    const { facts, name } = station;
    if (name !== '' || facts.cityName === '') return station;
    return { ...station, name: facts.cityName, facts: { ...facts, provenance: { ...facts.provenance, name: 'own' } } };
  });
