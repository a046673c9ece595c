import {
  type CodeSystem,
  type MasterDataIndex,
  findCarrier,
  findStation,
} from '#domain/master-data/master-data-index.ts';
import type { Location } from '#domain/master-data/master-data.ts';

const systems: readonly CodeSystem[] = ['iata', 'icao', 'faa'];

/** Finds the location of a code of any system: IATA first, then ICAO, then FAA. */
export const findLocation = (masterDataIndex: MasterDataIndex, code: string): Location | undefined =>
  findStation(masterDataIndex, code) ??
  systems.map((system) => masterDataIndex.locations(system, code)[0]).find((found) => found !== undefined);

/** Returns the code of a location in flight keys: IATA if it has one, else ICAO, else FAA. */
export const getStationCode = ({ iata, icao, faa }: Location): string => iata || icao || faa;

/**
 * Lists the designators under which a carrier with this code may file flights, the likeliest first. An IATA code that resolves to a carrier
 * with another ICAO code is not included: carriers can share it, and its flights are those of the other one.
 */
export const listDesignators = (masterDataIndex: MasterDataIndex, code: string): readonly string[] => {
  if (code.length !== 3) return [code];
  const iataCodes = masterDataIndex
    .carriers('icao', code)
    .map(({ iata }) => iata)
    .filter((iata) => iata !== '' && findCarrier(masterDataIndex, iata)?.icao === code);
  return [...new Set([...iataCodes, code])];
};
