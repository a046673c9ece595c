import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { claimIdempotencyKey, updateIdempotentResponse } from '#store/alerts/idempotency.ts';
import type { IdempotencyClaim } from '#store/alerts/idempotency.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { sql: db } = await sharedDatabase();
const { subscriptionId } = await createKey(db, { name: 'tests', products: ['flight-info-alerts'] });
const accountId = randomUUID();
beforeEach(() => db`truncate idempotency_key`);

const noon = new Date('2026-06-01T12:00:00Z');
const later = (hours: number): Date => new Date(noon.getTime() + hours * 3_600_000);
const request = ({ key = 'k', letter = 'a', now = noon } = {}) => ({
  subscriptionId,
  key,
  fingerprint: Buffer.alloc(32, letter),
  now,
});

const claim = (keyed: ReturnType<typeof request>, response: string): Promise<IdempotencyClaim> =>
  db.begin(async (sql) => {
    const result = await claimIdempotencyKey(sql, keyed);
    if (result.kind === 'new') await updateIdempotentResponse(sql, keyed, { accountId, response });
    return result;
  });

test('a response is returned again for 24 hours, and then the key is new', async () => {
  expect(await claim(request(), '1')).toEqual({ kind: 'new' });
  expect(await claim(request({ now: later(23.99) }), '2')).toEqual({ kind: 'completed', response: '1' });
  expect(await claim(request({ now: later(24), letter: 'b' }), '3')).toEqual({ kind: 'new' });
  expect(await claim(request({ now: later(25), letter: 'b' }), '4')).toEqual({ kind: 'completed', response: '3' });
});

test('a concurrent request waits for the response of the first, or replaces it when that fails', async () => {
  const race = async (fails: boolean): Promise<IdempotencyClaim> => {
    await db`truncate idempotency_key`;
    const [claimed, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = db.begin(async (sql) => {
      await claimIdempotencyKey(sql, request());
      claimed.resolve();
      await go.promise;
      if (fails) throw new Error('refused');
      await updateIdempotentResponse(sql, request(), { accountId, response: '1' });
    });
    await claimed.promise;
    const second = claim(request(), '2');
    go.resolve();
    await Promise.allSettled([first]);
    return second;
  };
  expect(await race(false)).toEqual({ kind: 'completed', response: '1' });
  expect(await race(true)).toEqual({ kind: 'new' });
});

test('deletes old responses when new ones are stored', async () => {
  for (const key of ['a', 'b', 'c']) await claim(request({ key }), '1');
  await claim(request({ key: 'd', now: later(30) }), '1');
  const stored = await db<{ key: string }[]>`select key from idempotency_key`;
  expect(stored.map(({ key }) => key)).toEqual(['d']);
});

test('concurrent deletions of old responses do not block each other', async () => {
  const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
  for (const key of keys) await claim(request({ key }), '1');
  const claims = await Promise.all(keys.toReversed().map((key) => claim(request({ key, now: later(30) }), '2')));
  expect(new Set(claims.map(({ kind }) => kind))).toEqual(new Set(['new']));
});
