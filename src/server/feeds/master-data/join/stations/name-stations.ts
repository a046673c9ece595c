import type { City, LocationType } from '#domain/master-data/master-data-facts.ts';
import { findStationName } from '#feeds/master-data/overrides/station-overrides.ts';
import type { CityPoint } from '#feeds/master-data/sources/reference-points.ts';
import { RANK_IN_USE, type JoinedStation, type RankedStation } from './merge-listing.ts';

/**
 * Gives stations that lost their code before their city received its present one the former city code, which was their own: Astana
 * was TSE. Where an airport has the code of the city, the city has had it for as long as the airport.
 */
export const assignFormerCityCodes = (
  stations: readonly JoinedStation[],
  points: ReadonlyMap<string, CityPoint>,
): readonly JoinedStation[] => {
  const present = new Map(
    stations.filter(({ facts }) => facts.validity.to === '').map((station) => [station.iata, station]),
  );
  return stations.map((station) => {
    const { iata, cityCode, facts } = station;
    const pointSince = points.get(cityCode)?.since ?? '';
    const stationSince = present.get(cityCode)?.facts.validity.from ?? '';
    const since = pointSince === '' || pointSince > stationSince ? pointSince : stationSince;
    const isFormer = facts.validity.to !== '' && facts.validity.to < since;
    if (!isFormer || iata === cityCode || present.has(iata)) return station;
    const provenance = { ...facts.provenance, 'place.city.code': 'own' as const };
    return { ...station, cityCode: iata, facts: { ...facts, provenance } };
  });
};

/**
 * Gives stations the present name of the city they serve. A former station, or one in another country than the city, keeps the city
 * name of its own list entry.
 */
export const assignCityNames = (
  stations: readonly JoinedStation[],
  cities: readonly City[],
): readonly RankedStation[] => {
  const byCode = new Map(cities.map((city) => [city.code, city]));
  return stations.map((station) => {
    const city = byCode.get(station.cityCode);
    if (!city || city.name === '') return station;
    const isElsewhere = station.rank !== RANK_IN_USE && station.countryCode !== city.countryCode;
    const isFormer = station.facts.validity.to !== '' && station.facts.cityName !== '';
    if (isElsewhere || isFormer) return station;
    const provenance = { ...station.facts.provenance, 'place.city.name': city.provenance['name'] ?? 'own' };
    return { ...station, facts: { ...station.facts, cityName: city.name, provenance } };
  });
};

const typeWords: Partial<Readonly<Record<LocationType | '', string>>> = {
  RailwayStation: 'Railway Station',
  BusStation: 'Bus Station',
  Port: 'Port',
};

/** Returns the name of a station that no list names: our own, else that of its city with what it is; '' without a city. */
const composeName = ({ iata, facts: { type, cityName } }: RankedStation): string => {
  const own = type === 'RailwayStation' ? findStationName(iata) : undefined;
  return own ?? (cityName === '' ? '' : [cityName, typeWords[type] ?? ''].join(' ').trimEnd());
};

/** Names the stations that no list names. */
export const assignStationNames = (stations: readonly RankedStation[]): readonly RankedStation[] =>
  stations.map((station) => {
    const name = station.name === '' ? composeName(station) : '';
    if (name === '') return station;
    const { facts } = station;
    return { ...station, name, facts: { ...facts, provenance: { ...facts.provenance, name: 'own' } } };
  });
