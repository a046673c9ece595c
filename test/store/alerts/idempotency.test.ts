import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  claimIdempotencyKey,
  updateIdempotentResponse,
  type IdempotencyClaim,
} from '../../../src/store/alerts/idempotency.ts';
import { createKey } from '../../../src/store/access/subscription-keys.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database.ts';

let fresh: FreshDatabase;
let subscriptionId = 0;
beforeAll(async () => {
  fresh = await freshDatabase();
  ({ subscriptionId } = await createKey(fresh.sql, { name: 'tests', products: ['flight-info-alerts'] }));
});
beforeEach(() => fresh.sql`truncate idempotency_key`);
afterAll(() => fresh.drop());

const noon = new Date('2026-06-01T12:00:00Z');
const later = (hours: number): Date => new Date(noon.getTime() + hours * 3_600_000);
const asked = ({ key = 'k', letter = 'a', now = noon } = {}) => ({
  subscriptionId,
  key,
  fingerprint: Buffer.alloc(32, letter),
  now,
});

/** Claims and, when the key is new, keeps an answer. */
const answered = (request: ReturnType<typeof asked>, answer: string): Promise<IdempotencyClaim> =>
  fresh.sql.begin(async (sql) => {
    const claim = await claimIdempotencyKey(sql, request);
    if (claim.kind === 'new') await updateIdempotentResponse(sql, request, answer);
    return claim;
  });

test('an answer is given again for a day, and then the key is new', async () => {
  expect(await answered(asked(), '1')).toEqual({ kind: 'new' });
  expect(await answered(asked({ now: later(23.99) }), '2')).toEqual({ kind: 'answered', answer: '1' });
  expect(await answered(asked({ now: later(24), letter: 'b' }), '3')).toEqual({ kind: 'new' });
  expect(await answered(asked({ now: later(25), letter: 'b' }), '4')).toEqual({ kind: 'answered', answer: '3' });
});

test('another request under the key is told apart', async () => {
  await answered(asked(), '1');
  expect(await answered(asked({ letter: 'b' }), '2')).toEqual({ kind: 'other' });
});

test('who comes while the first is under way waits for its answer, or takes its place when it fails', async () => {
  const race = async (fails: boolean): Promise<IdempotencyClaim> => {
    await fresh.sql`truncate idempotency_key`;
    const [claimed, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = fresh.sql.begin(async (sql) => {
      await claimIdempotencyKey(sql, asked());
      claimed.resolve();
      await go.promise;
      if (fails) throw new Error('refused');
      await updateIdempotentResponse(sql, asked(), '1');
    });
    await claimed.promise;
    const second = answered(asked(), '2');
    go.resolve();
    await Promise.allSettled([first]);
    return second;
  };
  expect(await race(false)).toEqual({ kind: 'answered', answer: '1' });
  expect(await race(true)).toEqual({ kind: 'new' });
});

test('answers of yesterday are forgotten as new ones come', async () => {
  for (const key of ['a', 'b', 'c']) await answered(asked({ key }), '1');
  await answered(asked({ key: 'd', now: later(30) }), '1');
  const kept = await fresh.sql<{ key: string }[]>`select key from idempotency_key`;
  expect(kept.map(({ key }) => key)).toEqual(['d']);
});

test('many that forget at once do not stand in each other\u2019s way', async () => {
  const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
  for (const key of keys) await answered(asked({ key }), '1');
  const claims = await Promise.all(keys.toReversed().map((key) => answered(asked({ key, now: later(30) }), '2')));
  expect(new Set(claims.map(({ kind }) => kind))).toEqual(new Set(['new']));
});
