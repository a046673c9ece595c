import { setTimeout as delay } from 'node:timers/promises';

/** Waits at least `ms` milliseconds of the monotonic clock: a timer of Node may fire up to 1 ms early. */
export const delayAtLeast = async (ms: number): Promise<void> => {
  const end = performance.now() + ms;
  for (let leftMs = ms; leftMs > 0; leftMs = end - performance.now()) await delay(Math.ceil(leftMs));
};

/** Resolves with the result of `work`, at least `ms` milliseconds after it. */
export const delayResult = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  const result = await work;
  await delayAtLeast(ms);
  return result;
};
