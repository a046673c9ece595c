import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectionPage } from '../../../generated/connections/v1/types.gen.ts';
import { addDays, localDate } from '../../../src/domain/time/dates.ts';
import { connectionsV1 } from '../../../src/products/connections/v1/index.ts';
import { createKey } from '../../../src/store/access/subscription-keys.ts';
import { readMasterData } from '../../../src/jobs/cache/master-data-cache.ts';
import { serveConnections } from '../../products/connections/v1/connections-service.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import { Contract } from '../contract.ts';
import {
  listDeclaredRoutes,
  listServedRoutes,
  testDeclaredResponses,
  type ResponseCase,
} from '../responses/declared-responses.ts';
import { createRateLimitCases } from '../responses/rejection-cases.ts';

const contract = new Contract('connections/v1');
const list = '/flight-connections';
const explain = '/flight-connections/explain';
const health = '/flight-connections/health';

const clock = (): Date => new Date('2026-06-01T12:00:00Z');
const from = `${list}?DepartureAirport=GLA`;
const pair = `${explain}?Leg1CarrierCode=ZX&Leg1FlightNumber=1302&Leg2CarrierCode=ZX&Leg2FlightNumber=101`;
const on = `${pair}&DepartureDate=2026-06-01`;

let world: TinyService;
/** A service without a connection set. */
let empty: TinyService;
/** A service without its key table: every request fails with an internal error. */
let broken: TinyService;
/** A service whose database connection is closed. */
let disconnected: TinyService;
let next = '';
let staleLink = '';
let expired = '';
let foreign = '';

const nextOf = async (): Promise<string> => {
  const page: ConnectionPage = await (await world.get(`${from}&Limit=1`)).json();
  return (page.paging.next ?? '').replace('http://service.test', '');
};

beforeAll(async () => {
  [world, empty, broken, disconnected] = await Promise.all([
    serveConnections(),
    serveTinyWorld(),
    serveTinyWorld(),
    serveTinyWorld(),
  ]);
  staleLink = await nextOf();
  for (const { buildConnections } of [world, world]) await buildConnections();
  next = await nextOf();
  const today = localDate('2026-06-01');
  expired = (await createKey(world.db, { name: 'late', products: ['connections'], expiresOn: addDays(today, -1) })).key;
  foreign = (await createKey(world.db, { name: 'other', products: ['schedules'] })).key;
  await broken.db`drop table subscription_key cascade`;
  await disconnected.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, empty, broken, disconnected]) await drop();
});

const withKey = (text: string) => ({ 'subscription-key': text });
const requestUnchanged = async (): Promise<Response> => {
  const first = await world.get(from);
  return world.get(from, { ...withKey(TEST_KEY), 'if-none-match': first.headers.get('etag') ?? '' });
};

const cases: readonly ResponseCase[] = [
  ...createRateLimitCases(contract, () => world),
  [list, 200, 'from an airport', () => world.get(from)],
  [list, 200, 'a further page', () => world.get(next)],
  [list, 200, 'no match', () => world.get(`//flight-connections/?departureairport=xxx`)],
  [list, 304, 'an unchanged response', requestUnchanged],
  [list, 400, 'no place', () => world.get(list)],
  [list, 400, 'an invalid parameter', () => world.get(`${from}&Circuity=251`)],
  [list, 400, 'too many days', () => world.get(`${from}&DepartureDate=2026-06-01/2026-06-08`)],
  [list, 400, 'an invalid cursor', () => world.get(`${from}&Cursor=AAAA`)],
  [list, 400, 'a cursor of a deleted set', () => world.get(staleLink)],
  [list, 401, 'no key', () => world.get(from, {})],
  [list, 401, 'a key of another product', () => world.get(from, withKey(foreign))],
  [list, 403, 'an expired key', () => world.get(from, withKey(expired))],
  [list, 404, 'an unknown version', () => world.get(`${from}&version=v9`)],
  [list, 406, 'an unacceptable media type', () => world.get(from, { ...withKey(TEST_KEY), accept: 'text/csv' })],
  [list, 500, 'an internal error', () => broken.get(from)],
  [list, 503, 'no set', () => empty.get(from)],
  [list, 503, 'no database', () => disconnected.get(from)],
  [explain, 200, 'two flights', () => world.get(on)],
  [explain, 400, 'no date', () => world.get(pair)],
  [explain, 400, 'an invalid date', () => world.get(`${pair}&DepartureDate=2026-06-31`)],
  [explain, 401, 'no key', () => world.get(on, {})],
  [explain, 403, 'an expired key', () => world.get(on, withKey(expired))],
  [explain, 404, 'no such flight', () => world.get(`${pair}&DepartureDate=2028-06-01`)],
  [explain, 404, 'an unknown version', () => world.get(`${on}&version=v9`)],
  [explain, 406, 'an unacceptable media type', () => world.get(on, { ...withKey(TEST_KEY), accept: 'text/html' })],
  [explain, 500, 'an internal error', () => broken.get(on)],
  [explain, 503, 'no set', () => empty.get(on)],
  [health, 200, 'healthy', () => world.get(health, {})],
  [health, 400, 'two versions', () => world.get(`${health}?version=v1&version=v2`, {})],
  [health, 404, 'an unknown version', () => world.get(`${health}?version=v9`, {})],
  [health, 406, 'an unacceptable media type', () => world.get(health, { accept: 'image/png' })],
  [health, 503, 'no set', () => empty.get(health, {})],
];

testDeclaredResponses(contract, cases);

test('the served routes are the operations of the document', async () => {
  const { masterDataIndex, records } = await readMasterData(world.db, clock);
  const api = connectionsV1({
    connections: () => undefined,
    connectionsById: () => undefined,
    masterDataIndex: () => masterDataIndex,
    masterRecords: () => records,
    cursorSecret: Buffer.alloc(32),
    clock,
  });
  expect(listServedRoutes(api)).toEqual(listDeclaredRoutes(contract));
});
