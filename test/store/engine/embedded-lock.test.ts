import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withLock } from '#store/engine/embedded-lock.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';

const { folder, write } = createTemporaryFolder();
const path = join(folder, 'lock');
const logged: string[] = [];
const lock = (timeoutMs = 10_000) => ({ path, timeoutMs, log: (message: string) => logged.push(message) });

const crowd = async (): Promise<number> => {
  let inside = 0;
  let most = 0;
  const task = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(lock(), task)));
  return most;
};

test('runs one task at a time and leaves no files', async () => {
  expect(await crowd()).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test('the lock of a terminated process is broken by one of the waiting processes', async () => {
  write('lock', '999999999 12345 token');
  expect(await crowd()).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'the lock of an earlier process with the current process ID is invalid',
  async () => {
    write('lock', `${process.pid} 1 token`);
    expect(await withLock(lock(), async () => 'done')).toBe('done');
  },
);

test('a failed task releases the lock', async () => {
  await expect(withLock(lock(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withLock(lock(), async () => 'done')).toBe('done');
});

test('the timeout error names the owner of the lock', async () => {
  logged.length = 0;
  await withLock(lock(), async () => {
    await expect(withLock(lock(60), async () => 'done')).rejects.toThrow(`process ${process.pid} holds ${path}`);
  });
  expect(logged).toEqual([`waiting for process ${process.pid}, which is starting or stopping PostgreSQL`]);
});

test('a process that waits reports that the folder of the lock was removed', async () => {
  const own = createTemporaryFolder();
  const [removed, path] = [join(own.folder, 'store'), join(own.folder, 'store', 'lock')];
  await mkdir(removed);
  const isHeld = Promise.withResolvers<void>();
  const isWaiting = Promise.withResolvers<void>();
  const hasEnded = Promise.withResolvers<void>();
  const holding = withLock({ ...lock(), path }, () => {
    isHeld.resolve();
    return hasEnded.promise;
  });
  await isHeld.promise;
  const waiting = withLock({ path, timeoutMs: 10_000, log: () => isWaiting.resolve() }, async () => 'done');
  await isWaiting.promise;
  const [settled] = await Promise.all([Promise.allSettled([waiting]), rm(removed, { recursive: true })]);
  const reason = new Error(`the folder of ${path} was removed; try again`);
  expect(settled).toEqual([{ status: 'rejected', reason }]);
  hasEnded.resolve();
  await holding;
});
