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
/** Its clock stands before the first day of v2. */
let before: TinyService;
/** Its database has been left. */
let away: TinyService;

const june1 = 'DepartureDateTime=2026-06-01';
const june = `${june1}/2026-06-03`;
const all = 'Content=StatusHistory,Seats,Map&Limit=100';

let coverage: Coverage;
const ask: Coverage['ask'] = (path, question, get) => coverage.ask(path, question, get);

let key = '';
let otherKey = '';
let cursor = '';

beforeAll(async () => {
  [world, before, away] = await Promise.all([
    serveCoveredWorld(),
    serveTinyWorld({ today: '2024-04-14' }),
    serveTinyWorld(),
  ]);
  const headers = await createMapKey(world);
  coverage = createCoverage(contract, (question) => world.get(question, headers));
  const flights = await world.getPage(`${june1}&CarrierCode=XX,YY&FlightNumber=101`);
  key = flights.data[0]?.scheduleInstanceKey ?? '';
  otherKey = (await world.getPage(`${june1}&FlightNumber=5101`)).data[0]?.scheduleInstanceKey ?? '';
  const { paging } = await world.getPage(`${june}&Limit=3`);
  cursor = new URL(paging.next ?? '').searchParams.get('After') ?? '';
  await away.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, before, away]) await drop();
});

describe('everything that the document says of answers is found in an answer', () => {
  beforeAll(async () => {
    const page = await world.getPage(`${june}&${all}`);
    for (const question of [`${june}&${all}`, `${june}&Content=Status`, `${june}&Limit=2`, `${june1}&Limit=0`])
      await ask(list, `${list}?${question}`);
    for (const { departure, scheduleInstanceKey } of page.data satisfies readonly FlightInstance[])
      if (scheduleInstanceKey !== undefined)
        await ask(single, `${list}/${departure.date.local}/${scheduleInstanceKey}`);
    await ask(health, health);
    await ask(health, `${health}?version=v2`);
    await ask(health, health, (question) => away.get(question, {}));
  });

  test('every property has a value in one, and every value of an enumeration is in one', () => {
    const { declared, unseen } = coverage.places();
    expect(unseen).toEqual(listUnobservable('flight-info/v2'));
    expect(declared.length).toBeGreaterThan(250);
  });

  test('and all those answers are as the document says', () => {
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

/** A value that is listed beside another one, against that other one alone. */
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

describe('everything that the document says of questions changes an answer', () => {
  /** The full record has these datasets whatever is listed, as the document says: the answer is the same. */
  const sameOnSingle = ['Status', 'Seats', 'Map'];

  test('every use of a parameter has another answer than the question without it, and one that is not empty', async () => {
    expect(await findUnusedParameters(coverage, uses())).toEqual([]);
    expect(coverage.problems).toEqual([]);
  });

  test.each(sameOnSingle)('the single flight is the same with Content=%s', async (value) => {
    const path = at('2026-06-01', key);
    expect(await ask(single, `${path}?Content=${value}`)).toBe(await ask(single, path));
  });

  test.each([
    [list, `${list}?DepartureDate=2026-06-01`],
    [single, `${list}/2026-06-01/${'0'.repeat(64)}?`],
    [health, `${health}?`],
  ])('version=v2 asks for v2, which before its first day is another answer than none: %s', async (_, question) => {
    const answers = await Promise.all(
      [question, `${question}&version=v2`].map(async (one) => {
        const response = await before.get(one);
        return `${response.status} ${String(toJsonObject(await response.json())['type'])}`;
      }),
    );
    expect(answers[0]).not.toBe(answers[1]);
    expect(answers[1]).toBe('404 /docs/errors#unknown-version');
  });

  test('what is known is not sent again', async () => {
    const paths = [`${list}?${june1}`, at('2026-06-01', key)];
    const answers = await Promise.all(
      paths.map(async (path) => {
        const tag = (await world.get(path)).headers.get('etag') ?? '';
        const asked = async (known: string): Promise<number> =>
          (await world.get(path, { 'subscription-key': TEST_KEY, 'if-none-match': known })).status;
        return [await asked(tag), await asked('"another"'), await asked(`W/"x", ${tag}`), await asked('*')];
      }),
    );
    expect(answers).toEqual(paths.map(() => [304, 200, 304, 304]));
  });

  test('and no parameter, and no value of an enumeration, is left out above', () => {
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
