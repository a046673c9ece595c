import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '#test/cli/run-command.ts';
import { startStatusImport } from '../support/status-feed.ts';

const PAUSE_MS = 20;

/** Feeds `flightdata import status -`; lines that a process did not acknowledge are sent to the next process. */
export const startResendingFeed = (env: Environment, formatLine: (index: number) => string) => {
  let [acknowledged, failures, isOver] = [0, 0, false];
  const feedOne = async (): Promise<void> => {
    const from = acknowledged;
    const { child, stdin, closed } = startStatusImport(env, ({ line }) => (acknowledged = from + line));
    for (let index = from; !isOver && child.exitCode === null && child.signalCode === null; index += 1) {
      stdin.write(`${formatLine(index)}\n`);
      await delay(PAUSE_MS);
    }
    stdin.end();
    await closed;
    if (child.exitCode !== 0) failures += 1;
  };
  const running = (async (): Promise<void> => {
    while (!isOver) await feedOne();
  })();
  return {
    /** The number of acknowledged lines. */
    acknowledged: (): number => acknowledged,
    /** The number of processes that failed. */
    failures: (): number => failures,
    stop: async (): Promise<void> => {
      isOver = true;
      await running;
    },
  };
};
