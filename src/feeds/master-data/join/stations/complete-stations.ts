import { inKilometers } from '../../../../domain/master-data/distance.ts';
import type { LoadReport } from '../../../load-report.ts';
import type { JoinedStation } from './merge-listing.ts';
import { nearestOf, neighboursAmong } from './neighbours.ts';
import { metresBetween } from '../../sources/station.ts';

/** A country is told by the fields around a place only when all lie in it; those farther away are asked where there is none near. */
const NEIGHBOURHOOD_METRES = 50_000;
const WIDE_NEIGHBOURHOOD_METRES = 150_000;
/** A station does not serve a city farther away: one of the two is wrong, and rough positions are so more often. */
const CITY_METRES = 300_000;
/** A zone of a field this close needs no remark of its own. */
const SAME_ZONE_METRES = 250_000;
/** An airport that moved with its ICAO code stays in its region. */
const ONE_REGION_METRES = 30_000;
const HALF_THE_EARTH_METRES = 20_100_000;

const remark = (report: LoadReport, reason: string, entry: { field: string; value: string; message: string }): void => {
  report.entries.push({ severity: 'notice', reason, ...entry });
};

const count = (report: LoadReport, reason: string, entry: { field: string; value: number; message: string }): void => {
  if (entry.value > 0) remark(report, reason, { ...entry, value: String(entry.value) });
};

const withOwn = (station: JoinedStation, fields: readonly string[]): JoinedStation['facts'] => ({
  ...station.facts,
  provenance: { ...station.facts.provenance, ...Object.fromEntries(fields.map((field) => [field, 'own' as const])) },
});

/** What all of some stations agree on. */
const sharedBy = <Fact>(
  stations: readonly JoinedStation[],
  factOf: (station: JoinedStation) => Fact,
): Fact | undefined => {
  const [first, ...others] = stations;
  if (!first) return undefined;
  const fact = factOf(first);
  return others.every((station) => factOf(station) === fact) ? fact : undefined;
};

const citiesOf = (stations: readonly JoinedStation[]): ((station: JoinedStation) => readonly JoinedStation[]) => {
  const served = Map.groupBy(stations, ({ cityCode }) => cityCode);
  served.delete('');
  // Another place of the same code is no witness for what a station is.
  return ({ cityCode, iata }) => (served.get(cityCode) ?? []).filter((other) => other.iata !== iata);
};

/**
 * Gives stations of which no list tells the country that of the other stations of their city, else that of all fields around
 * them. A position far from all airports of the city that the same row names is not believed.
 */
export const addCountries = (stations: readonly JoinedStation[], report: LoadReport): readonly JoinedStation[] => {
  const certain = stations.filter(({ countryCode }) => countryCode !== '');
  const inCityOf = citiesOf(certain);
  const around = neighboursAmong(certain);
  let derived = 0;
  const completed = stations.map((station) => {
    if (station.countryCode !== '') return station;
    const inCity = inCityOf(station);
    const nearest = Math.min(...inCity.map((other) => metresBetween(station, other)));
    let { latitude, longitude } = station;
    if (inCity.length > 0 && latitude !== undefined && nearest > CITY_METRES) {
      const message = `${station.iata} has a position ${inKilometers(nearest)} km from the airports of its city ${station.cityCode}: the position is left out.`;
      remark(report, 'position-far-from-city', { field: 'latitude', value: station.iata, message });
      [latitude, longitude] = [undefined, undefined];
    }
    const close = around({ latitude, longitude }, NEIGHBOURHOOD_METRES);
    const neighbours = close.length > 0 ? close : around({ latitude, longitude }, WIDE_NEIGHBOURHOOD_METRES);
    const countryCode =
      sharedBy(inCity, (other) => other.countryCode) ??
      sharedBy(
        neighbours.map((neighbour) => neighbour.station),
        (other) => other.countryCode,
      ) ??
      '';
    if (countryCode !== '') derived++;
    const facts = withOwn(station, countryCode === '' ? [] : ['place.country.code']);
    const named: JoinedStation['facts']['provenance'] =
      countryCode === '' ? {} : { 'place.country.name': 'ourairports' };
    const provenance = { ...facts.provenance, ...named };
    const told = Object.entries(provenance).filter(([field]) => latitude !== undefined || !field.endsWith('Degrees'));
    return { ...station, latitude, longitude, countryCode, facts: { ...facts, provenance: Object.fromEntries(told) } };
  });
  const message =
    'So many stations have the country of their city or of the fields around them, since no list tells it.';
  count(report, 'country-of-neighbours', { field: 'country', value: derived, message });
  return completed;
};

