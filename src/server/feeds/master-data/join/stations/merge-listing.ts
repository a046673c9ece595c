import type { SourceId } from '#domain/master-data/data-sources.ts';
import type { LocationFacts } from '#domain/master-data/master-data-facts.ts';
import type { Location } from '#domain/master-data/master-data.ts';
import { findCityCode } from '#feeds/master-data/overrides/station-overrides.ts';
import type { MetropolitanArea } from '#feeds/master-data/sources/metropolitan-areas.ts';
import type { Region, RegionIndex } from '#feeds/master-data/sources/regions.ts';
import { findTypeInName } from '#feeds/master-data/sources/station-types.ts';
import type { Station } from '#feeds/master-data/sources/station.ts';
import type { ZoneCheck } from './zone-check.ts';
import { findOutvotingStation, type ListName, type StationListing } from './group-listings.ts';

/** A station ready to be stored. Of stations that share a code, the one with the lowest rank is the default. */
export type RankedStation = Omit<Location, 'id'> & { readonly rank: number; readonly facts: LocationFacts };

/** The rank of stations in the list of airports in use. */
export const RANK_IN_USE = 1;

/** A location merged from all lists, with the source of each fact that it has. */
export type JoinedStation = Omit<Location, 'id'> & {
  readonly rank: number;
  readonly facts: Omit<LocationFacts, 'provenance'> & { readonly provenance: Readonly<Record<string, SourceId>> };
};

export type MergeOptions = {
  readonly rank: number;
  readonly regions: RegionIndex;
  /** The metropolitan area of the station, if it is in one. */
  readonly area: MetropolitanArea | undefined;
  readonly zoneCheck: ZoneCheck;
  /** The entry of another list that provided the IATA code of an airport in use. */
  readonly codeSource: Station | undefined;
};

/** The most reliable list first. */
const listOrder: readonly ListName[] = ['main', 'snapshot', 'referencePoint', 'withdrawn'];
/** Only the points of reference, present and withdrawn, have city codes. */
const cityListOrder: readonly ListName[] = ['referencePoint', 'withdrawn'];

const findFirst = (
  listing: StationListing,
  predicate: (station: Station) => boolean,
  lists: readonly ListName[] = listOrder,
): Station | undefined =>
  lists.map((list) => listing[list]).find((station) => station !== undefined && predicate(station));

type SourcedFact<Fact> = { readonly fact: Fact; readonly source: SourceId | undefined };

const findType = (listing: StationListing): SourcedFact<LocationFacts['type']> => {
  const { main, snapshot } = listing;
  if (main) {
    if (main.type !== '') return { fact: main.type, source: main.source };
    // The list of airports in use contains seaplane bases, but no heliports: what the older list has as a heliport has a runway.
    if (snapshot?.type === 'SeaplaneBase') return { fact: 'SeaplaneBase', source: snapshot.source };
    return { fact: 'Airport', source: main.source };
  }
  const typed = findFirst(listing, ({ type }) => type !== '', ['snapshot', 'withdrawn', 'referencePoint']);
  const named = findTypeInName(findFirst(listing, ({ name }) => name !== '')?.name ?? '');
  return typed ? { fact: typed.type, source: typed.source } : { fact: named || 'Airport', source: 'own' };
};

/** Countries that renumbered their regions after the older list was made. */
const renumberedCountries: ReadonlySet<string> = new Set(['IR']);

/** Returns the region that the older list has for a station, if it is in the station's country. */
export const findRegionByCode = ({ main, snapshot }: StationListing, regions: RegionIndex): Region | undefined => {
  const coded = regions.findByCode(snapshot?.region.code ?? '');
  const country = main?.countryCode ?? snapshot?.countryCode ?? '';
  return coded?.code.startsWith(`${country}-`) && !renumberedCountries.has(country) ? coded : undefined;
};

