import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, localDate } from '../../../src/domain/time/dates.ts';
import { flightInfoV1 } from '../../../src/products/flight-info/v1/index.ts';
import { createKey } from '../../../src/store/access/subscription-keys.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { schedule } from '../../products/flight-info/v2/example-schedule.ts';
import { publishText, serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import { Contract } from '../contract.ts';
import {
  listDeclaredRoutes,
  listServedRoutes,
  type ResponseCase,
  findUntestedResponses,
} from '../responses/declared-responses.ts';
import { createRateLimitCases } from '../responses/rejection-cases.ts';

const contract = new Contract('flight-info/v1');
const list = '/flight-instances';
const health = '/flights/health';
const today = '2024-06-01';

/** The clock is set to the year in which v1 was deprecated. */
let world: TinyService;
/** As `world`, without the flight table: every request fails with an internal error. */
let broken: TinyService;
/** As `world`, but its database connection is closed. */
let disconnected: TinyService;
/** The clock is set to the last day before v2. */
let before: TinyService;
/** The clock is set to the day on which v1 was removed. */
let after: TinyService;
let expired = '';
let foreign = '';
let expiredAfter = '';

const day = 'version=1.0&DepartureDate=2026-06-01';

beforeAll(async () => {
  [world, broken, disconnected] = await Promise.all([
    serveTinyWorld({ today }),
    serveTinyWorld({ today }),
    serveTinyWorld({ today }),
  ]);
  [before, after] = await Promise.all([
    serveTinyWorld({ today: '2024-04-14' }),
    serveTinyWorld({ today: '2025-04-14' }),
  ]);
  for (const { db, refresh } of [world, before]) {
    await publishText(db, schedule);
    await refresh();
  }
  const expiresOn = addDays(localDate(today), -1);
  expired = (await createKey(world.db, { name: 'late', products: ['flight-info'], expiresOn })).key;
  foreign = (await createKey(world.db, { name: 'other', products: ['schedules'] })).key;
  expiredAfter = (await createKey(after.db, { name: 'late', products: ['flight-info'], expiresOn })).key;
  // The key is cached before the database fails.
  for (const { get } of [broken, disconnected]) await get(`${list}?${day}`);
  await broken.db`drop table flight_instance`;
  await disconnected.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, broken, before, after]) await drop();
  await disconnected.drop();
});

const withKey = (text: string) => ({ 'subscription-key': text });

const cases: readonly ResponseCase[] = [
  ...createRateLimitCases(contract, () => world),
  [list, 200, 'plain', () => world.get(`${list}?${day}`)],
  [list, 200, 'with its status', () => world.get(`${list}?${day}&Content=Status&Limit=100`)],
  [list, 200, 'a page with a next link', () => world.get(`//flight-instances/?${day}&Limit=1`)],
  [list, 400, 'an invalid parameter', () => world.get(`${list}?${day}&Limit=0`)],
  [list, 400, 'a rule of several parameters', () => world.get(`${list}?version=v1`)],
  [list, 400, 'an invalid cursor', () => world.get(`${list}?${day}&After=AAAA`)],
  [list, 401, 'no key', () => world.get(`${list}?${day}`, {})],
  [list, 401, 'a key of another product', () => world.get(`${list}?${day}`, withKey(foreign))],
  [list, 403, 'an expired key', () => world.get(`${list}?${day}`, withKey(expired))],
  [
    list,
    406,
    'an unacceptable media type',
    () => world.get(`${list}?${day}`, { ...withKey(TEST_KEY), accept: 'text/csv' }),
  ],
  [list, 500, 'an internal error', () => broken.get(`${list}?${day}`)],
  [list, 503, 'no database', () => disconnected.get(`${list}?${day}`)],
  [health, 200, 'healthy', () => world.get(`${health}?version=1.0`, {})],
  [health, 406, 'an unacceptable media type', () => world.get(`${health}?version=1.0`, { accept: 'image/png' })],
  [health, 503, 'no database', () => disconnected.get(`${health}?version=1.0`, {})],
  [health, 503, 'no tables', () => broken.get(`${health}?version=1.0`, {})],
];

const withoutDeprecation: readonly ResponseCase[] = [
  [list, 200, 'before v2: plain', () => before.get(`${list}?${day}`)],
  [list, 200, 'before v2: without a version', () => before.get(`${list}?DepartureDate=2026-06-01`)],
  [list, 400, 'before v2: an invalid parameter', () => before.get(`${list}?${day}&Limit=0`)],
  [list, 401, 'before v2: no key', () => before.get(`${list}?${day}`, {})],
  [list, 404, 'before v2: the future version', () => before.get(`${list}?version=v2`)],
  [health, 200, 'before v2: healthy', () => before.get(health, {})],
  [health, 400, 'before v2: two versions', () => before.get(`${health}?version=v1&version=v2`, {})],
  [health, 404, 'before v2: the future version', () => before.get(`${health}?version=v2`, {})],
  [list, 404, 'removed: with a valid key', () => after.get(`${list}?${day}`)],
  [list, 404, 'removed: with invalid parameters', () => after.get(`${list}?${day}&Limit=0`)],
  [list, 404, 'removed: without a key', () => after.get(`${list}?${day}`, {})],
  [list, 404, 'removed: with an unknown key', () => after.get(`${list}?${day}`, withKey('nobody'))],
  [list, 404, 'removed: with an expired key', () => after.get(`${list}?${day}`, withKey(expiredAfter))],
  [health, 404, 'removed: health', () => after.get(`${health}?version=v1`, {})],
];

const deprecationHeadersOf = ({ headers }: Response) => ({
  deprecation: headers.get('deprecation'),
  sunset: headers.get('sunset'),
  link: headers.get('link'),
});

describe('every declared response is returned as declared', () => {
  test.each(cases)('deprecated: %s returns %i: %s', async (path, status, _, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(deprecationHeadersOf(response)).toEqual({
      deprecation: 'true',
      sunset: 'Mon, 14 Apr 2025 00:00:00 GMT',
      link: `<${path}?version=v2>; rel="successor-version", </docs/flight-info/v1>; rel="deprecation"; type="text/html"`,
    });
    expect(await contract.problems('get', path, response)).toEqual([]);
  });

  test.each(withoutDeprecation)('%s returns %i %s', async (path, status, _, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect({ ...deprecationHeadersOf(response), link: null }).toEqual({ deprecation: null, sunset: null, link: null });
    expect(await contract.problems('get', path, response)).toEqual([]);
  });

  test('every declared status is tested', () => {
    expect(findUntestedResponses(contract, [...cases, ...withoutDeprecation])).toEqual([]);
  });
});

test('the problem of the removed version is the documented one', async () => {
  const response = await after.get(`${list}?version=1.0`, {});
  const problem: object = await response.json();
  const example = contract
    .examples()
    .find(({ examplePointer }) => examplePointer.endsWith('/examples/removedVersion'))?.value;
  expect(problem).toEqual({ ...Object(example), traceId: response.headers.get('x-request-id') });
});

test('the served routes are the operations of the document', async () => {
  const masterDataIndex = await readMasterDataIndex(world.db);
  const api = flightInfoV1({
    sql: world.db,
    masterDataIndex: () => masterDataIndex,
    cursorSecret: Buffer.alloc(32),
    mapSecret: Buffer.alloc(32),
    clock: () => new Date(),
  });
  expect(listServedRoutes(api)).toEqual(listDeclaredRoutes(contract));
});
