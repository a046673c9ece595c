import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { airports, demoCities, demoCountries, demoLocations } from '#demo/world/airports.ts';
import { demoCarriers, carriers } from '#demo/world/carriers.ts';
import { equipment } from '#demo/world/equipment.ts';
import { findSharedData } from '#test/support/shared-data.ts';

const files = ['master/optd_airlines.csv', 'master/vrs_airlines.csv', 'master/airportsdata_airports.csv.gz'] as const;
const [airlinesFile, otherAirlinesFile, airportsFile] = files.map(findSharedData);
if (!airlinesFile || !otherAirlinesFile || !airportsFile)
  console.warn('shared data is absent: the codes of the demo world are not compared with real ones');

const repeated = (codes: readonly string[]): readonly string[] =>
  codes.filter((code, index) => code !== '' && codes.indexOf(code) !== index);
const nameOf = ({ iata, faa }: { readonly iata: string; readonly faa: string }): string => iata || faa;

test('codes are unique', () => {
  const codesOf = [
    carriers.map(({ iata }) => iata),
    carriers.map(({ icao }) => icao),
    equipment.map(({ iata }) => iata),
    ...(['iata', 'icao', 'faa'] as const).map((code) => airports.map((airport) => airport[code])),
  ];
  expect(codesOf.map(repeated)).toEqual(codesOf.map(() => []));
});

test('the twelve carriers have codes of the right form and all facts, and one code had another owner in the past', () => {
  expect(carriers.length).toBe(12);
  for (const { iata, icao } of carriers) expect(`${iata} ${icao}`).toMatch(/^(?=.*[A-Z].* )[A-Z0-9]{2} [A-Z]{3}$/);
  const described = demoCarriers.map(({ icao, facts }) => [icao, facts?.domicile.dot !== '', facts?.validity.from]);
  expect(described).toEqual(demoCarriers.map(({ icao }) => [icao, true, expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]));
  expect(repeated(demoCarriers.map(({ iata }) => iata))).toEqual(['YF']);
});

test.skipIf(!airlinesFile || !otherAirlinesFile)('no real airline has a code or the name of an invented one', () => {
  const readCells = (path = '', delimiter = '^'): readonly string[][] =>
    parse(readFileSync(path), { delimiter, from: 2, quote: null, relax_column_count: true });
  const realCodes = new Set(
    [
      ...readCells(airlinesFile).flatMap(([, , , , icao = '', iata = '', , name = '']) => [icao, iata, name]),
      ...readCells(otherAirlinesFile, ',').flatMap(([, name = '', icao = '', iata = '']) => [icao, iata, name]),
    ].map((code) => code.toLowerCase()),
  );
  expect(['baw', 'ba', 'british airways'].every((code) => realCodes.has(code))).toBe(true);
  const codes = demoCarriers.flatMap(({ iata, icao, name }) => [iata, icao, name]).filter((code) => code !== '');
  expect(codes.filter((code) => realCodes.has(code.toLowerCase()))).toEqual([]);
});

test.skipIf(!airportsFile)('codes, countries, zones and positions of airports are the real ones', () => {
  type Cells = Readonly<Record<string, string>>;
  const rows: readonly Cells[] = parse(gunzipSync(readFileSync(airportsFile ?? '')), { columns: true });
  const real = new Map(rows.map((row) => [row['iata'], row]));
  const named = airports.filter(({ iata }) => iata !== '');
  const facts = named.map(({ iata }) => {
    const { icao, lid, country, tz, lat, lon } = real.get(iata) ?? {};
    return [iata, icao, lid, country, tz, Number(lat), Number(lon)];
  });
  expect(facts).toEqual(
    named.map(({ iata, icao, faa, countryCode, zone, latitude, longitude }) => {
      const position = [latitude, longitude].map((degrees): unknown => expect.closeTo(degrees, 2));
      return [iata, icao, faa, countryCode, zone, ...position];
    }),
  );
});

