import type { SourceId } from '#domain/master-data/data-sources.ts';
import type { City } from '#domain/master-data/master-data-facts.ts';
import type { CityPoint } from '#feeds/master-data/sources/reference-points.ts';
import type { JoinedStation } from './merge-listing.ts';
import type { AreasByAirport } from '#feeds/master-data/sources/metropolitan-areas.ts';
import { findCityName } from '#feeds/master-data/overrides/station-overrides.ts';
import { computeMetres } from '#feeds/master-data/sources/station.ts';

export type CitySources = {
  readonly areas: AreasByAirport;
  readonly points: ReadonlyMap<string, CityPoint>;
  /** Names of cities in the list of withdrawn codes. */
  readonly names: ReadonlyMap<string, string>;
};

/** Largest distance of a station from the city it serves. */
const CITY_METRES = 300_000;

/** Returns the most frequent value that is not blank; of equally frequent ones the first. */
const findMostFrequent = (values: readonly string[]): string => {
  const counts = Map.groupBy(
    values.filter((value) => value !== ''),
    (value) => value,
  );
  return [...counts.values()].reduce((best, same) => (same.length > best.length ? same : best), [])[0] ?? '';
};

type CityName = { readonly name: string; readonly source: SourceId | undefined };

const findName = (code: string, stations: readonly JoinedStation[], { areas, names }: CitySources): CityName => {
  const area = [...areas.values()].find((candidate) => candidate.code === code);
  if (area) return { name: area.name, source: 'airportsdata-macs' };
  const override = findCityName(code);
  if (override) return { name: override, source: 'own' };
  // The airport in use with the code of the city names it; the name in the list of withdrawn codes may be a former one.
  const main = stations.find(({ iata, rank, facts }) => iata === code && rank === 1 && facts.cityName !== '');
  const withdrawn = names.get(code);
  if (!main && withdrawn) return { name: withdrawn, source: 'optd-por' };
  const name = main?.facts.cityName ?? findMostFrequent(stations.map(({ facts }) => facts.cityName));
  const named = stations.find(({ facts }) => facts.cityName === name);
  return { name, source: name === '' ? undefined : named?.facts.provenance['place.city.name'] };
};

/** Returns the time zone of all stations of a city, else that of the station nearest to it. */
const findZone = (stations: readonly JoinedStation[], point: CityPoint | undefined): string | undefined => {
  const zoned = stations.filter(({ zone }) => zone !== undefined);
  const [first, ...others] = zoned;
  if (!first || others.every(({ zone }) => zone === first.zone) || !point) return first?.zone;
  return zoned.reduce((best, station) => (computeMetres(station, point) < computeMetres(best, point) ? station : best))
    .zone;
};

/**
 * Returns the cities that stations serve, with the country of most of their stations, the position of the points of reference, and
 * the time zone of their stations.
 */
export const joinCities = (stations: readonly JoinedStation[], sources: CitySources): readonly City[] => {
  const byCity = Map.groupBy(stations, ({ cityCode }) => cityCode);
  byCity.delete('');
  return [...byCity]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, all]) => {
      const present = all.filter(({ rank }) => rank === 1);
      const serving = present.length > 0 ? present : all;
      const listed = sources.points.get(code);
      // The points of reference may have another city under the code than the other lists have.
      const isFar = serving.some((station) => listed && computeMetres(station, listed) > CITY_METRES);
      const isNear = serving.some((station) => listed && computeMetres(station, listed) <= CITY_METRES);
      const point = isFar && !isNear ? undefined : listed;
      const { name, source } = findName(code, serving, sources);
      const countryCode = findMostFrequent(serving.map((station) => station.countryCode));
      const zone = findZone(serving, point);
      const isPlaced = point?.latitude !== undefined;
      const provenance = {
        'code.iata': 'optd-por',
        ...(source === undefined ? {} : { name: source }),
        ...(countryCode === '' ? {} : { 'place.country.code': 'own' }),
        ...(isPlaced
          ? { 'place.latitude.decimalDegrees': 'optd-por', 'place.longitude.decimalDegrees': 'optd-por' }
          : {}),
        ...(zone === undefined ? {} : { 'timezone.name': 'own' }),
      };
      return { code, name, countryCode, latitude: point?.latitude, longitude: point?.longitude, zone, provenance };
    });
};
