import { expect, test } from 'vitest';
import { airports } from '../../../../src/jobs/demo/world/airports.ts';
import { demoCities, demoCountries, demoLocations } from '../../../../src/jobs/demo/world/location-records.ts';

test('every location of the demo world has a type, a city, a country with a name, and a region if its country has regions', () => {
  expect(demoLocations.slice(0, airports.length).map(({ iata, faa }) => iata || faa)).toEqual(
    airports.map(({ iata, faa }) => iata || faa),
  );
  const lacking = demoLocations.filter(({ countryCode, facts }) => {
    const { region, cityName = '' } = facts ?? {};
    const isIn = region?.code === '' ? region.name === '' : region?.code.startsWith(`${countryCode}-`);
    return !isIn || region?.name.trim() === undefined || cityName === '' || !demoCountries.get(countryCode);
  });
  expect(lacking.map(({ iata, faa }) => iata || faa)).toEqual([]);
  const withoutRegion = demoLocations.filter(({ facts }) => facts?.region.code === '');
  expect(withoutRegion.map(({ iata, faa }) => iata || faa).join(' ')).toBe('SIN HKG PPG GUM SPN SJU TNM Z08');
});

test('metropolitan areas have names and positions of their own, and no station has their codes', () => {
  const stations = new Set(airports.map(({ iata }) => iata));
  const areas = demoCities.filter(({ code }) => !stations.has(code));
  expect(areas.map(({ code, name }) => `${code} ${name}`).join(', ')).toBe(
    'LON London, PAR Paris, ROM Rome, STO Stockholm, REK Reykjavik, CAS Casablanca, SHA Shanghai, SEL Seoul, TYO Tokyo, ' +
      'NYC New York, WAS Washington, CHI Chicago, YTO Toronto, SAO Sao Paulo',
  );
  const positions = new Set(airports.map(({ latitude, longitude }) => `${latitude} ${longitude}`));
  expect(areas.filter(({ latitude, longitude }) => positions.has(`${latitude} ${longitude}`))).toEqual([]);
});

test('the code of Istanbul had another owner before', () => {
  const owners = demoLocations.filter(({ iata }) => iata === 'IST');
  expect(owners.map(({ icao, rank, facts }) => [icao, rank, facts?.validity])).toEqual([
    ['LTFM', 1, { from: '2019-04-06', to: '' }],
    ['LTBA', 2, { from: '', to: '2019-04-05' }],
  ]);
});
