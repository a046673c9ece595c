import { spawnSync } from 'node:child_process';
import { existsSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '#test/cli/run-command.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';

const { folder } = createTemporaryFolder();
const hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=0755', 'flightdata', folder]).status === 0;
if (!hasDisk) console.warn('A full disk is not tested: mounting a file system requires root');
afterAll(() => {
  if (hasDisk) spawnSync('umount', ['-l', folder]);
});

const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: '' };

test.skipIf(!hasDisk)(
  '8: a start without room says so and creates nothing, and doctor names the full disk',
  async () => {
    const started = await runCommand(['serve', '--demo', '--port', '0'], env);
    expect(started).toMatchObject({ code: 1, out: '' });
    expect(started.err).toBe(
      `flightdata: DATA_DIR=${env.DATA_DIR} has too little space: a new store with the demo world needs 2.0 GiB, 200 MiB free on ` +
        `${folder}; free space there, set DATA_DIR to a folder on another file system, or use DATABASE_URL\n`,
    );
    expect(existsSync(env.DATA_DIR)).toBe(false);
    expect((await runCommand(['import', 'mct', '/nowhere'], env)).code).not.toBe(0);
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize));
    const { code, out, err } = await runCommand(['doctor'], env);
    expect([code, out, err].join('\n')).toMatch(
      new RegExp(`FAIL room +.*0 MiB free on ${folder}: PostgreSQL may not be able to write; delete`),
    );
    expect(code).toBe(1);
  },
);
