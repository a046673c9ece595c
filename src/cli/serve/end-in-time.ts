import { setTimeout as delay } from 'node:timers/promises';
import { openQuestions } from '../../store/pool/database.ts';

/** For so long a database may be away while a process ends, milliseconds; a restart takes less. */
const PATIENCE_MS = 3000;
const ASK_EACH_MS = 500;

/**
 * Waits for the end of what is under way, but not for a database that is away: what it does not take now is done again by the next process.
 * The first `drainMs` are not the database's to shorten. Answers whether all of it has ended.
 */
export const endInTime = async (
  { url, applicationName }: { readonly url: string; readonly applicationName: string },
  work: Promise<unknown>,
  drainMs = 0,
): Promise<boolean> => {
  const ended = new AbortController();
  const done = work.finally(() => ended.abort()).then(() => true);
  const sql = openQuestions({ url, applicationName, max: 1, answerMs: PATIENCE_MS });
  const untilAway = async (): Promise<boolean> => {
    let answeredAt = performance.now() + drainMs;
    while (!ended.signal.aborted) {
      await delay(ASK_EACH_MS, undefined, { signal: ended.signal }).catch(() => {});
      if (ended.signal.aborted) break;
      const answers = await sql`select 1`.then(
        () => true,
        () => false,
      );
      if (answers) answeredAt = Math.max(answeredAt, performance.now());
      else if (performance.now() - answeredAt >= PATIENCE_MS) return false;
    }
    return done;
  };
  try {
    return await Promise.race([done, untilAway()]);
  } finally {
    ended.abort();
    await sql.end({ timeout: 0 });
  }
};
