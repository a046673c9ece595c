import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toJsonObject } from '../../../src/lib/openapi-document.ts';
import { serveMasterData } from '../../products/master-data/v1/master-data-service.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import { Contract } from '../contract.ts';
import {
  createCoverage,
  findUnusedParameters,
  listParameterNames,
  listUsedNames,
  type Coverage,
  type ParameterUse,
} from '../coverage/coverage.ts';

const contract = new Contract('master-data/v1');
const lists = ['/locations', '/carriers', '/equipment'] as const;
const singles = ['/locations/{code}', '/carriers/{code}', '/equipment/{code}'] as const;
const health = '/master-data/health';

let world: TinyService;
/** A service whose database connection is closed. */
let disconnected: TinyService;
let coverage: Coverage;
const send: Coverage['send'] = (path, query, get) => coverage.send(path, query, get);
const cursors: Record<string, string> = {};

beforeAll(async () => {
  [world, disconnected] = await Promise.all([serveMasterData(), serveTinyWorld()]);
  coverage = createCoverage(contract, world.get);
  for (const list of lists) {
    const { paging } = toJsonObject(await (await world.get(`${list}?Limit=2`)).json());
    cursors[list] = new URL(String(toJsonObject(paging)['next'])).searchParams.get('After') ?? '';
  }
  await disconnected.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, disconnected]) await drop();
});

describe('responses cover everything that the document declares', () => {
  beforeAll(async () => {
    for (const list of lists)
      for (const query of ['Content=Provenance&Limit=100', 'Limit=2', 'Limit=0', 'Limit=100&AsOf=2020-11-05'])
        await send(list, `${list}?${query}`);
    await send('/locations', '/locations?Near=51.5,-0.12&WithinKm=100');
    await send('/locations', '/locations?Near=51.5,-0.12');
    for (const [path, address] of [
      ['/locations/{code}', '/locations/LON'],
      ['/carriers/{code}', '/carriers/ZX'],
      ['/equipment/{code}', '/equipment/789'],
    ] as const) {
      await send(path, address);
      await send(path, `${address}?Content=none`);
      await send(path, address.replace(/\w+$/, '000'));
    }
    await send(health, health);
    await send(health, health, (query) => disconnected.get(query, {}));
  });

  test('every property has a value, and every enumerated value occurs', () => {
    const { declared, unobserved } = coverage.paths();
    expect(unobserved).toEqual([]);
    expect(declared.length).toBeGreaterThan(120);
  });

  test('all responses conform to the document', () => {
    expect(coverage.problems).toEqual([]);
  });
});

/** The use of a parameter that filters or extends a list. */
const used = (path: string, parameter: string, value: string, rest = 'Limit=100'): ParameterUse => ({
  path,
  parameter,
  value,
  without: `${path}?${rest}`,
  with: `${path}?${rest}&${parameter}=${value}`,
});

const categories = ['LandPlane', 'SeaPlane', 'Amphibian', 'Helicopter', 'Gyrocopter', 'TiltRotor', 'SurfaceVehicle'];
const types = [
  'Airport',
  'Heliport',
  'SeaplaneBase',
  'RailwayStation',
  'BusStation',
  'Port',
  'OffPoint',
  'MetropolitanArea',
];

/** The use of CodeType with a code that matches nothing without it. */
const codeTypeUse = (path: string, value: string, address: string): ParameterUse => ({
  path,
  parameter: 'CodeType',
  value,
  without: address,
  with: `${address}?CodeType=${value}`,
});

const single = (path: string, parameter: string, [without, used_]: readonly [string, string]): ParameterUse => ({
  path,
  parameter,
  without,
  with: used_,
});