const findRegion = (listing: StationListing, regions: RegionIndex): SourcedFact<Region> => {
  const { main, snapshot } = listing;
  // The main list names wrong regions more often than the older one does: Cuiabá, Tijuana.
  const coded = findRegionByCode(listing, regions);
  if (coded) return { fact: coded, source: snapshot?.source };
  const name = main?.region.name ?? '';
  if (!main || name === '') return { fact: { code: '', name: '' }, source: undefined };
  return { fact: regions.findByName(main.countryCode, name) ?? { code: '', name }, source: main.source };
};

/** Returns the sources of the facts that have a value. */
const listKnownSources = (facts: Readonly<Record<string, SourcedFact<unknown>>>): Readonly<Record<string, SourceId>> =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([field, { fact, source }]) =>
      source === undefined || fact === '' || fact === undefined ? [] : [[field, source]],
    ),
  );

const findPositionedStation = (listing: StationListing): Station | undefined =>
  listing.moved ?? findOutvotingStation(listing) ?? findFirst(listing, ({ latitude }) => latitude !== undefined);

/** Returns the entry whose time zone is used: the first with the time of the position, else the first with a time zone. */
export const findZonedStation = (
  listing: StationListing,
  { listZones, haveSameTime }: ZoneCheck,
): Station | undefined => {
  const positioned = findPositionedStation(listing);
  const zones = positioned ? listZones(positioned) : [];
  return (
    findFirst(listing, ({ zone }) => zone !== undefined && zones.some((other) => haveSameTime(zone, other))) ??
    findFirst(listing, ({ zone }) => zone !== undefined)
  );
};

/** Merges the list entries of a station. Countries and zones that no list has are completed later. */
export const mergeListing = (
  listing: StationListing,
  { rank, regions, area, codeSource, zoneCheck }: MergeOptions,
): JoinedStation => {
  const text = (field: 'iata' | 'icao' | 'faa' | 'name' | 'countryCode' | 'cityName'): SourcedFact<string> => {
    const station = findFirst(listing, (candidate) => candidate[field] !== '');
    return { fact: station?.[field] ?? '', source: station?.source };
  };
  const { moved } = listing;
  const [iata, icao, faa, countryCode] = [text('iata'), text('icao'), text('faa'), text('countryCode')];
  const name = moved && moved.name !== '' ? { fact: moved.name, source: moved.source } : text('name');
  const positioned = findPositionedStation(listing);
  const zoned = findZonedStation(listing, zoneCheck);
  const city = findFirst(listing, ({ cityCode }) => cityCode !== '', cityListOrder);
  const ownCity = findCityCode(iata.fact);
  const cityCode: SourcedFact<string> = area
    ? { fact: area.code, source: 'airportsdata-macs' }
    : { fact: ownCity ?? city?.cityCode ?? '', source: ownCity === undefined ? city?.source : 'own' };
  const [type, region, cityName] = [findType(listing), findRegion(listing, regions), text('cityName')];
  return {
    iata: iata.fact,
    icao: icao.fact,
    faa: faa.fact,
    name: name.fact,
    cityCode: cityCode.fact,
    countryCode: countryCode.fact,
    latitude: positioned?.latitude,
    longitude: positioned?.longitude,
    zone: zoned?.zone,
    rank,
    facts: {
      type: type.fact,
      cityName: cityName.fact,
      region: region.fact,
      validity: { from: '', to: '' },
      provenance: listKnownSources({
        'code.iata': { fact: iata.fact, source: codeSource?.source ?? iata.source },
        'code.icao': icao,
        'code.faa': faa,
        type,
        name,
        'place.city.code': cityCode,
        'place.city.name': cityName,
        'place.region.code': { fact: region.fact.code, source: region.source },
        'place.region.name': { fact: region.fact.name, source: region.source },
        'place.country.code': countryCode,
        'place.country.name': { fact: countryCode.fact, source: countryCode.fact === '' ? undefined : 'ourairports' },
        'place.latitude.decimalDegrees': { fact: positioned?.latitude, source: positioned?.source },
        'place.longitude.decimalDegrees': { fact: positioned?.longitude, source: positioned?.source },
        'timezone.name': { fact: zoned?.zone, source: zoned?.source },
      }),
    },
  };
};
