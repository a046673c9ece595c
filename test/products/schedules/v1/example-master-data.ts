import { createMasterDataIndex, type MasterDataIndex } from '../../../../src/domain/master-data/master-data-index.ts';

const createLocation = (
  id: number,
  codes: readonly [string, string, string?],
  rest: readonly [string, number, number, string],
) => {
  const [iata, icao, faa = ''] = codes;
  const [countryCode, latitude, longitude, zone] = rest;
  return { id, iata, icao, faa, name: '', cityCode: '', countryCode, latitude, longitude, zone };
};

/** Some airports, carriers and aircraft. */
export const exampleMasterData: MasterDataIndex = createMasterDataIndex({
  locations: [
    createLocation(1, ['LHR', 'EGLL'], ['GB', 51.4706, -0.461941, 'Europe/London']),
    createLocation(2, ['JFK', 'KJFK', 'JFK'], ['US', 40.639801, -73.7789, 'America/New_York']),
    createLocation(3, ['GLA', 'EGPF'], ['GB', 55.8735, -4.43306, 'Europe/London']),
    createLocation(4, ['SYD', 'YSSY'], ['AU', -33.946098, 151.177002, 'Australia/Sydney']),
    createLocation(5, ['SIN', 'WSSS'], ['SG', 1.35019, 103.994003, 'Asia/Singapore']),
  ],
  carriers: [
    { id: 1, iata: 'ZX', icao: 'ZXA', name: 'Zenith Example Airways', rank: 1 },
    { id: 2, iata: '9Q', icao: 'NQB', name: 'Nine Quiet Birds', rank: 1 },
  ],
  equipment: [
    { iata: '789', icao: 'B789', name: '', cargoTonnes: 15 },
    { iata: '388', icao: 'A388', name: '', cargoTonnes: 12 },
    { iata: '320', icao: 'A320', name: '', cargoTonnes: 2 },
    { iata: '77X', icao: 'B77L', name: '', cargoTonnes: 103 },
  ],
  inUse: { carriers: new Set(), locations: new Set() },
});
