import type { SourceId } from '../../../../domain/master-data/data-sources.ts';
import type { LocationFacts } from '../../../../domain/master-data/master-data-facts.ts';
import type { Location } from '../../../../domain/master-data/master-data.ts';
import { findCityCode } from '../../overrides/station-overrides.ts';
import type { MetropolitanArea } from '../../sources/metropolitan-areas.ts';
import type { Region, Regions } from '../../sources/regions.ts';
import { typeOfName } from '../../sources/station-types.ts';
import type { Station } from '../../sources/station.ts';
import { outvotedBy, type Part, type Place } from './group-listings.ts';

/** A station ready to be stored; of stations that share a code the one with the lower rank answers first. */
export type RankedStation = Omit<Location, 'id'> & { readonly rank: number; readonly facts: LocationFacts };

/** The rank of the places in the list of airports in use. */
export const IN_USE = 1;

/** A location joined of all lists, with the source of each of its facts; the source of a fact it has not is not named. */
export type JoinedStation = Omit<Location, 'id'> & {
  readonly rank: number;
  readonly facts: Omit<LocationFacts, 'provenance'> & { readonly provenance: Readonly<Record<string, SourceId>> };
};

export type MergeOptions = {
  readonly rank: number;
  readonly regions: Regions;
  /** The metropolitan area of the station, where a list of such areas has it. */
  readonly area: MetropolitanArea | undefined;
  /** The station of another list from which an airport in use has its IATA code. */
  readonly giver: Station | undefined;
};

/** The lists in the order in which they are believed, first the best. */
const order: readonly Part[] = ['main', 'snapshot', 'bestKnown', 'withdrawn'];
/** The city of a station is told by the points of reference alone. */
const orderOfCities: readonly Part[] = ['bestKnown', 'withdrawn'];

const firstThat = (
  place: Place,
  has: (station: Station) => boolean,
  parts: readonly Part[] = order,
): Station | undefined => parts.map((part) => place[part]).find((station) => station !== undefined && has(station));

type Sourced<Fact> = { readonly fact: Fact; readonly source: SourceId | undefined };

const typeOf = (place: Place): Sourced<LocationFacts['type']> => {
  const { main, snapshot } = place;
  if (main) {
    if (main.type !== '') return { fact: main.type, source: main.source };
    // The list of airports in use has seaplane bases among them, no heliports: what an older list took for one has a runway.
    if (snapshot?.type === 'SeaplaneBase') return { fact: 'SeaplaneBase', source: snapshot.source };
    return { fact: 'Airport', source: main.source };
  }
  const told = firstThat(place, ({ type }) => type !== '', ['snapshot', 'withdrawn', 'bestKnown']);
  const named = typeOfName(firstThat(place, ({ name }) => name !== '')?.name ?? '');
  return told ? { fact: told.type, source: told.source } : { fact: named || 'Airport', source: 'own' };
};

/** Countries whose regions got other numbers since the older list was made: its codes mean other regions now. */
const renumbered: ReadonlySet<string> = new Set(['IR']);

/** The region that the older list tells of a place, if it lies in the country of it. */
export const codedRegion = ({ main, snapshot }: Place, regions: Regions): Region | undefined => {
  const coded = regions.byCode(snapshot?.region.code ?? '');
  const country = main?.countryCode ?? snapshot?.countryCode ?? '';
  return coded?.code.startsWith(`${country}-`) && !renumbered.has(country) ? coded : undefined;
};

const regionOf = (place: Place, regions: Regions): Sourced<Region> => {
  const { main, snapshot } = place;
  // The main list names regions that are not those of the place more often than the older one: Cuiabá, Tijuana.
  const coded = codedRegion(place, regions);
  if (coded) return { fact: coded, source: snapshot?.source };
  const name = main?.region.name ?? '';
  if (!main || name === '') return { fact: { code: '', name: '' }, source: undefined };
  return { fact: regions.named(main.countryCode, name) ?? { code: '', name }, source: main.source };
};

/** Drops the sources of facts that are not there. */
const known = (facts: Readonly<Record<string, Sourced<unknown>>>): Readonly<Record<string, SourceId>> =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([field, { fact, source }]) =>
      source === undefined || fact === '' || fact === undefined ? [] : [[field, source]],
    ),
  );

/** Makes one location of what the lists say of a place. Countries and zones that no list tells are left for later. */
export const mergePlace = (place: Place, { rank, regions, area, giver }: MergeOptions): JoinedStation => {
  const text = (field: 'iata' | 'icao' | 'faa' | 'name' | 'countryCode' | 'cityName'): Sourced<string> => {
    const station = firstThat(place, (candidate) => candidate[field] !== '');
    return { fact: station?.[field] ?? '', source: station?.source };
  };
  const { moved } = place;
  const [iata, icao, faa, countryCode] = [text('iata'), text('icao'), text('faa'), text('countryCode')];
  const name = moved && moved.name !== '' ? { fact: moved.name, source: moved.source } : text('name');
  const positioned = moved ?? outvotedBy(place) ?? firstThat(place, ({ latitude }) => latitude !== undefined);
  const zoned = firstThat(place, ({ zone }) => zone !== undefined);
  const city = firstThat(place, ({ cityCode }) => cityCode !== '', orderOfCities);
  const ownCity = findCityCode(iata.fact);
  const cityCode: Sourced<string> = area
    ? { fact: area.code, source: 'airportsdata-macs' }
    : { fact: ownCity ?? city?.cityCode ?? '', source: ownCity === undefined ? city?.source : 'own' };
  const [type, region, cityName] = [typeOf(place), regionOf(place, regions), text('cityName')];
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
      provenance: known({
        'code.iata': { fact: iata.fact, source: giver?.source ?? iata.source },
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
