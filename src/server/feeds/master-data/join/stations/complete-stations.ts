import { toKilometers } from '#domain/master-data/distance.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import type { JoinedStation } from './merge-listing.ts';
import { createNeighbourFinder } from './neighbours.ts';
import { computeMetres } from '#feeds/master-data/sources/station.ts';

/** Fields around a station decide its country only when all are in one country; the wider radius counts when none is nearby. */
const NEIGHBOURHOOD_METRES = 50_000;
const WIDE_NEIGHBOURHOOD_METRES = 150_000;
/** No station serves a city farther away. One of the two is wrong, more often the position. */
const CITY_METRES = 300_000;
/** An airport that moved with its ICAO code remained in its region. */
const ONE_REGION_METRES = 30_000;

export const addNotice = (
  report: LoadReport,
  reason: string,
  entry: { field: string; value: string; message: string },
): void => {
  report.entries.push({ severity: 'notice', reason, ...entry });
};

export const addCount = (
  report: LoadReport,
  reason: string,
  entry: { field: string; value: number; message: string },
): void => {
  if (entry.value > 0) addNotice(report, reason, { ...entry, value: String(entry.value) });
};

const withOwnProvenance = (station: JoinedStation, fields: readonly string[]): JoinedStation['facts'] => ({
  ...station.facts,
  provenance: { ...station.facts.provenance, ...Object.fromEntries(fields.map((field) => [field, 'own' as const])) },
});

/** Returns the fact that all stations have, undefined when they differ. */
export const findSharedFact = <Fact>(
  stations: readonly JoinedStation[],
  factOf: (station: JoinedStation) => Fact,
): Fact | undefined => {
  const [first, ...others] = stations;
  if (!first) return undefined;
  const fact = factOf(first);
  return others.every((station) => factOf(station) === fact) ? fact : undefined;
};

const createCityFinder = (
  stations: readonly JoinedStation[],
): ((station: JoinedStation) => readonly JoinedStation[]) => {
  const served = Map.groupBy(stations, ({ cityCode }) => cityCode);
  served.delete('');
  // Another station of the same code is no evidence.
  return ({ cityCode, iata }) => (served.get(cityCode) ?? []).filter((other) => other.iata !== iata);
};

/**
 * Gives stations without a country that of the other stations of their city, else that of all fields around them. A position far
 * from all airports of the city that the same row names is removed.
 */
export const addCountries = (stations: readonly JoinedStation[], report: LoadReport): readonly JoinedStation[] => {
  const certain = stations.filter(({ countryCode }) => countryCode !== '');
  const findStationsOfCity = createCityFinder(certain);
  const findNeighbours = createNeighbourFinder(certain);
  let derived = 0;
  const completed = stations.map((station) => {
    if (station.countryCode !== '') return station;
    const inCity = findStationsOfCity(station);
    const nearest = Math.min(...inCity.map((other) => computeMetres(station, other)));
    let { latitude, longitude } = station;
    if (inCity.length > 0 && latitude !== undefined && nearest > CITY_METRES) {
      const message = `The position of ${station.iata} is ${toKilometers(nearest)} km from the airports of its city ${station.cityCode} and was ignored.`;
      addNotice(report, 'position-far-from-city', { field: 'latitude', value: station.iata, message });
      [latitude, longitude] = [undefined, undefined];
    }
    const nearby = findNeighbours({ latitude, longitude }, NEIGHBOURHOOD_METRES);
    const neighbours = nearby.length > 0 ? nearby : findNeighbours({ latitude, longitude }, WIDE_NEIGHBOURHOOD_METRES);
    const countryCode =
      findSharedFact(inCity, (other) => other.countryCode) ??
      findSharedFact(
        neighbours.map((neighbour) => neighbour.station),
        (other) => other.countryCode,
      ) ??
      '';
    if (countryCode !== '') derived++;
    const facts = withOwnProvenance(station, countryCode === '' ? [] : ['place.country.code']);
    const named: JoinedStation['facts']['provenance'] =
      countryCode === '' ? {} : { 'place.country.name': 'ourairports' };
    const provenance = { ...facts.provenance, ...named };
    const remaining = Object.entries(provenance).filter(
      ([field]) => latitude !== undefined || !field.endsWith('Degrees'),
    );
    return {
      ...station,
      latitude,
      longitude,
      countryCode,
      facts: { ...facts, provenance: Object.fromEntries(remaining) },
    };
  });
  const message = `${derived} stations have no country in any list and got that of their city or of the airports around them.`;
  addCount(report, 'country-of-neighbours', { field: 'country', value: derived, message });
  return completed;
};

/**
 * Gives stations without a region code that of the same field under another of its codes, else that of all other stations of their
 * city and country.
 */
export const addRegions = (stations: readonly JoinedStation[]): readonly JoinedStation[] => {
  const certain = stations.filter(({ facts }) => facts.region.code !== '');
  const byIcao = Map.groupBy(certain, ({ icao }) => icao);
  byIcao.delete('');
  const findStationsOfCity = createCityFinder(certain);
  return stations.map((station) => {
    if (station.facts.region.code !== '') return station;
    const sameField = (byIcao.get(station.icao) ?? []).find(
      (other) => computeMetres(station, other) <= ONE_REGION_METRES && other.countryCode === station.countryCode,
    );
    const inCity = findStationsOfCity(station).filter(({ countryCode }) => countryCode === station.countryCode);
    const evidence = sameField ? [sameField] : inCity;
    const code = findSharedFact(evidence, ({ facts }) => facts.region.code);
    const region = evidence.find(({ facts }) => facts.region.code === code)?.facts.region;
    if (!region) return station;
    return { ...station, facts: { ...withOwnProvenance(station, ['place.region.code', 'place.region.name']), region } };
  });
};
