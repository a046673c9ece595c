import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance } from '../../../generated/flight-info/v2/types.gen.ts';
import { toJsonObject } from '../../../src/lib/openapi-document.ts';
import { createMapKey, type StatusService } from '../../products/flight-info/v2/status-service.ts';
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
import { serveCoveredWorld } from '../coverage/covered-service.ts';
import { listUnobservable } from '../coverage/unobserved-values.ts';

const contract = new Contract('flight-info/v2');
const list = '/flight-instances';
const single = '/flight-instances/{departureDate}/{scheduleInstanceKey}';
const health = '/flights/health';

let world: StatusService;
/** The clock is set to a day before v2. */
let before: TinyService;
/** A service whose database connection is closed. */
let disconnected: TinyService;

const june1 = 'DepartureDateTime=2026-06-01';
const june = `${june1}/2026-06-03`;
const all = 'Content=StatusHistory,Seats,Map&Limit=100';

let coverage: Coverage;
const send: Coverage['send'] = (path, query, get) => coverage.send(path, query, get);

let key = '';
let otherKey = '';
let cursor = '';

beforeAll(async () => {
  [world, before, disconnected] = await Promise.all([
    serveCoveredWorld(),
    serveTinyWorld({ today: '2024-04-14' }),
    serveTinyWorld(),
  ]);
  const headers = await createMapKey(world);
  coverage = createCoverage(contract, (query) => world.get(query, headers));
  const flights = await world.getPage(`${june1}&CarrierCode=XX,YY&FlightNumber=101`);
  key = flights.data[0]?.scheduleInstanceKey ?? '';
  otherKey = (await world.getPage(`${june1}&FlightNumber=5101`)).data[0]?.scheduleInstanceKey ?? '';
  const { paging } = await world.getPage(`${june}&Limit=3`);
  cursor = new URL(paging.next ?? '').searchParams.get('After') ?? '';
  await disconnected.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, before, disconnected]) await drop();
});

describe('responses cover everything that the document declares', () => {
  beforeAll(async () => {
    const page = await world.getPage(`${june}&${all}`);
    for (const query of [`${june}&${all}`, `${june}&Content=Status`, `${june}&Limit=2`, `${june1}&Limit=0`])
      await send(list, `${list}?${query}`);
    for (const { departure, scheduleInstanceKey } of page.data satisfies readonly FlightInstance[])
      if (scheduleInstanceKey !== undefined)
        await send(single, `${list}/${departure.date.local}/${scheduleInstanceKey}`);
    await send(health, health);
    await send(health, `${health}?version=v2`);
    await send(health, health, (query) => disconnected.get(query, {}));
  });

  test('every property has a value, and every enumerated value occurs', () => {
    const { declared, unobserved } = coverage.paths();
    expect(unobserved).toEqual(listUnobservable('flight-info/v2'));
    expect(declared.length).toBeGreaterThan(250);
  });

  test('all responses conform to the document', () => {
    expect(coverage.problems).toEqual([]);
  });
});

const used = (parameter: string, value: string, rest = june1): ParameterUse => ({
  path: list,
  parameter,
  value,
  without: `${list}?${rest}&Limit=100`,
  with: `${list}?${rest}&Limit=100&${parameter}=${value}`,
});

/** The use of a value in addition to another one, compared with that other value alone. */
const beside = (parameter: string, [value, other]: readonly [string, string], rest: string): ParameterUse => ({
  ...used(parameter, value),
  without: `${list}?${rest}&${parameter}=${other}`,
  with: `${list}?${rest}&${parameter}=${other},${value}`,
});

