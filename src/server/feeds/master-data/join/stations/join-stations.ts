import type { City } from '#domain/master-data/master-data-facts.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { assignIataCodes } from './assign-iata-codes.ts';
import { assignFormerCityCodes, assignCityNames, assignStationNames } from './name-stations.ts';
import { addCountries, addRegions } from './complete-stations.ts';
import { dateStations, type ListedStation } from './date-stations.ts';
import { joinCities } from './join-cities.ts';
import { RANK_IN_USE, type JoinedStation, mergeListing, type RankedStation } from './merge-listing.ts';
import { groupListings, type StationListing } from './group-listings.ts';
import { recodeStations, type StationSources } from './recode-stations.ts';
import { reportConflicts, reportGaps } from './report-stations.ts';
import { addZones } from './add-zones.ts';
import { createZoneCheck, type ZoneCheck } from './zone-check.ts';
import { formatInitial, findUncommonInitials } from '#feeds/master-data/sources/station-codes.ts';
import type { Station } from '#feeds/master-data/sources/station.ts';

export type JoinedStations = { readonly stations: readonly RankedStation[]; readonly cities: readonly City[] };

/** Returns the listings of every code, those in use first, in the order of the lists. A field without an IATA code is a listing. */
const listListings = (
  airports: readonly Station[],
  { snapshot, withdrawnCodes, referencePoints }: StationSources,
): readonly (readonly StationListing[])[] => {
  const inUse = new Map(airports.map((station) => [station.iata, station]));
  const snapshotByCode = new Map(snapshot.map((station) => [station.iata, station]));
  const withdrawnByCode = Map.groupBy(withdrawnCodes.stations, ({ iata }) => iata);
  const others = new Set([...snapshotByCode.keys(), ...referencePoints.stations.keys(), ...withdrawnByCode.keys()]);
  const listingsOfCode = (iata: string): readonly StationListing[] =>
    groupListings({
      main: inUse.get(iata),
      snapshot: snapshotByCode.get(iata),
      referencePoint: referencePoints.stations.get(iata),
      withdrawn: withdrawnByCode.get(iata) ?? [],
    });
  return [
    ...airports.map((station) => (station.iata === '' ? [{ main: station }] : listingsOfCode(station.iata))),
    ...[...others].filter((iata) => !inUse.has(iata)).map(listingsOfCode),
  ];
};

/** Removes countries that the list of countries lacks, and ICAO codes that do not fit their country. */
const removeInvalidCodes = (
  stations: readonly JoinedStation[],
  countries: ReadonlyMap<string, string>,
  report: LoadReport,
): readonly JoinedStation[] => {
  const uncommonInitials = findUncommonInitials(stations);
  return stations.map((station) => {
    const label = station.iata || station.icao || station.faa;
    const { provenance } = station.facts;
    let corrected = station;
    if (station.icao !== '' && uncommonInitials.has(formatInitial(station))) {
      const message = `No other ICAO code in ${station.countryCode} has the prefix of this code of ${station.iata || station.name}; it was ignored.`;
      report.entries.push({
        severity: 'notice',
        field: 'icao',
        value: station.icao,
        reason: 'stray-icao-code',
        message,
      });
      const { 'code.icao': _icao, ...others } = provenance;
      corrected = { ...corrected, icao: '', facts: { ...corrected.facts, provenance: others } };
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
      const { 'place.country.code': _code, 'place.country.name': _name, ...others } = corrected.facts.provenance;
      corrected = { ...corrected, countryCode: '', facts: { ...corrected.facts, provenance: others } };
    }
    return corrected;
  });
};

/** Gives the former site of an airport that moved the city that the airport serves today. */
const assignCityOfMoved = (listedStations: readonly ListedStation[]): readonly ListedStation[] => {
  const [present, ...former] = listedStations;
  if (!present) return [];
  const { cityCode } = present.station;
  const corrected = former.map(({ listing, station }) => {
    if (!listing.main || station.cityCode !== '' || cityCode === '') return { listing, station };
    const provenance = { ...station.facts.provenance, 'place.city.code': 'own' as const };
    return { listing, station: { ...station, cityCode, facts: { ...station.facts, provenance } } };
  });
  return [present, ...corrected];
};

