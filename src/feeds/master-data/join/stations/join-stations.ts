import type { City } from '../../../../domain/master-data/master-data-facts.ts';
import type { LoadReport } from '../../../load-report.ts';
import { adoptCodes } from './assign-iata-codes.ts';
import type { BestKnown } from '../../sources/reference-points.ts';
import { cityOfItsTime, nameCities, nameStations } from './name-stations.ts';
import { addCountries, addRegions, addZones } from './complete-stations.ts';
import { dateStations, type Dated } from './date-stations.ts';
import type { Withdrawn } from '../../sources/former-stations.ts';
import { joinCities } from './join-cities.ts';
import { IN_USE, type JoinedStation, mergePlace, type RankedStation } from './merge-listing.ts';
import type { AreaOfAirport } from '../../sources/metropolitan-areas.ts';
import { placesOfCode, type Place } from './group-listings.ts';
import type { Regions } from '../../sources/regions.ts';
import { reportConflicts, reportGaps } from './report-stations.ts';
import { initialOf, strayInitials } from '../../sources/station-codes.ts';
import type { Station } from '../../sources/station.ts';

export type StationSources = {
  /** Airports in use, with zones. */
  readonly airports: readonly Station[];
  /** An older list of stations without zones. */
  readonly snapshot: readonly Station[];
  readonly withdrawn: Withdrawn;
  readonly bestKnown: BestKnown;
  readonly areas: AreaOfAirport;
  /** Names of the countries that exist, by their codes. */
  readonly countries: ReadonlyMap<string, string>;
  readonly regions: Regions;
};

export type JoinedStations = { readonly stations: readonly RankedStation[]; readonly cities: readonly City[] };

/** The places of every code, those in use first, in the order of the lists; fields without an IATA code are a place each. */
const placesOf = (
  airports: readonly Station[],
  { snapshot, withdrawn, bestKnown }: StationSources,
): readonly (readonly Place[])[] => {
  const inUse = new Map(airports.map((station) => [station.iata, station]));
  const older = new Map(snapshot.map((station) => [station.iata, station]));
  const left = Map.groupBy(withdrawn.stations, ({ iata }) => iata);
  const others = new Set([...older.keys(), ...bestKnown.stations.keys(), ...left.keys()]);
  const ofCode = (iata: string): readonly Place[] =>
    placesOfCode({
      main: inUse.get(iata),
      snapshot: older.get(iata),
      bestKnown: bestKnown.stations.get(iata),
      withdrawn: left.get(iata) ?? [],
    });
  return [
    ...airports.map((station) => (station.iata === '' ? [{ main: station }] : ofCode(station.iata))),
    ...[...others].filter((iata) => !inUse.has(iata)).map(ofCode),
  ];
};

/** Leaves out countries that the list of countries does not have, and ICAO codes that do not fit their country. */
const mendCodes = (
  stations: readonly JoinedStation[],
  countries: ReadonlyMap<string, string>,
  report: LoadReport,
): readonly JoinedStation[] => {
  const stray = strayInitials(stations);
  return stations.map((station) => {
    const label = station.iata || station.icao || station.faa;
    const { provenance } = station.facts;
    let mended = station;
    if (station.icao !== '' && stray.has(initialOf(station))) {
      const message = `No other code of ${station.countryCode} begins like that of ${station.iata || station.name}: it is not taken for an ICAO code.`;
      report.entries.push({
        severity: 'notice',
        field: 'icao',
        value: station.icao,
        reason: 'stray-icao-code',
        message,
      });
      const { 'code.icao': _icao, ...others } = provenance;
      mended = { ...mended, icao: '', facts: { ...mended.facts, provenance: others } };
    }
    if (station.countryCode !== '' && !countries.has(station.countryCode)) {
      const message = `The country of ${label} is not in the list of countries.`;
      report.entries.push({
        severity: 'notice',
        field: 'country',
        value: station.countryCode,
        reason: 'unknown-country',
        message,
      });
      const { 'place.country.code': _code, 'place.country.name': _name, ...others } = mended.facts.provenance;
      mended = { ...mended, countryCode: '', facts: { ...mended.facts, provenance: others } };
    }
    return mended;
  });
};

