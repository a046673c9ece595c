import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createEnvironment, type Environment } from '../../cli/run-command.ts';

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

const PAUSE_MS = 20;

/**
 * Feeds `flightdata import status -` and sends lines that a process did not acknowledge to the next process. `formatLine` formats the
 * line with an index.
 */
export const startResendingFeed = (env: Environment, formatLine: (index: number) => string) => {
  let [acknowledged, failures, isOver] = [0, 0, false];
  const feedOne = async (): Promise<void> => {
    const child = spawn(process.execPath, [main, 'import', 'status', '-'], {
      env: createEnvironment(env),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = once(child, 'close');
    // Writing to a process that has exited fails; its exit is handled below.
    child.stdin.on('error', () => {});
    const from = acknowledged;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const report: { readonly acknowledged?: { readonly line: number } } = JSON.parse(line);
      if (report.acknowledged) acknowledged = from + report.acknowledged.line;
    });
    for (let index = from; !isOver && child.exitCode === null && child.signalCode === null; index += 1) {
      child.stdin.write(`${formatLine(index)}\n`);
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