/**
 * Gives stations without the code of a region that of the same field under another of its codes, else the one that all other
 * stations of their city and country lie in.
 */
export const addRegions = (stations: readonly JoinedStation[]): readonly JoinedStation[] => {
  const certain = stations.filter(({ facts }) => facts.region.code !== '');
  const byIcao = Map.groupBy(certain, ({ icao }) => icao);
  byIcao.delete('');
  const inCityOf = citiesOf(certain);
  return stations.map((station) => {
    if (station.facts.region.code !== '') return station;
    const sameField = (byIcao.get(station.icao) ?? []).find(
      (other) => metresBetween(station, other) <= ONE_REGION_METRES && other.countryCode === station.countryCode,
    );
    const inCity = inCityOf(station).filter(({ countryCode }) => countryCode === station.countryCode);
    const witnesses = sameField ? [sameField] : inCity;
    const code = sharedBy(witnesses, ({ facts }) => facts.region.code);
    const region = witnesses.find(({ facts }) => facts.region.code === code)?.facts.region;
    if (!region) return station;
    return { ...station, facts: { ...withOwn(station, ['place.region.code', 'place.region.name']), region } };
  });
};

/**
 * Gives stations without a zone the one that all airports of their country have, else that of the nearest of them. The report
 * names those whose nearest airport is far, and counts the others.
 */
export const addZones = (stations: readonly JoinedStation[], report: LoadReport): readonly JoinedStation[] => {
  const ofCountry = Map.groupBy(
    stations.filter(({ zone, countryCode }) => zone !== undefined && countryCode !== ''),
    ({ countryCode }) => countryCode,
  );
  const countries = new Map(
    [...ofCountry].map(([code, inCountry]) => [
      code,
      { zone: sharedBy(inCountry, ({ zone }) => zone), around: neighboursAmong(inCountry) },
    ]),
  );
  let [byCountry, byNeighbour, unknown] = [0, 0, 0];
  const completed = stations.map((station) => {
    if (station.zone !== undefined) return station;
    const country = countries.get(station.countryCode);
    if (country?.zone !== undefined) {
      byCountry++;
      return { ...station, zone: country.zone, facts: withOwn(station, ['timezone.name']) };
    }
    const near = nearestOf(country?.around(station, SAME_ZONE_METRES) ?? []);
    const nearest = near ?? nearestOf(country?.around(station, HALF_THE_EARTH_METRES) ?? []);
    if (!nearest) {
      unknown++;
      return station;
    }
    if (near) byNeighbour++;
    else {
      const { zone = '', iata, icao, faa } = nearest.station;
      const message = `No source tells the time zone of ${station.iata}: it is given ${zone}, that of ${iata || icao || faa}, ${inKilometers(nearest.metres)} km away.`;
      remark(report, 'zone-of-far-airport', { field: 'zone', value: station.iata, message });
    }
    return { ...station, zone: nearest.station.zone, facts: withOwn(station, ['timezone.name']) };
  });
  count(report, 'zone-of-country', {
    field: 'zone',
    value: byCountry,
    message: 'So many stations have the one time zone of their country, since no source tells theirs.',
  });
  count(report, 'zone-of-nearest-airport', {
    field: 'zone',
    value: byNeighbour,
    message: `So many stations have the time zone of the nearest airport of their country, within ${inKilometers(SAME_ZONE_METRES)} km, since no source tells theirs.`,
  });
  count(report, 'zone-unknown', {
    field: 'zone',
    value: unknown,
    message:
      'So many stations have no time zone: no source tells it, and their country is not known or has no airport with one.',
  });
  return completed;
};
