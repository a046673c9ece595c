import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlightInstancePage } from '../../../generated/flight-info/v2/types.gen.ts';
import { addDays, localDate } from '../../../src/domain/time/dates.ts';
import { flightInfoV2 } from '../../../src/products/flight-info/v2/index.ts';
import { createKey } from '../../../src/store/access/subscription-keys.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { publishText, serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import { schedule } from '../../products/flight-info/v2/example-schedule.ts';
import { Contract } from '../contract.ts';
import {
  listDeclaredRoutes,
  listServedRoutes,
  testDeclaredResponses,
  type ResponseCase,
} from '../responses/declared-responses.ts';
import { createRateLimitCases } from '../responses/rejection-cases.ts';

const contract = new Contract('flight-info/v2');
const list = '/flight-instances';
const single = '/flight-instances/{departureDate}/{scheduleInstanceKey}';
const health = '/flights/health';

let world: TinyService;
/** A service without the flight table: every request fails with an internal error. */
let broken: TinyService;
/** A service whose database connection is closed. */
let disconnected: TinyService;
let key = '';
let expired = '';
let foreign = '';

beforeAll(async () => {
  [world, broken, disconnected] = await Promise.all([serveTinyWorld(), serveTinyWorld(), serveTinyWorld()]);
  await publishText(world.db, schedule);
  await world.refresh();
  const page: FlightInstancePage = await (
    await world.get(`${list}?DepartureDateTime=2026-06-01&FlightNumber=101`)
  ).json();
  key = page.data[0]?.scheduleInstanceKey ?? '';
  const today = localDate('2026-06-01');
  expired = (await createKey(world.db, { name: 'late', products: ['flight-info'], expiresOn: addDays(today, -1) })).key;
  foreign = (await createKey(world.db, { name: 'other', products: ['schedules'] })).key;
  // The key is cached before the database fails.
  for (const { get } of [broken, disconnected]) await get(`${list}?DepartureDateTime=2026-06-01`);
  await broken.db`drop table flight_instance`;
  await disconnected.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, broken]) await drop();
  await disconnected.drop();
});

const withKey = (text: string) => ({ 'subscription-key': text });
const day = 'DepartureDateTime=2026-06-01';
const requestUnchanged = async (path: string): Promise<Response> => {
  const first = await world.get(path);
  return world.get(path, { ...withKey(TEST_KEY), 'if-none-match': first.headers.get('etag') ?? '' });
};

const cases: readonly ResponseCase[] = [
  ...createRateLimitCases(contract, () => world),
  [list, 200, 'plain', () => world.get(`${list}?${day}`)],
  [list, 200, 'every dataset', () => world.get(`${list}?${day}&Content=Status,StatusHistory,Seats,Map`)],
  [list, 200, 'a page with a next link', () => world.get(`${list}/?${day}&Limit=1`)],
  [list, 304, 'an unchanged response', () => requestUnchanged(`${list}?${day}`)],
  [list, 400, 'an invalid parameter', () => world.get(`${list}?${day}&Limit=0`)],
  [list, 400, 'conflicting parameters', () => world.get(`${list}?${day}&CodeType=IATA`)],
  [list, 400, 'an invalid cursor', () => world.get(`${list}?${day}&After=AAAA`)],
  [list, 401, 'no key', () => world.get(`${list}?${day}`, {})],
  [list, 401, 'an unknown key', () => world.get(`${list}?${day}`, withKey('nobody'))],
  [list, 401, 'a key of another product', () => world.get(`${list}?${day}`, withKey(foreign))],
  [list, 403, 'an expired key', () => world.get(`${list}?${day}`, withKey(expired))],
  [list, 404, 'an unknown version', () => world.get(`${list}?${day}&version=v9`)],
  [
    list,
    406,
    'an unacceptable media type',
    () => world.get(`${list}?${day}`, { ...withKey(TEST_KEY), accept: 'text/csv' }),
  ],
  [list, 500, 'an internal error', () => broken.get(`${list}?${day}`)],
  [list, 503, 'no database', () => disconnected.get(`${list}?${day}`)],
  [single, 200, 'plain', () => world.get(`${list}/2026-06-01/${key}?version=v2`)],
  [single, 200, 'with its history', () => world.get(`//flight-instances//2026-06-01/${key}/?Content=StatusHistory`)],
  [single, 304, 'an unchanged response', () => requestUnchanged(`${list}/2026-06-01/${key}`)],
  [single, 400, 'an invalid date', () => world.get(`${list}/2026-06-31/${key}`)],
  [single, 401, 'no key', () => world.get(`${list}/2026-06-01/${key}`, {})],
  [single, 403, 'an expired key', () => world.get(`${list}/2026-06-01/${key}`, withKey(expired))],
  [single, 404, 'no such flight', () => world.get(`${list}/2026-06-09/${key}`)],
  [
    single,
    406,
    'an unacceptable media type',
    () => world.get(`${list}/2026-06-01/${key}`, { ...withKey(TEST_KEY), accept: 'text/html' }),
  ],
  [single, 500, 'an internal error', () => broken.get(`${list}/2026-06-01/${key}`)],
  [single, 503, 'no database', () => disconnected.get(`${list}/2026-06-01/${key}`)],
  [health, 200, 'healthy', () => world.get(health, {})],
  [health, 400, 'two versions', () => world.get(`${health}?version=v2&version=v1`, {})],
  [health, 404, 'an unknown version', () => world.get(`${health}?version=v9`, {})],
  [health, 406, 'an unacceptable media type', () => world.get(health, { accept: 'image/png' })],
  [health, 503, 'no database', () => disconnected.get(health, {})],
  [health, 503, 'no tables', () => broken.get(health, {})],
];

testDeclaredResponses(contract, cases);

test('the served routes are the operations of the document', async () => {
  const masterDataIndex = await readMasterDataIndex(world.db);
  const api = flightInfoV2({
    sql: world.db,
    masterDataIndex: () => masterDataIndex,
    cursorSecret: Buffer.alloc(32),
    mapSecret: Buffer.alloc(32),
    clock: () => new Date(),
  });
  expect(listServedRoutes(api)).toEqual(listDeclaredRoutes(contract));
});

test('health responds without a key', async () => {
  const response = await world.get(health, {});
  expect(await response.json()).toEqual({ flightInfo: 'healthy' });
});

test('no key appears in a response or in the log', async () => {
  const secret = 'c0ffee00c0ffee00c0ffee00c0ffee00';
  const responses = await Promise.all(
    [`${list}?${day}`, `${list}?${day}&Limit=${secret}x`, '/nowhere'].map(async (path) => {
      const response = await world.get(path, withKey(secret));
      return path.includes(secret) ? '' : `${JSON.stringify([...response.headers])}${await response.text()}`;
    }),
  );
  expect(responses.filter((text) => text.includes(secret))).toEqual([]);
  expect(world.logged().filter((line) => line.includes(secret) && !line.includes('Limit='))).toEqual([]);
  expect(world.logged().filter((line) => line.includes(TEST_KEY))).toEqual([]);
});
