import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { environment } from './embedded-process.ts';

/** Waits for the end of standard input in a shell, which takes 1 MB; Node would take 45 MB. The line `stopped` ends it before. */
const waitForOwner = 'while read -r line; do [ "$line" = stopped ] && exit; done; exec "$@"';

/** The pipes to the watchdogs that this process has started, by data directory. */
const pipes = new Map<string, Socket>();

/**
 * Starts a process that stops the PostgreSQL of a data directory after this process has ended in any way, SIGKILL included: the operating system
 * then closes the pipe between them. It is detached, so signals to the process group do not reach it. Call it before PostgreSQL starts.
 */
export const startWatchdog = (folder: string, logFd: number): void => {
  dismissWatchdog(folder);
  const script = fileURLToPath(new URL(`./watchdog${extname(import.meta.url)}`, import.meta.url));
  const child = spawn('/bin/sh', ['-c', waitForOwner, 'flightdata-watchdog', process.execPath, script, folder], {
    cwd: '/',
    env: environment,
    detached: true,
    stdio: ['pipe', logFd, logFd],
  });
  // Without a shell, PostgreSQL goes on when this process is killed, and the next process uses it.
  child.on('error', () => {});
  child.unref();
  const { stdin } = child;
  if (!(stdin instanceof Socket)) return;
  stdin.on('error', () => {});
  stdin.unref();
  pipes.set(folder, stdin);
};

/** Ends the watchdog of a PostgreSQL that has stopped. */
export const dismissWatchdog = (folder: string): void => {
  pipes.get(folder)?.end('stopped\n');
  pipes.delete(folder);
};