const serviceTypes = ['Passenger', 'Cargo', 'undefined', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const at = (date: string, oneKey: string): string => `${list}/${date}/${oneKey}`;

const uses = (): readonly ParameterUse[] => [
  used('DepartureDateTime', '2026-06-01T11:00', 'ArrivalDateTime=2026-06-01'),
  used('ArrivalDateTime', '2026-06-01T14:00'),
  used('DepartureAirport', 'JFK'),
  used('ArrivalAirport', 'LAX'),
  used('DepartureCountryCode', 'US'),
  used('ArrivalCountryCode', 'FR'),
  used('CarrierCode', 'YY'),
  used('FlightNumber', '101'),
  used('AircraftRegistrationNumber', 'G-ZXAB'),
  beside('CodeType', ['IATA', 'ICAO'], `${june1}&DepartureAirport=JFK,EGLL`),
  used('CodeType', 'ICAO', `${june1}&DepartureAirport=EGLL`),
  used('CodeType', 'FAA', `${june1}&DepartureAirport=NK39`),
  ...['Scheduled', 'Unscheduled', 'GA'].map((value) => used('FlightType', value, june)),
  ...serviceTypes.map((value) => used('ServiceType', value)),
  ...['Operating', 'Marketing'].map((value) => used('Codeshare', value)),
  used('IncludeDiverted', 'true', `${june}&ArrivalAirport=LIS&Content=Status`),
  ...['Status', 'StatusHistory', 'Seats', 'Map'].map((value) => used('Content', value)),
  { path: list, parameter: 'Limit', without: `${list}?${june}`, with: `${list}?${june}&Limit=3` },
  {
    path: list,
    parameter: 'After',
    without: `${list}?${june}&Limit=3`,
    with: `${list}?${june}&Limit=3&After=${cursor}`,
  },
  { path: single, parameter: 'departureDate', without: at('2026-06-02', key), with: at('2026-06-01', key) },
  { path: single, parameter: 'scheduleInstanceKey', without: at('2026-06-01', otherKey), with: at('2026-06-01', key) },
  {
    path: single,
    parameter: 'Content',
    value: 'StatusHistory',
    without: at('2026-06-01', key),
    with: `${at('2026-06-01', key)}?Content=StatusHistory`,
  },
];

describe('every parameter of the document changes a response', () => {
  /** The full record always has these datasets, as the document says, so the response is the same. */
  const sameOnSingle = ['Status', 'Seats', 'Map'];

  test('each parameter use changes the response and returns data', async () => {
    expect(await findUnusedParameters(coverage, uses())).toEqual([]);
    expect(coverage.problems).toEqual([]);
  });

  test.each(sameOnSingle)('the single flight is the same with Content=%s', async (value) => {
    const path = at('2026-06-01', key);
    expect(await send(single, `${path}?Content=${value}`)).toBe(await send(single, path));
  });

  test.each([
    [list, `${list}?DepartureDate=2026-06-01`],
    [single, `${list}/2026-06-01/${'0'.repeat(64)}?`],
    [health, `${health}?`],
  ])('version=v2 selects v2, which is not the default before its first day: %s', async (_, query) => {
    const responses = await Promise.all(
      [query, `${query}&version=v2`].map(async (one) => {
        const response = await before.get(one);
        return `${response.status} ${String(toJsonObject(await response.json())['type'])}`;
      }),
    );
    expect(responses[0]).not.toBe(responses[1]);
    expect(responses[1]).toBe('404 /docs/errors#unknown-version');
  });

  test('does not send an unchanged response again', async () => {
    const paths = [`${list}?${june1}`, at('2026-06-01', key)];
    const responses = await Promise.all(
      paths.map(async (path) => {
        const tag = (await world.get(path)).headers.get('etag') ?? '';
        const request = async (known: string): Promise<number> =>
          (await world.get(path, { 'subscription-key': TEST_KEY, 'if-none-match': known })).status;
        return [await request(tag), await request('"another"'), await request(`W/"x", ${tag}`), await request('*')];
      }),
    );
    expect(responses).toEqual(paths.map(() => [304, 200, 304, 304]));
  });

  test('every parameter and every enumerated value is tested', () => {
    const declared = listParameterNames(contract);
    const covered = new Set([
      ...listUsedNames(uses()),
      ...[list, single].map((path) => `${path} If-None-Match`),
      ...sameOnSingle.map((value) => `${single} Content ${value}`),
      ...[list, single, health].flatMap((path) => [`${path} version`, `${path} version v2`]),
    ]);
    expect(declared.filter((name) => !covered.has(name))).toEqual([]);
    expect(declared.length).toBeGreaterThan(60);
  });
});
