import type { City } from '../../../../domain/master-data/master-data-facts.ts';
import type { JoinedStation } from './merge-place.ts';
import { IN_USE, type RankedStation } from './ranked-station.ts';

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
