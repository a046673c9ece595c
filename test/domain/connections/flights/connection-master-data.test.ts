import { expect, test } from 'vitest';
import { createConnectionMasterData } from '#domain/connections/flights/connection-master-data.ts';
import { toStateCode } from '#domain/connections/flights/connection-master-data.ts';
import { createMasterDataIndex } from '#domain/master-data/master-data-index.ts';

const jfk = { iata: 'JFK', cityCode: 'NYC', countryCode: 'US', latitude: 40.6, longitude: -73.8 };

test('returns the facts of airports and aircraft types, each code as one object', () => {
  const location = { ...jfk, id: 1, icao: '', faa: '', name: '', zone: 'America/New_York' };
  const { airport, equipment, zoneOf } = createConnectionMasterData({
    masterDataIndex: createMasterDataIndex({
      locations: [location],
      carriers: [],
      equipment: [],
      inUse: { carriers: new Set(), locations: new Set() },
    }),
    regionOf: (id) => (id === 1 ? { code: 'US-NY', name: 'New York' } : undefined),
    bodyOf: (type) => (type === '789' ? 'Wide' : type === '320' ? 'Narrow' : undefined),
  });
  const nowhere = { cityCode: '', countryCode: '', stateCode: '', latitude: undefined, longitude: undefined };
  expect(['JFK', 'LHR'].map(airport)).toEqual([
    { ...jfk, stateCode: 'NY' },
    { ...nowhere, iata: 'LHR' },
  ]);
  expect(airport('JFK')).toBe(airport('JFK'));
  expect(['789', '320', 'XXX'].map((type) => equipment(type).body)).toEqual(['W', 'N', '']);
  expect(['JFK', 'LHR'].map(zoneOf)).toEqual(['America/New_York', undefined]);
});

test('returns two-letter state codes in the five countries that have them', () => {
  const regions = 'US-NY CA-QC BR-SP AU-WA AU-NSW AU-VIC AU-QLD AU-TAS AU-ACT DE-BY GB-ENG  US'.split(' ');
  expect(regions.map(toStateCode).join(' ')).toBe('NY QC SP WA NS VI QL TS CT    ');
});
