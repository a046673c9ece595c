import { findCarrier, type MasterDataIndex, findStation } from '#domain/master-data/master-data-index.ts';
import type { EquipmentFacts, LocationFacts } from '#domain/master-data/master-data-facts.ts';
import type { ZoneLookup } from '#domain/schedule/instances.ts';
import type { ConnectionAirport, SectorEquipment } from './connecting-flight.ts';

/** Countries for whose states minimum connecting times can be filed. */
const countriesWithStates: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'BR', 'AR']);

/** Two-letter codes that ISO 3166-2 used until 2004 and that airlines still use. */
const legacyStateCodes: Readonly<Record<string, string>> = {
  'AU-ACT': 'CT',
  'AU-NSW': 'NS',
  'AU-QLD': 'QL',
  'AU-TAS': 'TS',
  'AU-VIC': 'VI',
};

/**
 * Returns the state code of MCT records for an ISO 3166-2 code, e.g. `NY` for `US-NY`; '' for countries without such codes.
 * Provinces of Argentina have one letter, e.g. `B` for `AR-B`.
 */
export const toStateCode = (region: string): string => {
  const [country = '', state = ''] = region.split('-');
  return countriesWithStates.has(country) ? (legacyStateCodes[region] ?? state) : '';
};

/** The master data that connection rules need, by the codes of schedules. Equal codes return the same object. */
export type ConnectionMasterData = {
  /** For a station without master data only the code is known. */
  readonly airport: (station: string) => ConnectionAirport;
  readonly equipment: (type: string) => SectorEquipment;
  /** Returns the code of a carrier in connections (`toConnectionCarrier`). */
  readonly carrier: (designator: string) => string;
  readonly zoneOf: ZoneLookup;
};

/**
 * Returns the one code that a carrier has in connections, for a designator as filed: its IATA code, or the designator if it has none or if that code
 * means another carrier (a controlled duplicate).
 */
export const toConnectionCarrier = (masterDataIndex: MasterDataIndex, designator: string): string => {
  const iata = findCarrier(masterDataIndex, designator)?.iata ?? '';
  const isOwn = iata !== '' && findCarrier(masterDataIndex, iata) === findCarrier(masterDataIndex, designator);
  return isOwn ? iata : designator;
};

const bodies = { Narrow: 'N', Wide: 'W', '': '' } as const;

/** Caches the results: schedules repeat the same few codes millions of times. */
const memoize = <T>(find: (code: string) => T): ((code: string) => T) => {
  const cache = new Map<string, T>();
  return (code) => {
    const cached = cache.get(code);
    if (cached !== undefined) return cached;
    const found = find(code);
    cache.set(code, found);
    return found;
  };
};

/** Creates a view of master data for connections; `regionOf` takes a location ID, `bodyOf` the IATA code of an aircraft type. */
export const createConnectionMasterData = ({
  masterDataIndex,
  regionOf,
  bodyOf,
}: {
  readonly masterDataIndex: MasterDataIndex;
  readonly regionOf: (locationId: number) => LocationFacts['region'] | undefined;
  readonly bodyOf: (equipment: string) => EquipmentFacts['body'] | undefined;
}): ConnectionMasterData => ({
  airport: memoize((iata) => {
    const location = findStation(masterDataIndex, iata);
    return {
      iata,
      cityCode: location?.cityCode ?? '',
      countryCode: location?.countryCode ?? '',
      stateCode: location ? toStateCode(regionOf(location.id)?.code ?? '') : '',
      latitude: location?.latitude,
      longitude: location?.longitude,
    };
  }),
  equipment: memoize((type) => ({ type, body: bodies[bodyOf(type) ?? ''] })),
  carrier: memoize((designator) => toConnectionCarrier(masterDataIndex, designator)),
  zoneOf: (station) => findStation(masterDataIndex, station)?.zone,
});
