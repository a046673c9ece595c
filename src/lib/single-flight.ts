import { setImmediate as turn } from 'node:timers/promises';

type Gathering = PromiseWithResolvers<void>;

/**
 * A question for many who ask at once. It is put once all requests have been read that are there already, which the driver of the database
 * waits for anyway, and one at a time: who asks while one is under way waits for the next, for its answer may be older than their asking.
 * An answer is handed on once the next question is on its way, so that the database works while those who waited are served.
 * It fails for all who waited for it, and is asked again by the next.
 */
export const coalesced = (ask: () => Promise<void>): (() => Promise<void>) => {
  let gathering: Gathering | undefined;
  let isGoing = false;

  /** Puts the question for those who wait; what becomes of it is kept until it is to be handed on. */
  const put = async (): Promise<() => void> => {
    const asking = gathering;
    gathering = undefined;
    try {
      await ask();
      return () => asking?.resolve();
    } catch (error) {
      return () => asking?.reject(error);
    }
  };

  const go = async (): Promise<void> => {
    let handOn = (): void => {};
    isGoing = true;
    for (;;) {
      await turn();
      if (!gathering) break;
      const answered = put();
      // One turn until the driver takes the question, and one until it has written it.
      await turn();
      await turn();
      handOn();
      handOn = await answered;
    }
    isGoing = false;
    handOn();
  };

  return () => {
    gathering ??= Promise.withResolvers();
    if (!isGoing) void go();
    return gathering.promise;
  };
};
