import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance } from '../../generated/flight-info/v2/types.gen.ts';
import { follow, listOf, nodeOf } from '../../src/contract/document.ts';
import { mapKey, type Observed } from '../products/flight-info/v2/observed-world.ts';
import { serveTinyWorld, type Served } from '../support/tiny-world.ts';
import { Contract } from './contract.ts';
import { serveCoveredWorld } from './covered-world.ts';
import { declare, see, type Places } from './seen-places.ts';

const contract = new Contract('flight-info/v2');
const list = '/flight-instances';
const single = '/flight-instances/{departureDate}/{scheduleInstanceKey}';
const health = '/flights/health';

let world: Observed;
/** Its clock stands before the first day of v2. */
let before: Served;
/** Its database has been left. */
let away: Served;
let headers: Record<string, string> = {};

const june1 = 'DepartureDateTime=2026-06-01';
const june = `${june1}/2026-06-03`;
const all = 'Content=StatusHistory,Seats,Map&Limit=100';

type Body = { readonly path: string; readonly status: string; readonly schema: unknown };

/** The schema of every body that the document declares. */
const bodies: readonly Body[] = contract.operations().flatMap(({ path, operation }) =>
  Object.entries(nodeOf(operation['responses'])).flatMap(([status, declared]) =>
    Object.values(nodeOf(nodeOf(follow(contract.document, declared))['content'])).map((media) => ({
      path,
      status,
      schema: nodeOf(media)['schema'],
    })),
  ),
);

const seen: Places = new Set();
const problems: string[] = [];

/** Asks, holds the answer against the document, and notes what is seen in it. Answers what a caller can tell apart. */
const ask = async (path: string, question: string, from: Served = world): Promise<string> => {
  const response = await from.get(question, headers);
  const copy = response.clone();
  const body: unknown = await response.json();
  problems.push(...(await contract.problems('get', path, copy)).map((problem) => `${question}: ${problem}`));
  const declared = bodies.find((one) => one.path === path && one.status === String(response.status));
  if (declared) see(contract.document, { schema: declared.schema, at: path, value: body }, seen);
  const { type, data, paging } = nodeOf(body);
  if (response.status !== 200) return `${response.status} ${String(type)}`;
  // The link to the next page repeats the question, and tells nothing else apart.
  return JSON.stringify(data ? [data, { ...nodeOf(paging), next: undefined }] : body);
};

let key = '';
let otherKey = '';
let cursor = '';

beforeAll(async () => {
  [world, before, away] = await Promise.all([
    serveCoveredWorld(),
    serveTinyWorld({ today: '2024-04-14' }),
    serveTinyWorld(),
  ]);
  headers = await mapKey(world);
  const flights = await world.page(`${june1}&CarrierCode=XX,YY&FlightNumber=101`);
  key = flights.data[0]?.scheduleInstanceKey ?? '';
  otherKey = (await world.page(`${june1}&FlightNumber=5101`)).data[0]?.scheduleInstanceKey ?? '';
  const { paging } = await world.page(`${june}&Limit=3`);
  cursor = new URL(paging.next ?? '').searchParams.get('After') ?? '';
  await away.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, before, away]) await drop();
});

describe('everything that the document says of answers is found in an answer', () => {
  /** What no answer has, and why. */
  const never: Readonly<Record<string, string>> = {
    'FlightInstance.codeshare.operatingAirlineDisclosure.number':
      'no format that is read files a number with a company',
    'FlightInstance.codeshare.cockpitCrewEmployer.number': 'likewise',
    'FlightInstance.codeshare.cabinCrewEmployer.number': 'likewise',
    'FlightInstance.codeshare.jointOperationAirlineDesignators[].number': 'likewise',
    'FlightInstance.statusDetails[].correction = false': 'present and true, or absent',
  };

  beforeAll(async () => {
    const page = await world.page(`${june}&${all}`);
    for (const question of [`${june}&${all}`, `${june}&Content=Status`, `${june}&Limit=2`, `${june1}&Limit=0`])
      await ask(list, `${list}?${question}`);
    for (const { departure, scheduleInstanceKey } of page.data satisfies readonly FlightInstance[])
      if (scheduleInstanceKey !== undefined)
        await ask(single, `${list}/${departure.date.local}/${scheduleInstanceKey}`);
    await ask(health, health);
    await ask(health, health, away);
  });

  test('every property has a value in one, and every value of an enumeration is in one', () => {
    const declared: Places = new Set();
    for (const { path, schema } of bodies) declare(contract.document, { schema, at: path }, declared);
    const missing = [...declared].filter((place) => !seen.has(place));
    expect(missing.toSorted()).toEqual(Object.keys(never).toSorted());
    expect(declared.size).toBeGreaterThan(250);
  });

  test('and all those answers are as the document says', () => {
    expect(problems).toEqual([]);
  });
});

type Use = {
  readonly path: string;
  readonly parameter: string;
  /** The value of an enumeration that is used. */
  readonly value?: string;
  readonly without: string;
  readonly with: string;
};

const used = (parameter: string, value: string, rest = june1): Use => ({
  path: list,
  parameter,
  value,
  without: `${list}?${rest}&Limit=100`,
  with: `${list}?${rest}&Limit=100&${parameter}=${value}`,
});

/** A value that is listed beside another one, against that other one alone. */
const beside = (parameter: string, [value, other]: readonly [string, string], rest: string): Use => ({
  ...used(parameter, value),
  without: `${list}?${rest}&${parameter}=${other}`,
  with: `${list}?${rest}&${parameter}=${other},${value}`,
});

const serviceTypes = ['Passenger', 'Cargo', 'undefined', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const at = (date: string, oneKey: string): string => `${list}/${date}/${oneKey}`;

const uses = (): readonly Use[] => [
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
    const without: string[] = [];
    for (const use of uses()) {
      const [plain, changed] = [await ask(use.path, use.without), await ask(use.path, use.with)];
      if (plain === changed || (!changed.startsWith('[[{') && !changed.startsWith('{'))) without.push(use.with);
    }
    expect(without).toEqual([]);
    expect(problems).toEqual([]);
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
        return `${response.status} ${String(nodeOf(await response.json())['type'])}`;
      }),
    );
    expect(answers[0]).not.toBe(answers[1]);
    expect(answers[1]).toBe('404 /docs/errors#unknown-version');
  });

  test('and no parameter, and no value of an enumeration, is left out above', () => {
    const declared = contract.operations().flatMap(({ path, parameters }) =>
      parameters.flatMap((parameter) => {
        const schema = nodeOf(follow(contract.document, parameter['schema']));
        const values = [
          ...listOf(schema['enum']),
          ...listOf(nodeOf(follow(contract.document, schema['items']))['enum']),
        ];
        const name = `${path} ${String(parameter['name'])}`;
        return [name, ...values.map((value) => `${name} ${String(value)}`)];
      }),
    );
    const covered = new Set([
      ...uses().flatMap(({ path, parameter, value }) => [`${path} ${parameter}`, `${path} ${parameter} ${value}`]),
      ...sameOnSingle.map((value) => `${single} Content ${value}`),
      ...[list, single, health].flatMap((path) => [`${path} version`, `${path} version v2`]),
    ]);
    expect(declared.filter((name) => !covered.has(name))).toEqual([]);
    expect(declared.length).toBeGreaterThan(60);
  });
});
