/** Entry module of the watchdog of an embedded PostgreSQL, which runs when the process that started it has ended; see embedded-watchdog.ts. */
import { setTimeout as wait } from 'node:timers/promises';

import { openSession } from '../pool/database.ts';
import { isServerProcess, readPassword, readState, stopServer } from './embedded-cluster.ts';
import { withLock } from './embedded-lock.ts';
import { countOtherUsers, formatUrl, toMaintenanceUrl } from './embedded-server.ts';

/** The name must not have the prefix of the sessions that it counts. */
const NAME = 'watchdog of flightdata';
/** How long a server that was started just before its owner ended may take to write its process ID. */
const START_MS = 5000;
const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 5000;

const [, , folder = ''] = process.argv;

const readRunning = async (): ReturnType<typeof readState> => {
  const state = await readState({ folder });
  return state && (await isServerProcess(state.pid, { folder })) !== false ? state : undefined;
};

const isUsed = async (address: Parameters<typeof formatUrl>[0]): Promise<boolean> => {
  // The database of the service does not exist yet when its first start was interrupted.
  const session = openSession(toMaintenanceUrl(formatUrl(address, await readPassword({ folder }))), NAME);
  try {
    return (await countOtherUsers(session, NAME)) > 0;
  } finally {
    await session.end({ timeout: 1 });
  }
};

/** Stops the server unless a process of this service uses it. The lock keeps processes out that are opening it. */
const stopIfUnused = (): Promise<void> =>
  withLock({ path: `${folder}.lock`, timeoutMs: 120_000, log: () => {} }, async () => {
    const state = await readRunning();
    if (state && !(await isUsed(state.address))) await stopServer({ folder });
  });

const startedAt = performance.now();
for (let [pollMs, isSeen] = [FIRST_POLL_MS, false]; ; pollMs = Math.min(pollMs * 2, MAX_POLL_MS)) {
  const state = await readRunning();
  if (!state && (isSeen || performance.now() - startedAt > START_MS)) break;
  isSeen ||= state !== undefined;
  try {
    if (state && !(await isUsed(state.address))) await stopIfUnused();
  } catch {
    // It is starting, recovering or stopping.
  }
  await wait(pollMs);
}
