/** Regions of minimum connecting times with the countries of random worlds. */
const regions: Readonly<Record<string, readonly string[]>> = {
  GB: ['EUR', 'TC2'],
  IE: ['EUR', 'TC2'],
  FR: ['EUR', 'SCH', 'TC2'],
  DE: ['EUR', 'SCH', 'TC2'],
  US: ['NOA', 'TC1'],
  CA: ['NOA', 'TC1'],
  AU: ['SWP', 'TC3'],
  NZ: ['SWP', 'TC3'],
  WS: ['SWP', 'TC3'],
  AS: ['SWP', 'TC3'],
  SG: ['SEA', 'TC3'],
};

/** Returns the regions of a country; none for an unknown one. */
export const listRegions = (countryCode: string): readonly string[] => regions[countryCode] ?? [];
