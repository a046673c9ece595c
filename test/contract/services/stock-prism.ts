import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '#contract/run-tool.ts';
import { createEnvironment, waitForOutput } from '#test/cli/run-command.ts';
import { freePort } from '#test/support/free-port.ts';
import type { ServedDocument } from './served-documents.ts';

/** A running command of `@stoplight/prism-cli`. */
export type StockPrism = {
  readonly origin: string;
  /** Returns the violations and failures that it has printed. */
  readonly listErrors: () => readonly string[];
  readonly stop: () => Promise<void>;
};

const command = join(root, 'node_modules/.bin/prism');

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const startPrism = async (args: readonly string[]): Promise<StockPrism> => {
  const port = await freePort();
  // Without `--cors false` it adds headers that no document declares.
  const options = ['--port', String(port), '--cors', 'false'];
  const child = spawn(process.execPath, [command, ...args, ...options], {
    env: createEnvironment({ NO_COLOR: '1' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += String(chunk)));
  await waitForOutput(child, /Prism is listening/);
  return {
    origin: `http://127.0.0.1:${port}`,
    listErrors: () => output.split('\n').filter((line) => /violation|\b(?:warning|error|fatal)\b/i.test(line)),
    stop: async () => {
      child.kill();
      if (running.has(child)) await once(child, 'close');
    },
  };
};

const findFile = ({ name }: ServedDocument): string => join(root, 'generated', name, 'openapi.json');

/** Starts `prism mock` with a bundled document; it takes 1.3 s of processor time. */
export const startPrismMock = (served: ServedDocument): Promise<StockPrism> => startPrism(['mock', findFile(served)]);

/** Starts `prism proxy --errors` with a bundled document before the server at an origin. */
export const startPrismProxy = (served: ServedDocument, upstream: string): Promise<StockPrism> =>
  startPrism(['proxy', '--errors', findFile(served), upstream]);
