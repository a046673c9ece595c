import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createEnvironment, type Environment } from '../../cli/run-command.ts';

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

const PAUSE_MS = 20;

/**
 * `flightdata import status -` as it should be fed: what it did not acknowledge before it ended is sent to the next one. `lineOf` makes
 * the lines, from 0 on.
 */
export const startResendingFeed = (env: Environment, lineOf: (index: number) => string) => {
  let [taken, failures, isOver] = [0, 0, false];
  const feedOne = async (): Promise<void> => {
    const child = spawn(process.execPath, [main, 'import', 'status', '-'], {
      env: createEnvironment(env),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = once(child, 'close');
    // One that has ended is told so here first.
    child.stdin.on('error', () => {});
    const from = taken;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said: { readonly acknowledged?: { readonly line: number } } = JSON.parse(line);
      if (said.acknowledged) taken = from + said.acknowledged.line;
    });
    for (let index = from; !isOver && child.exitCode === null && child.signalCode === null; index += 1) {
      child.stdin.write(`${lineOf(index)}\n`);
      await delay(PAUSE_MS);
    }
    child.stdin.end();
    await ended;
    if (child.exitCode !== 0) failures += 1;
  };
  const running = (async (): Promise<void> => {
    while (!isOver) await feedOne();
  })();
  return {
    /** How many lines were acknowledged. */
    taken: (): number => taken,
    /** How many processes ended with a failure. */
    failures: (): number => failures,
    stop: async (): Promise<void> => {
      isOver = true;
      await running;
    },
  };
};