const reportClosed = (closed: number, report: LoadReport): void => {
  if (closed === 0) return;
  const message = `${closed} stations are closed on an unknown date; they are returned only if no other place has their code.`;
  report.entries.push({
    severity: 'notice',
    field: 'type',
    value: String(closed),
    reason: 'closed-without-date',
    message,
  });
};

/** Returns the stations of all codes with their ranks and dates, each merged of its list entries. */
const mergeListings = (sources: StationSources, zoneCheck: ZoneCheck, report: LoadReport): readonly JoinedStation[] => {
  const { airports, codeSources } = assignIataCodes(sources.airports, {
    snapshot: sources.snapshot,
    referencePoints: sources.referencePoints,
    withdrawnCodes: new Set(sources.withdrawnCodes.stations.map(({ iata }) => iata)),
  });
  const merged: JoinedStation[] = [];
  let closed = 0;
  for (const listings of listListings(airports, sources)) {
    reportConflicts(listings, { regions: sources.regions, zoneCheck }, report);
    const listedStations = listings.map((listing, index) => {
      const iata = (listing.main ?? listing.snapshot ?? listing.referencePoint ?? listing.withdrawn)?.iata ?? '';
      return {
        listing,
        station: mergeListing(listing, {
          // Former owners rank after the station in use, and so do stations that only a less reliable list has.
          rank: RANK_IN_USE + index + (listings.some(({ main }) => main) ? 0 : 1),
          regions: sources.regions,
          zoneCheck,
          area: index === 0 ? sources.areas.get(iata) : undefined,
          codeSource: listing.main ? codeSources.get(iata) : undefined,
        }),
      };
    });
    const stationsOfCode = dateStations(assignCityOfMoved(listedStations));
    closed += stationsOfCode.filter(
      ({ facts }, index) => facts.validity.to === '' && !listings[index]?.main && listings[index]?.snapshot?.isClosed,
    ).length;
    merged.push(...stationsOfCode);
  }
  reportClosed(closed, report);
  return merged;
};

/** Puts the stations in use first, and removes FAA identifiers of former stations that another field has by now. */
const sortByUse = (stations: readonly JoinedStation[]): readonly JoinedStation[] => {
  const inUse = stations.filter(({ rank }) => rank === RANK_IN_USE);
  const faaInUse = new Set(inUse.map(({ faa }) => faa));
  const former = stations
    .filter(({ rank }) => rank !== RANK_IN_USE)
    .map((station) => {
      if (!faaInUse.has(station.faa)) return station;
      const { 'code.faa': _faa, ...provenance } = station.facts.provenance;
      return { ...station, faa: '', facts: { ...station.facts, provenance } };
    });
  return [...inUse, ...former];
};

/**
 * Joins the lists of stations. A place that has or had an IATA code is one station under each of its codes. The one that has the
 * code today has rank 1; former owners follow with the dates of their time, and so does a station that only a less reliable
 * list has under the code of another. What is contradictory, derived or missing is reported.
 */
export const joinStations = (lists: StationSources, report: LoadReport): JoinedStations => {
  const sources = recodeStations(lists, report);
  const zoneCheck = createZoneCheck(sources.boundaries);
  const listed = sortByUse(mergeListings(sources, zoneCheck, report));
  const merged = assignFormerCityCodes(listed, sources.referencePoints.cities);
  const corrected = removeInvalidCodes(merged, sources.countries, report);
  const stations = addZones(addRegions(addCountries(corrected, report)), zoneCheck, report).filter(
    ({ iata, icao, faa }) => iata !== '' || icao !== '' || faa !== '',
  );
  const cities = joinCities(stations, {
    areas: sources.areas,
    points: sources.referencePoints.cities,
    names: sources.withdrawnCodes.cityNames,
  });
  const named = assignStationNames(assignCityNames(stations, cities));
  reportGaps(named, report);
  return { stations: named, cities };
};
