import { dataSources } from '#domain/master-data/data-sources.ts';
import { toKilometers } from '#domain/master-data/distance.ts';
import type { LocationFacts } from '#domain/master-data/master-data-facts.ts';
import type { Location } from '#domain/master-data/master-data.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { findRegionByCode, findZonedStation } from './merge-listing.ts';
import type { ZoneCheck } from './zone-check.ts';
import { findOutvotingStation, type StationListing } from './group-listings.ts';
import type { RegionIndex } from '#feeds/master-data/sources/regions.ts';
import { computeMetres, type Station } from '#feeds/master-data/sources/station.ts';

/** Positions of one station that are farther apart contradict each other; reference points of one field differ by less. */
const CONFLICT_METRES = 25_000;

type StationRemark = {
  readonly reason: string;
  readonly field: string;
  readonly value: string;
  readonly message: string;
};

const listNames = { snapshot: 'the older list', referencePoint: 'the reference points' } as const;

const comparePositions = (main: Station, listing: StationListing): readonly StationRemark[] => {
  const { moved } = listing;
  if (moved) {
    const list = listNames[moved === listing.snapshot ? 'snapshot' : 'referencePoint'];
    const message = `${main.iata} moved by ${toKilometers(computeMetres(main, moved))} km, and the list of airports has the old position; the position in ${list} was used.`;
    return [{ reason: 'airport-moved', field: 'latitude', value: main.iata, message }];
  }
  const outvoting = findOutvotingStation(listing);
  if (outvoting) {
    const message = `The older list and the reference points agree on a position of ${main.iata} that is ${toKilometers(computeMetres(main, outvoting))} km from that in the list of airports; theirs was used.`;
    return [{ reason: 'position-outvoted', field: 'latitude', value: main.iata, message }];
  }
  return (['snapshot', 'referencePoint'] as const).flatMap((list) => {
    const other = listing[list];
    const metres = other ? computeMetres(main, other) : Infinity;
    if (metres === Infinity || metres <= CONFLICT_METRES) return [];
    const message = `The positions of ${main.iata} in the list of airports and in ${listNames[list]} are ${toKilometers(metres)} km apart; the list of airports was used.`;
    return [{ reason: 'position-differs', field: 'latitude', value: main.iata, message }];
  });
};

const compareCountries = (main: Station, { snapshot }: StationListing): readonly StationRemark[] => {
  if (!snapshot || snapshot.countryCode === '' || snapshot.countryCode === main.countryCode) return [];
  const message = `The older list has ${main.iata} in ${snapshot.countryCode}, the list of airports in ${main.countryCode}, which was used.`;
  return [{ reason: 'country-differs', field: 'country', value: main.iata, message }];
};

const compareRegions = (main: Station, listing: StationListing, regions: RegionIndex): readonly StationRemark[] => {
  const coded = findRegionByCode(listing, regions);
  const named = regions.findByName(main.countryCode, main.region.name);
  if (!coded || !named || coded.code === named.code) return [];
  const message = `The list of airports has ${main.iata} in ${named.name}, the older list in ${coded.name}, which was used.`;
  return [{ reason: 'region-differs', field: 'region', value: main.iata, message }];
};

const compareWithdrawal = (main: Station, { withdrawn }: StationListing): readonly StationRemark[] => {
  if (!withdrawn) return [];
  const until = withdrawn.validity.to === '' ? '' : ` on ${withdrawn.validity.to}`;
  const message = `${main.iata} was withdrawn from ${withdrawn.name}${until}, but the list of airports contains it; it stays in use.`;
  return [{ reason: 'withdrawn-code-in-use', field: 'iata', value: main.iata, message }];
};

const compareZones = (listing: StationListing, zoneCheck: ZoneCheck): readonly StationRemark[] => {
  const { main, referencePoint, withdrawn } = listing;
  const used = findZonedStation(listing, zoneCheck);
  if (used?.zone === undefined) return [];
  const { zone, source, iata, icao, faa } = used;
  const other = [main, referencePoint, withdrawn].find(
    (station) => station?.zone !== undefined && !zoneCheck.haveSameTime(station.zone, zone),
  );
  if (other === undefined) return [];
  const code = iata || icao || faa;
  const message = `${code} is in ${other.zone} according to ${dataSources[other.source].title}, and in ${zone} according to ${dataSources[source].title}, which was used.`;
  return [{ reason: 'zone-differs', field: 'zone', value: code, message }];
};

const compareOwners = (listings: readonly StationListing[]): readonly StationRemark[] => {
  const [first, ...others] = listings;
  if (!first?.main) return [];
  const { iata, name } = first.main;
  return others
    .filter(({ withdrawn }) => !withdrawn)
    .map(({ snapshot, referencePoint }) => {
      const listing = snapshot?.name || `a station of ${referencePoint?.cityCode || 'an unknown city'}`;
      const message = `${iata} is ${name} in the list of airports, which is returned first, and ${listing} in ${referencePoint ? listNames.referencePoint : listNames.snapshot}.`;
      return { reason: 'code-of-two-places', field: 'iata', value: iata, message };
    });
};

/** Reports where the lists contradict each other about the stations of one code, and which list was used. */
export const reportConflicts = (
  listings: readonly StationListing[],
  { regions, zoneCheck }: { readonly regions: RegionIndex; readonly zoneCheck: ZoneCheck },
  report: LoadReport,
): void => {
  const remarks = listings.flatMap((listing) => {
    const { main } = listing;
    if (!main) return compareZones(listing, zoneCheck);
    return [
      ...comparePositions(main, listing),
      ...compareCountries(main, listing),
      ...compareRegions(main, listing, regions),
      ...compareWithdrawal(main, listing),
      ...compareZones(listing, zoneCheck),
    ];
  });
  for (const remark of [...remarks, ...compareOwners(listings)]) report.entries.push({ severity: 'notice', ...remark });
};

type DescribedStation = Omit<Location, 'id'> & { readonly facts: LocationFacts };

const gaps: readonly (readonly [string, string, string, (station: DescribedStation) => boolean])[] = [
  ['station-without-icao-code', 'icao', 'have no ICAO code', ({ icao }) => icao === ''],
  ['station-without-name', 'name', 'have no name', ({ name }) => name === ''],
  ['station-without-city-code', 'city', 'have no city code', ({ cityCode }) => cityCode === ''],
  ['station-without-country', 'country', 'have no country', ({ countryCode }) => countryCode === ''],
  ['station-without-region', 'region', 'have no region', ({ facts }) => facts.region.name === ''],
  ['station-without-position', 'latitude', 'have no position', ({ latitude }) => latitude === undefined],
  ['station-without-zone', 'zone', 'have no time zone', ({ zone }) => zone === undefined],
  [
    'station-named-by-city',
    'name',
    'have no name in any list and got one of our own list, or that of their city',
    ({ name, facts }) => name !== '' && facts.provenance['name'] === 'own',
  ],
];

/** Reports how many locations with an IATA code lack each fact. */
export const reportGaps = (stations: readonly DescribedStation[], report: LoadReport): void => {
  const coded = stations.filter(({ iata }) => iata !== '');
  for (const [reason, field, description, isGap] of gaps) {
    const count = coded.filter(isGap).length;
    if (count === 0) continue;
    const message = `${count.toLocaleString('en')} of ${coded.length.toLocaleString('en')} locations with an IATA code ${description}.`;
    report.entries.push({ severity: 'notice', field, value: String(count), reason, message });
  }
};
