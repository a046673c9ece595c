import { expect, test } from 'vitest';
import { claimEndpoints, renewClaims, type ClaimOptions } from '#store/deliveries/endpoint-claims.ts';
import { writePushResults } from '#store/deliveries/delivery-results.ts';
import { addAccountEvents, clearDeliveries, insertAccount, insertEndpoint } from './delivery-fixture.ts';
import { db, useDatabase } from '../job-database.ts';

useDatabase({ reset: clearDeliveries });

const now = new Date('2027-01-01T00:00:00Z');
const [worker, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const defaults = { worker, leaseMs: 10_000, limit: 10, now, streams: undefined, held: [], withRetries: true };
const claim = (settings: Partial<ClaimOptions> = {}) => claimEndpoints(db, { ...defaults, ...settings });
const idsOf = async (claimed: ReturnType<typeof claim>) => (await claimed).map(({ id }) => id).toSorted();
const healthy = { failures: 0, failingSince: undefined, backoffs: 0, backoffUntil: undefined };
const written = { number: 1, finished: [], health: healthy, disabledFor: undefined, isReleased: true };
const results = { attempts: [], retries: [], deadLetters: [] };

test('an endpoint is claimed by one worker during its lease, and by another after it', async () => {
  const account = await insertAccount(db);
  const endpoint = await insertEndpoint(db, { account, url: 'http://127.0.0.1/' });
  expect(await idsOf(claim())).toEqual([]);
  await addAccountEvents(db, [account], { flights: [1] });
  expect(await claim()).toEqual([{ id: endpoint, stream: account.stream, number: 0, finished: [], health: healthy }]);
  expect(await idsOf(claim({ worker: other }))).toEqual([]);
  expect(await renewClaims(db, { worker: other, leaseMs: 1, ids: [endpoint] })).toEqual(new Set());
  await db`update push_progress set claimed_until = now()`;
  expect(await idsOf(claim({ held: [endpoint] }))).toEqual([]);
  expect(await renewClaims(db, { worker, leaseMs: 0, ids: [endpoint] })).toEqual(new Set([endpoint]));
  expect(await idsOf(claim({ worker: other }))).toEqual([endpoint]);
});

test('a worker can write nothing for lost claims, and releases its own', async () => {
  const account = await insertAccount(db);
  const url = 'http://127.0.0.1/';
  const [owned, lost] = [await insertEndpoint(db, { account, url }), await insertEndpoint(db, { account, url })];
  await addAccountEvents(db, [account], { flights: [1] });
  await claim();
  await db`update push_progress set worker = ${other} where endpoint_id = ${lost}`;
  const expired = { number: 1, lastNumber: 1, eventId: undefined, attempts: 0, reason: 'expired' as const };
  const deadLetters = [owned, lost].map((endpointId) => ({ endpointId, ...expired }));
  const endpoints = [owned, lost].map((id) => ({ id, ...written }));
  const all = { ...results, endpoints, deadLetters };
  const kept = await db.begin((sql) => writePushResults(sql, all, { worker, leaseMs: 1, now }));
  expect(kept).toEqual(new Set([owned]));
  expect(await db`select number::int, worker from push_progress order by number`).toEqual([
    { number: 0, worker: other },
    { number: 1, worker: null },
  ]);
  expect(await db`select endpoint_id from push_dead_letter`).toEqual([{ endpoint_id: owned }]);
});

test('skips backed-off, paused and disabled endpoints, and finds those with due retries', async () => {
  const account = await insertAccount(db);
  const url = 'http://127.0.0.1/';
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) ids.push(await insertEndpoint(db, { account, url }));
  const [backedOff, paused, disabled, retried = '', later] = ids;
  const due = (endpoint = '', seconds = 0) =>
    db`insert into push_retry values (${endpoint}, 1, 1, ${new Date(now.getTime() + seconds * 1000)})`;
  for (const endpoint of [backedOff, paused, disabled, retried]) await due(endpoint);
  await due(later, 1);
  await db`update push_progress set rests_until = ${new Date(now.getTime() + 1)} where endpoint_id = ${backedOff ?? ''}`;
  await db`update push_endpoint set active = false where id = ${paused ?? ''}`;
  await db`update push_endpoint set disabled_for = 'gone', disabled_at = now() where id = ${disabled ?? ''}`;
  expect(await idsOf(claim({ withRetries: false }))).toEqual([]);
  expect(await idsOf(claim())).toEqual([retried]);
});