test('every location has a type, a city, a country with a name, and a region if its country has regions', () => {
  expect(demoLocations.slice(0, airports.length).map(nameOf)).toEqual(airports.map(nameOf));
  const lacking = demoLocations.filter(({ countryCode, facts }) => {
    const { region, cityName = '' } = facts ?? {};
    const isIn = region?.code === '' ? region.name === '' : region?.code.startsWith(`${countryCode}-`);
    return !isIn || region?.name.trim() === undefined || cityName === '' || !demoCountries.get(countryCode);
  });
  expect(lacking.map(nameOf)).toEqual([]);
  const withoutRegion = demoLocations.filter(({ facts }) => facts?.region.code === '');
  expect(withoutRegion.map(nameOf).join(' ')).toBe('SIN HKG PPG GUM SPN SJU TNM Z08');
  const codes = airports.flatMap(({ faa, iata }) => (faa !== '' && faa !== iata ? faa : []));
  expect(codes).toEqual(['GSN', '1C5', 'N07', 'Z08']);
  const owners = demoLocations.filter(({ iata }) => iata === 'IST');
  expect(owners.map(({ icao, rank, facts }) => [icao, rank, facts?.validity])).toEqual([
    ['LTFM', 1, { from: '2019-04-06', to: '' }],
    ['LTBA', 2, { from: '', to: '2019-04-05' }],
  ]);
});

test('airports cover all continents, and metropolitan areas have positions of their own and no station', () => {
  const continents = new Set(airports.map(({ zone }) => zone.split('/')[0] ?? ''));
  expect([...continents].toSorted().join(' ')).toBe('Africa America Antarctica Asia Atlantic Australia Europe Pacific');
  const stations = new Set(airports.map(({ iata }) => iata));
  const areas = demoCities.filter(({ code }) => !stations.has(code));
  expect(areas.map(({ code, name }) => `${code} ${name}`).join(', ')).toBe(
    'LON London, PAR Paris, ROM Rome, STO Stockholm, REK Reykjavik, CAS Casablanca, SHA Shanghai, SEL Seoul, TYO Tokyo, ' +
      'NYC New York, WAS Washington, CHI Chicago, YTO Toronto, SAO Sao Paulo',
  );
  const airportsOf = (city: string) => airports.flatMap(({ cityCode, iata }) => (cityCode === city ? iata : []));
  const found = ['LON', 'NYC', 'TYO'].map((city) => airportsOf(city).join(' '));
  expect(found).toEqual(['LHR LGW', 'JFK EWR LGA', 'HND NRT']);
  const positions = new Set(airports.map(({ latitude, longitude }) => `${latitude} ${longitude}`));
  expect(areas.filter(({ latitude, longitude }) => positions.has(`${latitude} ${longitude}`))).toEqual([]);
});

test('aircraft and trucks have all facts with sources', () => {
  const own = (fields: string) => Object.fromEntries(fields.split(' ').map((field) => [field, 'own']));
  const typeOf = (iata: string) => equipment.find((type) => type.iata === iata);
  expect(typeOf('388')).toEqual({
    iata: '388',
    icao: 'A388',
    name: 'Airbus A380-800',
    cargoTonnes: 12,
    facts: {
      category: 'LandPlane',
      engine: { type: 'Jet', count: 4 },
      body: 'Wide',
      manufacturer: 'Airbus',
      group: '380',
      icaoTypes: ['A388'],
      faa: 'A388',
      wakeTurbulence: 'J',
      serviceTypes: [...'BCDEGIJKLNOPSTWX'],
      provenance: own(
        'code.iata code.icao code.faa icaoTypes name category engine.type engine.count body manufacturer group.iata ' +
          'wakeTurbulence cargoTonnage serviceTypes',
      ),
    },
  });
  const { category, serviceTypes } = typeOf('RFS')?.facts ?? {};
  expect([category, serviceTypes]).toEqual(['SurfaceVehicle', ['V']]);
  const lacking = equipment.filter(({ icao, facts: { category, engine, wakeTurbulence, body } }) => {
    return category === 'LandPlane' && [icao, engine.type, wakeTurbulence, body].includes('');
  });
  expect(lacking.map(({ iata }) => iata)).toEqual(['DHT']);
});
