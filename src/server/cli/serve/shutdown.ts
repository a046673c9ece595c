import { setTimeout as delay } from 'node:timers/promises';
import { openLimitedDatabase } from '#store/pool/database.ts';

/** How long the database may be unreachable during a shutdown; a restart of it takes less. */
const MAX_OUTAGE_MS = 3000;
const PROBE_INTERVAL_MS = 500;

/**
 * Waits until `work` ends, or until the database has been unreachable for 3 s: the next process repeats what is then not stored.
 * An outage during the first `drainMs` does not count. Returns whether all work ended.
 */
export const waitForShutdown = async (
  { url, applicationName }: { readonly url: string; readonly applicationName: string },
  work: Promise<unknown>,
  drainMs = 0,
): Promise<boolean> => {
  const ended = new AbortController();
  const done = work.finally(() => ended.abort()).then(() => true);
  const sql = openLimitedDatabase({ url, applicationName, max: 1, queryTimeoutMs: MAX_OUTAGE_MS });
  const waitForOutage = async (): Promise<boolean> => {
    let lastResponseAt = performance.now() + drainMs;
    while (!ended.signal.aborted) {
      await delay(PROBE_INTERVAL_MS, undefined, { signal: ended.signal }).catch(() => {});
      if (ended.signal.aborted) break;
      const isReachable = await sql`select 1`.then(
        () => true,
        () => false,
      );
      if (isReachable) lastResponseAt = Math.max(lastResponseAt, performance.now());
      else if (performance.now() - lastResponseAt >= MAX_OUTAGE_MS) return false;
    }
    return done;
  };
  try {
    return await Promise.race([done, waitForOutage()]);
  } finally {
    ended.abort();
    await sql.end({ timeout: 0 });
  }
};
