import { setImmediate as turn } from 'node:timers/promises';

/**
 * A question for many who ask at once. It is put once all requests have been read that are there already, which the driver of the database
 * waits for anyway, and one at a time: who asks while one is under way waits for the next, for its answer may be older than their asking.
 * It fails for all who waited for it, and is asked again by the next.
 */
export const coalesced = (ask: () => Promise<void>): (() => Promise<void>) => {
  let latest: Promise<void> = Promise.resolve();
  let gathering: Promise<void> | undefined;
  const askAfter = async (before: Promise<void>): Promise<void> => {
    // Whether the one before fails is no matter to those who wait for the one after.
    await before.catch(() => {});
    await turn();
    gathering = undefined;
    await ask();
  };
  return () => {
    if (!gathering) {
      gathering = askAfter(latest);
      latest = gathering;
    }
    return gathering;
  };
};
