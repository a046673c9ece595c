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
const everything = `${list}?ViaPoint=LHR,LGW,JFK,CDG&MaxConnectingTime=1440`;

let world: TinyService;
/** No set has been built. */
let empty: TinyService;
let coverage: Coverage;
const ask: Coverage['ask'] = (path, question, get) => coverage.ask(path, question, get);
let cursor = '';

beforeAll(async () => {
  [world, empty] = await Promise.all([serveConnections(), serveTinyWorld()]);
  coverage = createCoverage(contract, world.get);
  const page: ConnectionPage = await (await world.get(`${everything}&Limit=3`)).json();
  cursor = new URL(page.paging.next ?? '').searchParams.get('Cursor') ?? '';
});
afterAll(async () => {
  for (const { drop } of [world, empty]) await drop();
});

/** `ZX 302A` with `ZX 101` on a date. */
const explaining = (leg1: string, leg2: string, date: string): string => {
  const asked = [leg1, leg2].flatMap((name, index) => {
    const [, carrier, number, suffix = ''] = /^(..) (\d+)(\w?)$/.exec(name) ?? [];
    const leg = `Leg${index + 1}`;
    const designator = [`${leg}CarrierCode=${carrier}`, `${leg}FlightNumber=${number}`];
    return suffix === '' ? designator : [...designator, `${leg}ServiceSuffix=${suffix}`];
  });
  return `${explain}?${[...asked, `DepartureDate=${date}`].join('&')}`;
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

describe('everything that the document says of answers is found in an answer', () => {
  beforeAll(async () => {
    for (const question of ['Limit=1000', 'Limit=3', `Limit=3&Cursor=${cursor}`, 'Circuity=0'])
      await ask(list, `${everything}&${question}`);
    await ask(list, `${list}?ViaPoint=GLA`);
    for (const [leg1, leg2, date] of pairs) await ask(explain, explaining(leg1, leg2, date));
    await ask(explain, explaining('ZX 9999', 'ZX 101', '2026-06-01'));
    await ask(health, health);
    await ask(health, health, (question) => empty.get(question, {}));
  });

  test('every property has a value in one, and every value of an enumeration is in one', () => {
    const { declared, unseen } = coverage.places();
    expect(unseen).toEqual([]);
    expect(declared.length).toBeGreaterThan(180);
  });

  test('and all those answers are as the document says', () => {
    expect(coverage.problems).toEqual([]);
  });
});

const used = (parameter: string, value: string, rest = everything): ParameterUse => ({
  path: list,
  parameter,
  value,
  without: rest,
  with: `${rest}&${parameter}=${value}`,
});

/** The one of two questions for an explanation that has another value. */
const explained = (parameter: string, without: string, changed: string): ParameterUse => ({
  path: explain,
  parameter,
  without,
  with: changed,
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
  used('Cursor', cursor, `${everything}&Limit=3`),
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
  // There is one version: to ask for it is to ask for none other.
  ...[
    [list, everything],
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

describe('everything that the document says of questions changes an answer', () => {
  test('every use of a parameter has another answer than the question without it, and one that is not empty', async () => {
    expect(await findUnusedParameters(coverage, uses())).toEqual([]);
    expect(coverage.problems).toEqual([]);
  });

  test('the short and the long names of services mean the same', async () => {
    for (const [short, long] of [
      ['p', 'Passenger'],
      ['c', 'cargo'],
    ])
      expect(await ask(list, `${everything}&Service=${short}`)).toBe(await ask(list, `${everything}&Service=${long}`));
  });

  test('what is known is not sent again', async () => {
    const first = await world.get(everything);
    const asked = (name: string, value: string): Promise<Response> =>
      world.get(everything, { 'subscription-key': TEST_KEY, [name]: value });
    const answers = await Promise.all([
      asked('If-None-Match', first.headers.get('etag') ?? ''),
      asked('If-None-Match', '"another"'),
      asked('If-Modified-Since', first.headers.get('last-modified') ?? ''),
      asked('If-Modified-Since', 'Mon, 01 Jan 2024 00:00:00 GMT'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([304, 200, 304, 200]);
  });

  test('and no parameter, and no value of an enumeration, is left out above', () => {
    const declared = listParameterNames(contract);
    const covered = new Set([...listUsedNames(uses()), `${list} If-None-Match`, `${list} If-Modified-Since`]);
    expect(declared.filter((name) => !covered.has(name))).toEqual([]);
    expect(declared.length).toBeGreaterThan(35);
  });
});

test('headers tell of another set once another is published', async () => {
  const sets = async (): Promise<string | null> => (await world.get(everything)).headers.get('connections-set');
  const before = await sets();
  await publishText(world.db, connectionSchedule(summer).replaceAll('1302', '1303'));
  await world.buildConnections();
  expect(Number(await sets())).toBe(Number(before) + 1);
});