/** An airport that moved, which the list of airports in use has where it was, serves the city that it serves today. */
const withOneCity = (dated: readonly Dated[]): readonly Dated[] => {
  const [present, ...former] = dated;
  if (!present) return [];
  const { cityCode } = present.station;
  const mended = former.map(({ place, station }) => {
    if (!place.main || station.cityCode !== '' || cityCode === '') return { place, station };
    const provenance = { ...station.facts.provenance, 'place.city.code': 'own' as const };
    return { place, station: { ...station, cityCode, facts: { ...station.facts, provenance } } };
  });
  return [present, ...mended];
};

/**
 * Joins the lists of stations. A place that has or had an IATA code is one station under each of its codes: the one that has
 * the code today has rank 1, those that had it before come after with the dates of their time, and so does a place that only
 * a lesser list has under the code of another. What is contradictory, derived or missing is reported.
 */
export const joinStations = (sources: StationSources, report: LoadReport): JoinedStations => {
  const { airports, givers } = adoptCodes(sources.airports, {
    snapshot: sources.snapshot,
    bestKnown: sources.bestKnown,
    withdrawnCodes: new Set(sources.withdrawn.stations.map(({ iata }) => iata)),
  });
  const merged: JoinedStation[] = [];
  let closed = 0;
  for (const places of placesOf(airports, sources)) {
    reportConflicts(places, sources.regions, report);
    const dated = places.map((place, index) => {
      const iata = (place.main ?? place.snapshot ?? place.bestKnown ?? place.withdrawn)?.iata ?? '';
      return {
        place,
        station: mergePlace(place, {
          // Former owners come after the place in use, and so do places that only a lesser list has.
          rank: IN_USE + index + (places.some(({ main }) => main) ? 0 : 1),
          regions: sources.regions,
          area: index === 0 ? sources.areas.get(iata) : undefined,
          giver: place.main ? givers.get(iata) : undefined,
        }),
      };
    });
    const stationsOfCode = dateStations(withOneCity(dated));
    closed += stationsOfCode.filter(
      ({ facts }, index) => facts.validity.to === '' && !places[index]?.main && places[index]?.snapshot?.isClosed,
    ).length;
    merged.push(...stationsOfCode);
  }
  const inUse = merged.filter(({ rank }) => rank === IN_USE);
  const faaInUse = new Set(inUse.map(({ faa }) => faa));
  // Another field has the identifier of the FAA by now.
  const former = merged
    .filter(({ rank }) => rank !== IN_USE)
    .map((station) => {
      if (!faaInUse.has(station.faa)) return station;
      const { 'code.faa': _faa, ...provenance } = station.facts.provenance;
      return { ...station, faa: '', facts: { ...station.facts, provenance } };
    });

  const mended = mendCodes(cityOfItsTime([...inUse, ...former], sources.bestKnown.cities), sources.countries, report);
  const stations = addZones(addRegions(addCountries(mended, report)), report).filter(
    ({ iata, icao, faa }) => iata !== '' || icao !== '' || faa !== '',
  );
  const cities = joinCities(stations, {
    areas: sources.areas,
    points: sources.bestKnown.cities,
    names: sources.withdrawn.cityNames,
  });
  if (closed > 0) {
    const message = 'So many stations closed, and no list tells when: they answer where no other place has their code.';
    report.entries.push({
      severity: 'notice',
      field: 'type',
      value: String(closed),
      reason: 'closed-without-date',
      message,
    });
  }
  const named = nameStations(nameCities(stations, cities));
  reportGaps(named, report);
  return { stations: named, cities };
};
