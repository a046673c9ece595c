import { findCarrier, findStation, type CodeSystem, type Directory } from '../../../domain/master-data/directory.ts';
import type { Location } from '../../../domain/master-data/master-data.ts';

const systems: readonly CodeSystem[] = ['iata', 'icao', 'faa'];

/** The location a status message means by a code of any system: IATA is tried first, then ICAO, then FAA. */
export const findLocation = (directory: Directory, code: string): Location | undefined =>
  findStation(directory, code) ??
  systems.map((system) => directory.locations(system, code)[0]).find((found) => found !== undefined);

/** The code under which a location stands in keys: IATA where it has one, else ICAO, else FAA. */
export const getStationCode = ({ iata, icao, faa }: Location): string => iata || icao || faa;

/** The designators under which the flights of a carrier may be filed, given one of its codes; the likeliest first. */
export const listDesignators = (directory: Directory, code: string): readonly string[] => {
  const first = findCarrier(directory, code);
  if (code.length !== 3) return [code];
  const owners = directory.carriers('icao', code).map(({ iata, icao }) => iata || icao);
  return [...new Set([...(first ? [first.iata || first.icao] : []), ...owners, code])];
};
