import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, localDate } from '../../../src/domain/time/dates.ts';
import { masterDataV1 } from '../../../src/products/master-data/v1/index.ts';
import { createKey } from '../../../src/store/access/subscription-keys.ts';
import { readMasterData } from '../../../src/jobs/cache/master-data-cache.ts';
import { serveMasterData } from '../../products/master-data/v1/master-data-service.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import { Contract } from '../contract.ts';
import {
  listDeclaredRoutes,
  listServedRoutes,
  testDeclaredResponses,
  type ResponseCase,
} from '../responses/declared-responses.ts';
import { createRateLimitCases } from '../responses/rejection-cases.ts';

const contract = new Contract('master-data/v1');
const health = '/master-data/health';
/** The six operations that require a key, each with a path that matches. */
const operations = [
  ['/locations', '/locations'],
  ['/locations/{code}', '/locations/LHR'],
  ['/carriers', '/carriers'],
  ['/carriers/{code}', '/carriers/ZX'],
  ['/equipment', '/equipment'],
  ['/equipment/{code}', '/equipment/789'],
] as const;

let world: TinyService;
/** A service without its tables: every uncached request fails with an internal error. */
let broken: TinyService;
/** A service whose database connection is closed. */
let disconnected: TinyService;
let expired = '';
let foreign = '';

beforeAll(async () => {
  [world, broken, disconnected] = await Promise.all([serveMasterData(), serveTinyWorld(), serveTinyWorld()]);
  const today = localDate('2026-06-01');
  expired = (await createKey(world.db, { name: 'late', products: ['master-data'], expiresOn: addDays(today, -1) })).key;
  foreign = (await createKey(world.db, { name: 'other', products: ['flight-info'] })).key;
  await broken.db`drop table subscription_key cascade`;
  await broken.db`drop table location`;
  await disconnected.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, broken, disconnected]) await drop();
});

const key = { 'subscription-key': TEST_KEY };
const withKey = (text: string) => ({ 'subscription-key': text });

/** Returns the header of a conditional request for the current response. */
const conditionalHeader = async (address: string, by: 'etag' | 'last-modified'): Promise<Record<string, string>> => {
  const value = (await world.get(address)).headers.get(by) ?? '';
  return { ...key, [by === 'etag' ? 'if-none-match' : 'if-modified-since']: value };
};

const commonCases = operations.flatMap(([path, address]): readonly ResponseCase[] => [
  [path, 200, 'plain', () => world.get(address)],
  [path, 200, 'with its sources', () => world.get(`${address}?Content=Provenance&version=v1`)],
  [path, 304, 'unchanged by ETag', async () => world.get(address, await conditionalHeader(address, 'etag'))],
  [
    path,
    304,
    'unchanged by Last-Modified',
    async () => world.get(address, await conditionalHeader(address, 'last-modified')),
  ],
  [path, 401, 'no key', () => world.get(address, {})],
  [path, 401, 'an unknown key', () => world.get(address, withKey('nobody'))],
  [path, 401, 'a key of another product', () => world.get(address, withKey(foreign))],
  [path, 403, 'an expired key', () => world.get(address, withKey(expired))],
  [path, 404, 'an unknown version', () => world.get(`${address}?version=v9`)],
  [path, 406, 'an unacceptable media type', () => world.get(address, { ...key, accept: 'text/csv' })],
  [path, 500, 'an internal error', () => broken.get(address)],
  [path, 503, 'no database to look the key up in', () => disconnected.get(address)],
]);

const cases: readonly ResponseCase[] = [
  ...createRateLimitCases(contract, () => world),
  ...commonCases,
  ['/locations', 200, 'near a point', () => world.get('/locations?Near=51.5,-0.12&WithinKm=60')],
  ['/locations', 200, 'a page with a next link', () => world.get('/locations?Limit=2')],
  ['/locations', 200, 'no match', () => world.get('/locations?Name=nowhere')],
  ['/locations', 400, 'an invalid parameter', () => world.get('/locations?Limit=0')],
  ['/locations', 400, 'an invalid cursor', () => world.get('/locations?After=AAAA')],
  ['/locations', 400, 'half of a circle', () => world.get('/locations?Near=51.5,-0.12')],
  ['/locations', 400, 'a point off the earth', () => world.get('/locations?Near=91,0&WithinKm=5')],
  ['/locations/{code}', 400, 'no code', () => world.get('/locations/!')],
  ['/locations/{code}', 404, 'a code of another system', () => world.get('/locations/EGLL')],
  ['/carriers', 400, 'an invalid parameter', () => world.get('/carriers?PublishingCarrier=perhaps')],
  ['/carriers/{code}', 400, 'an invalid date', () => world.get('/carriers/ZX?AsOf=2026-02-30')],
  ['/carriers/{code}', 404, 'an unknown carrier', () => world.get('/carriers/ZZ')],
  ['/equipment', 400, 'an invalid parameter', () => world.get('/equipment?Body=Broad')],
  ['/equipment/{code}', 400, 'an invalid parameter', () => world.get('/equipment/789?CodeType=BCBP')],
  ['/equipment/{code}', 404, 'none', () => world.get('/equipment/999')],
  [health, 200, 'healthy', () => world.get(health, {})],
  [health, 400, 'two versions', () => world.get(`${health}?version=v1&version=v2`, {})],
  [health, 404, 'an unknown version', () => world.get(`${health}?version=v9`, {})],
  [health, 406, 'an unacceptable media type', () => world.get(health, { accept: 'image/png' })],
  [health, 503, 'no database', () => disconnected.get(health, {})],
  [health, 503, 'no tables', () => broken.get(health, {})],
];

testDeclaredResponses(contract, cases);

test('the served routes are the operations of the document', async () => {
  const clock = (): Date => new Date('2026-06-01T12:00:00Z');
  const { records } = await readMasterData(world.db, clock);
  const api = masterDataV1({
    sql: world.db,
    masterRecords: () => records,
    cursorSecret: Buffer.alloc(32),
    clock,
  });
  expect(listServedRoutes(api)).toEqual(listDeclaredRoutes(contract));
});

test('health responds without a key', async () => {
  const response = await world.get(health, {});
  expect(await response.json()).toEqual({ masterData: 'healthy' });
});
