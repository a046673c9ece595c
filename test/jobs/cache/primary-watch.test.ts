import { expect, test } from 'vitest';
import { PrimaryWatch } from '#jobs/cache/primary-watch.ts';
import { monitorReplicas } from '#jobs/cache/replica-monitor.ts';
import type { Database } from '#store/pool/database.ts';
import type { WalPosition } from '#store/pool/replication.ts';

/** A database that returns its WAL position only; undefined rejects as one that is unreachable. */
const databaseAt = (read: () => WalPosition | undefined | 'none'): Database =>
  (async () => {
    const position = read();
    if (position === undefined) throw Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' });
    return position === 'none' ? [] : [position];
  }) as unknown as Database;

const START = Date.UTC(2026, 5, 1, 12);
const at = (position: bigint, more: Partial<WalPosition> = {}): WalPosition => ({
  system: 7n,
  timeline: 2,
  position,
  ...more,
});

/** A watch of a primary that writes a byte a second, with replicas at these positions, until it is lost at the tenth second. */
const watchPrimary = async (replicas: readonly (WalPosition | undefined | 'none')[], maxStalenessMs = 60_000) => {
  let second = 0;
  const readPrimary = (): WalPosition | undefined => (second < 10 ? at(BigInt(second)) : undefined);
  const primary = databaseAt(readPrimary);
  const monitored = monitorReplicas(primary, {
    replicas: replicas.map((position) => databaseAt(() => position)),
    onError: () => {},
  });
  let confirmed = 0;
  const watch = new PrimaryWatch(primary, {
    replicas: monitored,
    maxStalenessMs,
    clock: () => new Date(START + second * 1000),
    onConfirmed: async () => {
      confirmed += 1;
    },
  });
  for (second = 0; second < 12; second += 1) await watch.check();
  const find = async (error?: unknown): Promise<number | undefined> => {
    const found = await watch.findReplica(error);
    return found && (found.asOf.getTime() - START) / 1000;
  };
  const setSecond = (next: number): void => void (second = next);
  return { watch, find, setSecond, countConfirmed: () => confirmed };
};

test('a primary that does not answer is away', async () => {
  const { watch, countConfirmed } = await watchPrimary([]);
  expect([watch.isAway(), countConfirmed()]).toEqual([true, 10]);
});

test.each([
  ['has replayed all', at(9n), 9],
  ['has replayed more than the last check saw', at(100n), 9],
  ['has replayed what the primary had written earlier', at(4n), 4],
  ['follows the next primary', at(9n, { timeline: 3 }), 9],
  ['belongs to another cluster', at(9n, { system: 8n }), undefined],
  ['has replayed nothing yet', 'none' as const, undefined],
  ['is unreachable', undefined, undefined],
])('a replica that %s is complete up to second %s', async (_, position, second) => {
  const { find } = await watchPrimary([position]);
  expect(await find()).toBe(second);
});

test('of several replicas, those that are unreachable or too far behind are passed over', async () => {
  const { find } = await watchPrimary([undefined, at(3n), at(8n)], 5000);
  expect([await find(), await find(), await find()]).toEqual([8, 8, 8]);
});

test('no replica takes the place of the primary when reads must be current', async () => {
  const { find } = await watchPrimary([at(9n)], 0);
  expect(await find()).toBeUndefined();
});

test.each([
  ['a lost connection', 'CONNECTION_CLOSED', 9],
  ['a database that does not respond', 'STORE_BUSY', 9],
  ['a statement that took too long', '57014', undefined],
])('after %s (%s) on the primary, a replica is complete up to second %s', async (_, code, second) => {
  const { find } = await watchPrimary([at(9n)]);
  expect(await find(Object.assign(new Error(code), { code }))).toBe(second);
});

test('a query that was rejected as overload while the primary was away, or shortly before, is part of the outage', async () => {
  const { watch, find, setSecond } = await watchPrimary([at(9n)]);
  const overloaded = Object.assign(new Error('late'), { code: 'STORE_OVERLOADED' });
  expect([watch.isOutage(overloaded), await find(overloaded)]).toEqual([true, 9]);
  setSecond(15);
  expect(watch.isOutage(overloaded)).toBe(true);
  setSecond(16);
  expect([watch.isOutage(overloaded), await find(overloaded)]).toEqual([false, undefined]);
});
