import { expect, test, vi } from 'vitest';
import type { Database } from '#store/pool/database.ts';
import type { WalPosition } from '#store/pool/replication.ts';
import { monitorReplicas } from '#jobs/cache/replica-monitor.ts';

/** A database that returns its WAL position only. */
const at = (position: WalPosition): Database => (async () => [position]) as unknown as Database;
const primary: WalPosition = { system: 7n, timeline: 2, position: 900n };

const cases: readonly (readonly [string, WalPosition, boolean])[] = [
  ['has replayed all that is written', { ...primary }, true],
  ['has replayed more by now', { ...primary, position: 901n }, true],
  ['is behind', { ...primary, position: 899n }, false],
  ['belongs to another cluster', { ...primary, system: 8n, position: 2000n }, false],
  ['followed another primary, which had written more', { ...primary, timeline: 1, position: 1000n }, false],
];

test.each(cases)('a replica that %s: %o is up to date: %s', async (_, position, isUpToDate) => {
  const [replica] = monitorReplicas(at(primary), { replicas: [at(position)], onError: () => {} });
  expect(await replica?.isUpToDate()).toBe(isUpToDate);
});

test.each([
  ['is overloaded', 'STORE_OVERLOADED', 100],
  ['fails', 'CONNECTION_CLOSED', 5000],
])('a replica that %s (%s) is not used for %i ms', async (_, code, pauseMs) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const [replica] = monitorReplicas(at(primary), { replicas: [at(primary)], onError: () => {} });
    replica?.reportFailure(Object.assign(new Error(code), { code }));
    vi.advanceTimersByTime(pauseMs - 1);
    expect(await replica?.isUpToDate()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await replica?.isUpToDate()).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
