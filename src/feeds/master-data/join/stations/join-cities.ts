import type { SourceId } from '../../../../domain/master-data/data-sources.ts';
import type { City } from '../../../../domain/master-data/master-data-facts.ts';
import type { CityPoint } from '../../sources/reference-points.ts';
import type { JoinedStation } from './merge-listing.ts';
import type { AreaOfAirport } from '../../sources/metropolitan-areas.ts';
import { findCityName } from '../../overrides/station-overrides.ts';
import { metresBetween } from '../../sources/station.ts';

export type CitySources = {
  readonly areas: AreaOfAirport;
  readonly points: ReadonlyMap<string, CityPoint>;
  /** Names of cities in the list of withdrawn codes. */
  readonly names: ReadonlyMap<string, string>;
};

/** No station serves a city farther away. */
const CITY_METRES = 300_000;

/** What most of the stations that tell it tell; of equals the first. */
const mostOf = (values: readonly string[]): string => {
  const counts = Map.groupBy(
    values.filter((value) => value !== ''),
    (value) => value,
  );
  return [...counts.values()].reduce((best, same) => (same.length > best.length ? same : best), [])[0] ?? '';
};

type Named = { readonly name: string; readonly source: SourceId | undefined };

const nameOf = (code: string, stations: readonly JoinedStation[], { areas, names }: CitySources): Named => {
  const area = [...areas.values()].find((candidate) => candidate.code === code);
  if (area) return { name: area.name, source: 'airportsdata-macs' };
  const own = findCityName(code);
  if (own) return { name: own, source: 'own' };
  // The airport in use with the code of the city is its airport: the name it has in the list of withdrawn codes may be old.
  const main = stations.find(({ iata, rank, facts }) => iata === code && rank === 1 && facts.cityName !== '');
  const withdrawn = names.get(code);
  if (!main && withdrawn) return { name: withdrawn, source: 'optd-por' };
  const name = main?.facts.cityName ?? mostOf(stations.map(({ facts }) => facts.cityName));
  const teller = stations.find(({ facts }) => facts.cityName === name);
  return { name, source: name === '' ? undefined : teller?.facts.provenance['place.city.name'] };
};

/** The zone that all stations of a city share, else that of the station nearest to it. */
const zoneOf = (stations: readonly JoinedStation[], point: CityPoint | undefined): string | undefined => {
  const zoned = stations.filter(({ zone }) => zone !== undefined);
  const [first, ...others] = zoned;
  if (!first || others.every(({ zone }) => zone === first.zone) || !point) return first?.zone;
  return zoned.reduce((best, station) => (metresBetween(station, point) < metresBetween(best, point) ? station : best))
    .zone;
};

/**
 * The cities that stations serve, by the codes under which stations name them: the country of most of their stations, the
 * position that the points of reference give, and the zone of their stations.
 */
export const joinCities = (stations: readonly JoinedStation[], sources: CitySources): readonly City[] => {
  const served = Map.groupBy(stations, ({ cityCode }) => cityCode);
  served.delete('');
  return [...served]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, all]) => {
      const present = all.filter(({ rank }) => rank === 1);
      const serving = present.length > 0 ? present : all;
      const listed = sources.points.get(code);
      // The points of reference may have another city under the code than the other lists.
      const isFar = serving.some((station) => listed && metresBetween(station, listed) > CITY_METRES);
      const isNear = serving.some((station) => listed && metresBetween(station, listed) <= CITY_METRES);
      const point = isFar && !isNear ? undefined : listed;
      const { name, source } = nameOf(code, serving, sources);
      const countryCode = mostOf(serving.map((station) => station.countryCode));
      const zone = zoneOf(serving, point);
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
