import { findCarrier, findStation, type CodeSystem, type Directory } from '../../../domain/master-data/directory.ts';
import type { Location } from '../../../domain/master-data/master-data.ts';

const systems: readonly CodeSystem[] = ['iata', 'icao', 'faa'];

/** Finds the location of a code of any system: IATA first, then ICAO, then FAA. */
export const findLocation = (directory: Directory, code: string): Location | undefined =>
  findStation(directory, code) ??
  systems.map((system) => directory.locations(system, code)[0]).find((found) => found !== undefined);

/** Returns the code of a location in flight keys: IATA if it has one, else ICAO, else FAA. */
export const getStationCode = ({ iata, icao, faa }: Location): string => iata || icao || faa;

/** Lists the designators under which a carrier with this code may file flights, the likeliest first. */
export const listDesignators = (directory: Directory, code: string): readonly string[] => {
  const first = findCarrier(directory, code);
  if (code.length !== 3) return [code];
  const owners = directory.carriers('icao', code).map(({ iata, icao }) => iata || icao);
  return [...new Set([...(first ? [first.iata || first.icao] : []), ...owners, code])];
};
