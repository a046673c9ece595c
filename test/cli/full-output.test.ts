/* Commands whose standard output is on a full disk: each write to /dev/full fails as there. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { createEnvironment, mainModule, type Environment } from './run-command.ts';

const startOnFullDisk = (args: readonly string[], env: Environment): ChildProcess => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [mainModule, ...args], {
    env: createEnvironment(env),
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

test('a command ends with exit code 1 and one line', async () => {
  const command = startOnFullDisk(['sources', 'list'], {});
  const errors = text(command.stderr ?? Readable.from([]));
  expect([await once(command, 'close'), await errors]).toEqual([
    [1, null],
    'flightdata: standard output cannot be written: ENOSPC: no space left on device, write\n',
  ]);
});

test.each(['1', '2'])('a server with %s workers serves requests without its log', async (workers) => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const port = await freePort();
  const server = startOnFullDisk(['serve', '--port', String(port), '--workers', workers], { DATABASE_URL: url });
  const errors = text(server.stderr ?? Readable.from([]));
  const getHealth = async (): Promise<number | undefined> => {
    const response = await fetch(`http://127.0.0.1:${port}/flights/health`).catch(() => undefined);
    return response?.status;
  };
  await expect.poll(getHealth, { timeout: 60_000 }).toBe(200);
  // Lines are written once a second, or when there are 64 KiB of them.
  const statuses = await Promise.all(Array.from({ length: 500 }, getHealth));
  expect(new Set(statuses)).toEqual(new Set([200]));
  server.kill('SIGTERM');
  expect(await once(server, 'close')).toEqual([0, null]);
  expect((await errors).match(/the log cannot be written: [^;\n]*/g)).toEqual([
    'the log cannot be written: ENOSPC: no space left on device, write',
  ]);
});