const uses = (): readonly ParameterUse[] => [
  ...lists.flatMap((list) => [
    used(list, 'Limit', '3', 'version=v1'),
    used(list, 'After', cursors[list] ?? '', 'Limit=2'),
    used(list, 'Content', 'Provenance'),
  ]),
  used('/locations', 'AirportCode', 'LHR,LON'),
  ...['IATA', 'ICAO', 'FAA'].map((value) => used('/locations', 'CodeType', value)),
  used('/locations', 'CountryCode', 'US'),
  used('/locations', 'CityCode', 'LON'),
  ...types.map((value) => used('/locations', 'Type', value)),
  used('/locations', 'Name', 'lond'),
  used('/locations', 'AsOf', '2019-01-01'),
  { path: '/locations', parameter: 'Near', without: '/locations', with: '/locations?Near=51.5,-0.12&WithinKm=100' },
  {
    path: '/locations',
    parameter: 'WithinKm',
    without: '/locations?Near=51.5,-0.12&WithinKm=100',
    with: '/locations?Near=51.5,-0.12&WithinKm=30',
  },
  single('/locations/{code}', 'code', ['/locations/LHR', '/locations/JFK']),
  single('/locations/{code}', 'AsOf', ['/locations/IST', '/locations/IST?AsOf=2019-01-01']),
  single('/locations/{code}', 'Content', ['/locations/LHR', '/locations/LHR?Content=Provenance']),
  codeTypeUse('/locations/{code}', 'ICAO', '/locations/EGLL'),
  codeTypeUse('/locations/{code}', 'FAA', '/locations/NK39'),
  used('/carriers', 'CarrierCode', 'ZX'),
  { ...used('/carriers', 'CodeType', 'IATA') },
  used('/carriers', 'CodeType', 'ICAO'),
  used('/carriers', 'CarrierName', 'zenith'),
  used('/carriers', 'Alliance', 'nine'),
  used('/carriers', 'CountryCode', 'GB'),
  used('/carriers', 'PublishingCarrier', 'true'),
  used('/carriers', 'AsOf', '2008-01-01'),
  single('/carriers/{code}', 'code', ['/carriers/ZX', '/carriers/9Q']),
  single('/carriers/{code}', 'AsOf', ['/carriers/ZX', '/carriers/ZX?AsOf=2008-01-01']),
  single('/carriers/{code}', 'Content', ['/carriers/ZX', '/carriers/ZX?Content=Provenance']),
  codeTypeUse('/carriers/{code}', 'ICAO', '/carriers/QQX'),
  used('/equipment', 'EquipmentCode', '789'),
  ...['IATA', 'ICAO', 'FAA'].map((value) => used('/equipment', 'CodeType', value)),
  ...categories.map((value) => used('/equipment', 'Category', value)),
  ...['Narrow', 'Wide'].map((value) => used('/equipment', 'Body', value)),
  used('/equipment', 'Manufacturer', 'airb'),
  single('/equipment/{code}', 'code', ['/equipment/789', '/equipment/738']),
  single('/equipment/{code}', 'Content', ['/equipment/789', '/equipment/789?Content=Provenance']),
  codeTypeUse('/equipment/{code}', 'ICAO', '/equipment/R44'),
  // The FAA has its own designator for a type without an ICAO one; where they are equal, the IATA code still differs.
  codeTypeUse('/equipment/{code}', 'FAA', '/equipment/B789'),
  // There is only one version: selecting it equals the default.
  ...[...lists.map((list) => [list, list]), ...singles.map((path) => [path, addressOf(path)]), [health, health]].map(
    ([path = '', address]) => ({
      path,
      parameter: 'version',
      value: 'v1',
      without: `${address}?version=v9`,
      with: `${address}?version=v1`,
    }),
  ),
];

const addressOf = (path: string): string =>
  path.replace('{code}', path.startsWith('/loc') ? 'LHR' : path.startsWith('/car') ? 'ZX' : '789');

describe('every parameter of the document changes a response', () => {
  test('each parameter use changes the response and returns data', async () => {
    expect(await findUnusedParameters(coverage, uses())).toEqual([]);
    expect(coverage.problems).toEqual([]);
  });

  test.each([...lists, ...singles])('does not send an unchanged response again: %s', async (path) => {
    const address = addressOf(path);
    const first = await world.get(address);
    const request = (name: string, value: string): Promise<Response> =>
      world.get(address, { 'subscription-key': TEST_KEY, [name]: value });
    const responses = await Promise.all([
      request('If-None-Match', first.headers.get('etag') ?? ''),
      request('If-None-Match', '"another"'),
      request('If-Modified-Since', first.headers.get('last-modified') ?? ''),
      request('If-Modified-Since', 'Mon, 01 Jan 2024 00:00:00 GMT'),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([304, 200, 304, 200]);
  });

  test('IATA is the default code system', async () => {
    for (const path of singles)
      expect(await send(path, `${addressOf(path)}?CodeType=IATA`)).toBe(await send(path, addressOf(path)));
  });

  test('every parameter and every enumerated value is tested', () => {
    const declared = listParameterNames(contract);
    const covered = new Set([
      ...listUsedNames(uses()),
      ...[...lists, ...singles].flatMap((path) => [`${path} If-None-Match`, `${path} If-Modified-Since`]),
      ...singles.map((path) => `${path} CodeType IATA`),
      ...singles.map((path) => `${path} Content Provenance`),
    ]);
    expect(declared.filter((name) => !covered.has(name))).toEqual([]);
    expect(declared.length).toBeGreaterThan(60);
  });
});
