import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectionPage } from '../../../generated/connections/v1/types.gen.ts';
import { connectionSchedule, serveConnections, summer } from '../../products/connections/v1/connections-service.ts';
import { publishText, serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import { Contract } from '../contract.ts';
import {
  createCoverage,
  findUnusedParameters,
  listParameterNames,
  listUsedNames,
  type Coverage,
  type ParameterUse,
} from '../coverage/coverage.ts';

const contract = new Contract('connections/v1');
const list = '/flight-connections';
const explain = '/flight-connections/explain';
const health = '/flight-connections/health';
const allConnections = `${list}?ViaPoint=LHR,LGW,JFK,CDG&MaxConnectingTime=1440`;

let world: TinyService;
/** A service without a connection set. */
let empty: TinyService;
let coverage: Coverage;
const send: Coverage['send'] = (path, query, get) => coverage.send(path, query, get);
let cursor = '';

beforeAll(async () => {
  [world, empty] = await Promise.all([serveConnections(), serveTinyWorld()]);
  coverage = createCoverage(contract, world.get);
  const page: ConnectionPage = await (await world.get(`${allConnections}&Limit=3`)).json();
  cursor = new URL(page.paging.next ?? '').searchParams.get('Cursor') ?? '';
});
afterAll(async () => {
  for (const { drop } of [world, empty]) await drop();
});

/** Formats the explain request of two flights, e.g. `ZX 302A` and `ZX 101`, on a date. */
const explaining = (leg1: string, leg2: string, date: string): string => {
  const query = [leg1, leg2].flatMap((name, index) => {
    const [, carrier, number, suffix = ''] = /^(..) (\d+)(\w?)$/.exec(name) ?? [];
    const leg = `Leg${index + 1}`;
    const designator = [`${leg}CarrierCode=${carrier}`, `${leg}FlightNumber=${number}`];
    return suffix === '' ? designator : [...designator, `${leg}ServiceSuffix=${suffix}`];
  });
  return `${explain}?${[...query, `DepartureDate=${date}`].join('&')}`;
};

const pairs: readonly (readonly [leg1: string, leg2: string, date: string])[] = [
  ['ZX 1302', 'ZX 101', '2026-06-01'],
  ['ZX 1302', '0Z 440', '2026-06-01'],
  ['ZX 1302', 'ZX 7001', '2026-06-01'],
  ['ZX 101', '9Q 5101', '2026-06-01'],
  ['ZX 1302', 'ZX 420', '2026-06-01'],
  ['ZX 1302', 'ZX 207', '2026-06-01'],
  ['ZX 1302', '9Q 5101', '2026-06-01'],
  ['0Z 461', '9Q 88', '2026-06-01'],
  ['9Q 5015', '9Q 5101', '2026-06-02'],
  ['ZX 901', 'ZX 101', '2026-06-01'],
  ['0Z 902', 'ZX 101', '2026-06-01'],
  ['ZX 903', 'ZX 207', '2026-06-01'],
  ['ZX 904', 'ZX 101', '2026-06-01'],
  ['ZX 905', 'ZX 101', '2026-06-01'],
  ['ZX 906', 'ZX 908', '2026-06-01'],
  ['ZX 7009', 'ZX 7001', '2026-06-06'],
  ['ZX 7010', 'ZX 7001', '2026-06-06'],
  ['ZX 300', 'ZX 302A', '2026-06-01'],
  ['ZX 302A', '0Z 471', '2026-06-01'],
  ['0Z 470', '0Z 471', '2026-06-01'],
  ['0Z 480', '9Q 88', '2026-06-01'],
  ['ZX 1302', '9Q 88', '2026-06-01'],
  ['ZX 15', 'ZX 101', '2026-06-02'],
  ['ZX 907', 'ZX 101', '2026-06-01'],
  ['0Z 902', 'ZX 411', '2026-06-04'],
  ['ZX 1302', 'ZX 411', '2026-06-05'],
  ['ZX 15', 'ZX 207', '2026-06-01'],
];

describe('responses cover everything that the document declares', () => {
  beforeAll(async () => {
    for (const query of ['Limit=1000', 'Limit=3', `Limit=3&Cursor=${cursor}`, 'Circuity=0'])
      await send(list, `${allConnections}&${query}`);
    await send(list, `${list}?ViaPoint=GLA`);
    for (const [leg1, leg2, date] of pairs) await send(explain, explaining(leg1, leg2, date));
    await send(explain, explaining('ZX 9999', 'ZX 101', '2026-06-01'));
    await send(health, health);
    await send(health, health, (query) => empty.get(query, {}));
  });

  test('every property has a value, and every enumerated value occurs', () => {
    const { declared, unobserved } = coverage.paths();
    expect(unobserved).toEqual([]);
    expect(declared.length).toBeGreaterThan(180);
  });

  test('all responses conform to the document', () => {
    expect(coverage.problems).toEqual([]);
  });
});

const used = (parameter: string, value: string, rest = allConnections): ParameterUse => ({
  path: list,
  parameter,
  value,
  without: rest,
  with: `${rest}&${parameter}=${value}`,
});

/** An explain request with another value of one parameter. */
const explained = (parameter: string, without: string, changedPath: string): ParameterUse => ({
  path: explain,
  parameter,
  without,
  with: changedPath,
});

const plain = explaining('ZX 1302', 'ZX 101', '2026-06-01');

const uses = (): readonly ParameterUse[] => [
  used('DepartureDate', '2026-06-06'),
  used('DepartureDate', '2026-06-06/2026-06-07'),
  used('DepartureAirport', 'GLA'),
  used('ArrivalAirport', 'JFK'),
  used('DepartureCity', 'EDI'),
  used('ArrivalCity', 'NYC'),
  used('ViaPoint', 'LHR', `${list}?ArrivalAirport=OPO,BOS,JFK&MaxConnectingTime=1440`),
  used('Leg1CarrierCode', '9Q'),
  used('Leg2CarrierCode', '0Z'),
  used('Circuity', '105'),
  ...['o', 'i', 'n'].map((value) => used('ConnectionType', value)),
  used('MinConnectingTime', '200'),
  used('MaxConnectingTime', '100', `${list}?ViaPoint=LHR`),
  ...['true', 'false'].map((value) => used('InterAirport', value)),
  used('TotalMaxElapsedTime', '700'),
  ...['p', 'c', 'Passenger', 'Cargo'].map((value) => used('Service', value)),
  used('Limit', '3'),
  used('Cursor', cursor, `${allConnections}&Limit=3`),
  explained(
    'Leg1CarrierCode',
    explaining('ZX 902', 'ZX 101', '2026-06-01'),
    explaining('0Z 902', 'ZX 101', '2026-06-01'),
  ),
  explained('Leg1FlightNumber', plain, explaining('ZX 903', 'ZX 101', '2026-06-01')),
  explained(
    'Leg1ServiceSuffix',
    explaining('ZX 302', '0Z 471', '2026-06-01'),
    explaining('ZX 302A', '0Z 471', '2026-06-01'),
  ),
  explained(
    'Leg2CarrierCode',
    explaining('ZX 101', 'ZX 88', '2026-06-01'),
    explaining('ZX 101', '9Q 88', '2026-06-01'),
  ),
  explained('Leg2FlightNumber', plain, explaining('ZX 1302', 'ZX 908', '2026-06-01')),
  explained(
    'Leg2ServiceSuffix',
    explaining('ZX 300', 'ZX 302', '2026-06-01'),
    explaining('ZX 300', 'ZX 302A', '2026-06-01'),
  ),
  explained('DepartureDate', plain, explaining('ZX 1302', 'ZX 101', '2026-06-02')),
  explained(
    'ViaPoint',
    explaining('ZX 15', 'ZX 207', '2026-06-08'),
    `${explaining('ZX 15', 'ZX 207', '2026-06-08')}&ViaPoint=SIN`,
  ),
  // There is only one version: selecting it equals the default.
  ...[
    [list, allConnections],
    [explain, plain],
    [health, `${health}?`],
  ].map(([path = '', address]) => ({
    path,
    parameter: 'version',
    value: 'v1',
    without: `${address}&version=v9`,
    with: `${address}&version=v1`,
  })),
];

describe('every parameter of the document changes a response', () => {
  test('each parameter use changes the response and returns data', async () => {
    expect(await findUnusedParameters(coverage, uses())).toEqual([]);
    expect(coverage.problems).toEqual([]);
  });

  test('short and long names of service types are equivalent', async () => {
    for (const [short, long] of [
      ['p', 'Passenger'],
      ['c', 'cargo'],
    ])
      expect(await send(list, `${allConnections}&Service=${short}`)).toBe(
        await send(list, `${allConnections}&Service=${long}`),
      );
  });

  test('does not send an unchanged response again', async () => {
    const first = await world.get(allConnections);
    const request = (name: string, value: string): Promise<Response> =>
      world.get(allConnections, { 'subscription-key': TEST_KEY, [name]: value });
    const responses = await Promise.all([
      request('If-None-Match', first.headers.get('etag') ?? ''),
      request('If-None-Match', '"another"'),
      request('If-Modified-Since', first.headers.get('last-modified') ?? ''),
      request('If-Modified-Since', 'Mon, 01 Jan 2024 00:00:00 GMT'),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([304, 200, 304, 200]);
  });

  test('every parameter and every enumerated value is tested', () => {
    const declared = listParameterNames(contract);
    const covered = new Set([...listUsedNames(uses()), `${list} If-None-Match`, `${list} If-Modified-Since`]);
    expect(declared.filter((name) => !covered.has(name))).toEqual([]);
    expect(declared.length).toBeGreaterThan(35);
  });
});

test('headers change when another set is published', async () => {
  const sets = async (): Promise<string | null> => (await world.get(allConnections)).headers.get('connections-set');
  const before = await sets();
  await publishText(world.db, connectionSchedule(summer).replaceAll('1302', '1303'));
  await world.buildConnections();
  expect(Number(await sets())).toBe(Number(before) + 1);
});
