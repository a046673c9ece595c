import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, localDate } from '../../../src/domain/time/dates.ts';
import { flightInfoV1 } from '../../../src/products/flight-info/v1/index.ts';
import { createKey } from '../../../src/store/access/subscription-keys.ts';
import { readDirectory } from '../../../src/jobs/cache/read-directory.ts';
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

/** The clock stands in the year in which v1 was deprecated. */
let world: TinyService;
/** As `world`, but its tables are gone: every question of it fails, and not because it is away. */
let broken: TinyService;
/** As `world`, but its database has been left. */
let away: TinyService;
/** The clock stands on the last day before v2. */
let before: TinyService;
/** The clock stands on the day on which v1 was removed. */
let after: TinyService;
let expired = '';
let foreign = '';
let expiredAfter = '';

const day = 'version=1.0&DepartureDate=2026-06-01';

beforeAll(async () => {
  [world, broken, away] = await Promise.all([
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
  // The key is known before the store is gone.
  for (const { get } of [broken, away]) await get(`${list}?${day}`);
  await broken.db`drop table flight_instance`;
  await away.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, broken, before, after]) await drop();
  await away.drop();
});

const withKey = (text: string) => ({ 'subscription-key': text });

const cases: readonly ResponseCase[] = [
  ...createRateLimitCases(contract, () => world),
  [list, 200, 'plain', () => world.get(`${list}?${day}`)],
  [list, 200, 'with its status', () => world.get(`${list}?${day}&Content=Status&Limit=100`)],
  [list, 200, 'a page with a next one', () => world.get(`//flight-instances/?${day}&Limit=1`)],
  [list, 400, 'bad parameter', () => world.get(`${list}?${day}&Limit=0`)],
  [list, 400, 'a rule of several parameters', () => world.get(`${list}?version=v1`)],
  [list, 400, 'bad cursor', () => world.get(`${list}?${day}&After=AAAA`)],
  [list, 401, 'no key', () => world.get(`${list}?${day}`, {})],
  [list, 401, 'a key of another product', () => world.get(`${list}?${day}`, withKey(foreign))],
  [list, 403, 'an expired key', () => world.get(`${list}?${day}`, withKey(expired))],
  [list, 406, 'another form', () => world.get(`${list}?${day}`, { ...withKey(TEST_KEY), accept: 'text/csv' })],
  [list, 500, 'a fault', () => broken.get(`${list}?${day}`)],
  [list, 503, 'no database', () => away.get(`${list}?${day}`)],
  [health, 200, 'well', () => world.get(`${health}?version=1.0`, {})],
  [health, 406, 'another form', () => world.get(`${health}?version=1.0`, { accept: 'image/png' })],
  [health, 503, 'no database', () => away.get(`${health}?version=1.0`, {})],
  [health, 503, 'no tables', () => broken.get(`${health}?version=1.0`, {})],
];

const undressed: readonly ResponseCase[] = [
  [list, 200, 'before v2: plain', () => before.get(`${list}?${day}`)],
  [list, 200, 'before v2: the version left out', () => before.get(`${list}?DepartureDate=2026-06-01`)],
  [list, 400, 'before v2: bad parameter', () => before.get(`${list}?${day}&Limit=0`)],
  [list, 401, 'before v2: no key', () => before.get(`${list}?${day}`, {})],
  [list, 404, 'before v2: that version', () => before.get(`${list}?version=v2`)],
  [health, 200, 'before v2: well', () => before.get(health, {})],
  [health, 400, 'before v2: two versions at once', () => before.get(`${health}?version=v1&version=v2`, {})],
  [health, 404, 'before v2: that version', () => before.get(`${health}?version=v2`, {})],
  [list, 404, 'removed: with a good key', () => after.get(`${list}?${day}`)],
  [list, 404, 'removed: with parameters that are wrong', () => after.get(`${list}?${day}&Limit=0`)],
  [list, 404, 'removed: without a key', () => after.get(`${list}?${day}`, {})],
  [list, 404, 'removed: with a key that is none', () => after.get(`${list}?${day}`, withKey('nobody'))],
  [list, 404, 'removed: with an expired key', () => after.get(`${list}?${day}`, withKey(expiredAfter))],
  [health, 404, 'removed: its health', () => after.get(`${health}?version=v1`, {})],
];

const endOf = ({ headers }: Response) => ({
  deprecation: headers.get('deprecation'),
  sunset: headers.get('sunset'),
  link: headers.get('link'),
});

describe('every declared answer is given as declared', () => {
  test.each(cases)('deprecated: %s answers %i: %s', async (path, status, _, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(endOf(response)).toEqual({
      deprecation: 'true',
      sunset: 'Mon, 14 Apr 2025 00:00:00 GMT',
      link: `<${path}?version=v2>; rel="successor-version", </docs/flight-info/v1>; rel="deprecation"; type="text/html"`,
    });
    expect(await contract.problems('get', path, response)).toEqual([]);
  });

  test.each(undressed)('%s answers %i %s', async (path, status, _, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect({ ...endOf(response), link: null }).toEqual({ deprecation: null, sunset: null, link: null });
    expect(await contract.problems('get', path, response)).toEqual([]);
  });

  test('and no declared status is left out above', () => {
    expect(findUntestedResponses(contract, [...cases, ...undressed])).toEqual([]);
  });
});

test('the problem of the removed version is the one of the document', async () => {
  const response = await after.get(`${list}?version=1.0`, {});
  const problem: object = await response.json();
  const example = contract.examples().find(({ where }) => where.endsWith('/examples/removedVersion'))?.value;
  expect(problem).toEqual({ ...Object(example), traceId: response.headers.get('x-request-id') });
});

test('the routes served are the operations of the document', async () => {
  const directory = await readDirectory(world.db);
  const api = flightInfoV1({
    sql: world.db,
    directory: () => directory,
    cursorSecret: Buffer.alloc(32),
    mapSecret: Buffer.alloc(32),
    clock: () => new Date(),
  });
  expect(listServedRoutes(api)).toEqual(listDeclaredRoutes(contract));
});
