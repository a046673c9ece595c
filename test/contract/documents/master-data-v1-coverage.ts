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
/** Its database has been left. */
let away: TinyService;
let coverage: Coverage;
const ask: Coverage['ask'] = (path, question, get) => coverage.ask(path, question, get);
const cursors: Record<string, string> = {};

beforeAll(async () => {
  [world, away] = await Promise.all([serveMasterData(), serveTinyWorld()]);
  coverage = createCoverage(contract, world.get);
  for (const list of lists) {
    const { paging } = toJsonObject(await (await world.get(`${list}?Limit=2`)).json());
    cursors[list] = new URL(String(toJsonObject(paging)['next'])).searchParams.get('After') ?? '';
  }
  await away.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, away]) await drop();
});

describe('everything that the document says of answers is found in an answer', () => {
  beforeAll(async () => {
    for (const list of lists)
      for (const question of ['Content=Provenance&Limit=100', 'Limit=2', 'Limit=0', 'Limit=100&AsOf=2020-11-05'])
        await ask(list, `${list}?${question}`);
    await ask('/locations', '/locations?Near=51.5,-0.12&WithinKm=100');
    await ask('/locations', '/locations?Near=51.5,-0.12');
    for (const [path, address] of [
      ['/locations/{code}', '/locations/LON'],
      ['/carriers/{code}', '/carriers/ZX'],
      ['/equipment/{code}', '/equipment/789'],
    ] as const) {
      await ask(path, address);
      await ask(path, `${address}?Content=none`);
      await ask(path, address.replace(/\w+$/, '000'));
    }
    await ask(health, health);
    await ask(health, health, (question) => away.get(question, {}));
  });

  test('every property has a value in one, and every value of an enumeration is in one', () => {
    const { declared, unseen } = coverage.places();
    expect(unseen).toEqual([]);
    expect(declared.length).toBeGreaterThan(120);
  });

  test('and all those answers are as the document says', () => {
    expect(coverage.problems).toEqual([]);
  });
});

/** A parameter that narrows or dresses a list. */
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

/** The same record under another code system, which without the system nobody answers to. */
const meant = (path: string, value: string, address: string): ParameterUse => ({
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
  meant('/locations/{code}', 'ICAO', '/locations/EGLL'),
  meant('/locations/{code}', 'FAA', '/locations/NK39'),
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
  meant('/carriers/{code}', 'ICAO', '/carriers/QQX'),
  used('/equipment', 'EquipmentCode', '789'),
  ...['IATA', 'ICAO', 'FAA'].map((value) => used('/equipment', 'CodeType', value)),
  ...categories.map((value) => used('/equipment', 'Category', value)),
  ...['Narrow', 'Wide'].map((value) => used('/equipment', 'Body', value)),
  used('/equipment', 'Manufacturer', 'airb'),
  single('/equipment/{code}', 'code', ['/equipment/789', '/equipment/738']),
  single('/equipment/{code}', 'Content', ['/equipment/789', '/equipment/789?Content=Provenance']),
  meant('/equipment/{code}', 'ICAO', '/equipment/R44'),
  // The FAA has its own word for a type where ICAO has none; where both have the same, the IATA code is still another.
  meant('/equipment/{code}', 'FAA', '/equipment/B789'),
  // There is one version: to ask for it is to ask for none other.
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

describe('everything that the document says of questions changes an answer', () => {
  test('every use of a parameter has another answer than the question without it, and one that is not empty', async () => {
    expect(await findUnusedParameters(coverage, uses())).toEqual([]);
    expect(coverage.problems).toEqual([]);
  });

  test.each([...lists, ...singles])('what is known is not sent again: %s', async (path) => {
    const address = addressOf(path);
    const first = await world.get(address);
    const asked = (name: string, value: string): Promise<Response> =>
      world.get(address, { 'subscription-key': TEST_KEY, [name]: value });
    const answers = await Promise.all([
      asked('If-None-Match', first.headers.get('etag') ?? ''),
      asked('If-None-Match', '"another"'),
      asked('If-Modified-Since', first.headers.get('last-modified') ?? ''),
      asked('If-Modified-Since', 'Mon, 01 Jan 2024 00:00:00 GMT'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([304, 200, 304, 200]);
  });

  test('the IATA system is the one meant when none is named', async () => {
    for (const path of singles)
      expect(await ask(path, `${addressOf(path)}?CodeType=IATA`)).toBe(await ask(path, addressOf(path)));
  });

  test('and no parameter, and no value of an enumeration, is left out above', () => {
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
