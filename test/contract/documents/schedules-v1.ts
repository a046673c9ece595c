import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SchedulePage } from '../../../generated/schedules/v1/types.gen.ts';
import { addDays, localDate } from '../../../src/domain/time/dates.ts';
import { schedulesV1 } from '../../../src/products/schedules/v1/index.ts';
import { createKey } from '../../../src/store/access/subscription-keys.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { schedule } from '../../products/schedules/v1/example-schedule.ts';
import { publishText, serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import { Contract } from '../contract.ts';
import {
  listDeclaredRoutes,
  listServedRoutes,
  testDeclaredResponses,
  type ResponseCase,
} from '../responses/declared-responses.ts';
import { createRateLimitCases } from '../responses/rejection-cases.ts';

const contract = new Contract('schedules/v1');
const list = '/flights';
const single = '/flights/{fingerprint}';
const health = '/schedules/health';

let world: TinyService;
/** A service without the schedule tables: every request fails with an internal error. */
let broken: TinyService;
/** A service whose database connection is closed. */
let disconnected: TinyService;
let fingerprint = '';
let middle = '';
let expired = '';
let foreign = '';

beforeAll(async () => {
  [world, broken, disconnected] = await Promise.all([serveTinyWorld(), serveTinyWorld(), serveTinyWorld()]);
  await publishText(world.db, schedule);
  await world.refresh();
  const page: SchedulePage = await (await world.get(`${list}?Limit=1`)).json();
  fingerprint = page.data[0]?.fingerprint ?? '';
  middle = (page.paging.next ?? '').replace('http://service.test', '');
  const today = localDate('2026-06-01');
  expired = (await createKey(world.db, { name: 'late', products: ['schedules'], expiresOn: addDays(today, -1) })).key;
  foreign = (await createKey(world.db, { name: 'other', products: ['flight-info'] })).key;
  // The key is cached before the database fails.
  for (const { get } of [broken, disconnected]) await get(list);
  await broken.db`drop table schedule_record`;
  await disconnected.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, broken]) await drop();
  await disconnected.drop();
});

const withKey = (text: string) => ({ 'subscription-key': text });

const cases: readonly ResponseCase[] = [
  ...createRateLimitCases(contract, () => world),
  [list, 200, 'without any filter', () => world.get(list)],
  [list, 200, 'with seats', () => world.get(`${list}?Content=Seats&version=v1`)],
  [list, 200, 'a page with both links', () => world.get(middle)],
  [list, 200, 'no match', () => world.get(`//flights/?flightnumber=9999`)],
  [list, 400, 'an invalid parameter', () => world.get(`${list}?Limit=0`)],
  [list, 400, 'an invalid date', () => world.get(`${list}?DepartureDate=2026-06-31`)],
  [list, 400, 'an invalid cursor', () => world.get(`${list}?cursor=AAAA`)],
  [list, 401, 'no key', () => world.get(list, {})],
  [list, 401, 'an unknown key', () => world.get(list, withKey('nobody'))],
  [list, 401, 'a key of another product', () => world.get(list, withKey(foreign))],
  [list, 403, 'an expired key', () => world.get(list, withKey(expired))],
  [list, 404, 'an unknown version', () => world.get(`${list}?version=v9`)],
  [list, 406, 'an unacceptable media type', () => world.get(list, { ...withKey(TEST_KEY), accept: 'text/csv' })],
  [list, 500, 'an internal error', () => broken.get(list)],
  [list, 503, 'no database', () => disconnected.get(list)],
  [single, 200, 'plain', () => world.get(`${list}/${fingerprint}?version=v1`)],
  [single, 400, 'an invalid fingerprint', () => world.get(`${list}/abc`)],
  [single, 401, 'no key', () => world.get(`${list}/${fingerprint}`, {})],
  [single, 403, 'an expired key', () => world.get(`${list}/${fingerprint}`, withKey(expired))],
  [single, 404, 'no such record', () => world.get(`${list}/${'0'.repeat(64)}`)],
  [
    single,
    406,
    'an unacceptable media type',
    () => world.get(`${list}/${fingerprint}`, { ...withKey(TEST_KEY), accept: 'text/html' }),
  ],
  [single, 500, 'an internal error', () => broken.get(`${list}/${fingerprint}`)],
  [single, 503, 'no database', () => disconnected.get(`${list}/${fingerprint}`)],
  [health, 200, 'healthy', () => world.get(health, {})],
  [health, 400, 'two versions', () => world.get(`${health}?version=v1&version=v2`, {})],
  [health, 404, 'an unknown version', () => world.get(`${health}?version=v9`, {})],
  [health, 406, 'an unacceptable media type', () => world.get(health, { accept: 'image/png' })],
  [health, 503, 'no database', () => disconnected.get(health, {})],
  [health, 503, 'no tables', () => broken.get(health, {})],
];

testDeclaredResponses(contract, cases);

test('the served routes are the operations of the document', async () => {
  const masterDataIndex = await readMasterDataIndex(world.db);
  const api = schedulesV1({ sql: world.db, masterDataIndex: () => masterDataIndex, cursorSecret: Buffer.alloc(32) });
  expect(listServedRoutes(api)).toEqual(listDeclaredRoutes(contract));
});

test('the paths of Schedules and Flight Info do not overlap', async () => {
  const responses = await Promise.all(
    ['/flights/health', health, `${list}/health`].map(async (path) => (await world.get(path, {})).json()),
  );
  expect(responses).toEqual([{ flightInfo: 'healthy' }, { schedules: 'healthy' }, { flightInfo: 'healthy' }]);
});
