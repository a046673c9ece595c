import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { getErrorCode } from '#lib/error-code.ts';

export type LockOptions = {
  readonly path: string;
  /** How long to wait for another process, milliseconds. */
  readonly timeoutMs: number;
  readonly log: (message: string) => void;
};

/**
 * Runs a task while holding a lock file. A dead holder is recognized by its process id and start time, because ids are reused (in a container the
 * service always has the same one).
 */
export const withLock = async <T>({ path, timeoutMs, log }: LockOptions, task: () => Promise<T>): Promise<T> => {
  const mine = `${await identify(process.pid)} ${randomBytes(8).toString('hex')}`;
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    await acquire({ path, draft, mine, timeoutMs, log });
  } finally {
    rmSync(draft, { force: true });
  }
  try {
    return await task();
  } finally {
    if (readHolder(path) === mine) rmSync(path, { force: true });
  }
};

type Attempt = LockOptions & { readonly draft: string; readonly mine: string };

const acquire = async ({ path, draft, mine, timeoutMs, log }: Attempt): Promise<void> => {
  const deadline = performance.now() + timeoutMs;
  for (let isLogged = false; ;) {
    // A hard link appears with its content, atomically.
    const created = attempt(() => linkSync(draft, path));
    const holder = readHolder(path);
    if (created && holder === mine) return;
    // Without its draft, this process can never get the lock.
    if (!existsSync(draft)) throw new Error(`the folder of ${path} was removed; try again`);
    if (holder !== undefined && !(await isAlive(holder))) {
      breakLock(path, holder);
      // Another process may have seen the same dead holder slightly later; it must find the lock changed before this one acquires it.
      await wait(20);
      continue;
    }
    if (performance.now() > deadline) throw new Error(formatTimeout(path, holder));
    if (holder !== undefined && !isLogged) {
      log(`waiting for process ${formatProcess(holder)}, which is starting or stopping PostgreSQL`);
      isLogged = true;
    }
    await wait(holder === undefined ? 1 : 25);
  }
};

const formatProcess = (holder: string): string => holder.split(' ')[0] ?? '';

const formatTimeout = (path: string, holder: string | undefined): string =>
  holder === undefined
    ? `timeout: ${path} could not be created; try again`
    : `timeout: process ${formatProcess(holder)} holds ${path} while it starts or stops PostgreSQL; end that process, or try again`;

/** Breaks the lock of a dead holder. Only one process can move the file; one that has moved a newer lock by mistake restores it. */
const breakLock = (path: string, holder: string): void => {
  const aside = `${path}.${randomBytes(8).toString('hex')}`;
  if (readHolder(path) !== holder || !attempt(() => renameSync(path, aside))) return;
  if (readHolder(aside) !== holder) attempt(() => linkSync(aside, path));
  rmSync(aside, { force: true });
};

const attempt = (step: () => void): boolean => {
  try {
    step();
    return true;
  } catch (cause) {
    const code = getErrorCode(cause);
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw cause;
  }
};

const readHolder = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (getErrorCode(cause) === 'ENOENT') return undefined;
    throw cause;
  }
};

/** Returns the process id and, on Linux, its start time in ticks since boot: field 22 of /proc/PID/stat, after the name in brackets. */
const identify = async (pid: number): Promise<string> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-'}`;
};

const isAlive = async (holder: string): Promise<boolean> => {
  const [pid = '', startedAt] = holder.split(' ');
  try {
    process.kill(Number(pid), 0);
  } catch (cause) {
    if (getErrorCode(cause) === 'EPERM') return true;
    return false;
  }
  return startedAt === '-' || (await identify(Number(pid))) === `${pid} ${startedAt}`;
};
