/** Two releases of the same commit, built in different folders and environments. */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#contract/run-tool.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';

const { folder } = createTemporaryFolder();

type RunOptions = { readonly cwd: string; readonly env?: Readonly<Record<string, string>>; readonly umask?: string };

const run = (command: string, { cwd, env = {}, umask = '022' }: RunOptions) => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `umask ${umask} && ${command}`], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return { code: status, out: stdout, err: stderr };
};

const runSuccessfully = (command: string, options: RunOptions): string => {
  const { code, out, err } = run(command, options);
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  return out;
};

const author = '-c user.name=tests -c user.email=tests@example.com';

/** Commits the files of this checkout, as they are, to a repository of their own. */
const createRepository = (path: string): void => {
  const files = runSuccessfully('git ls-files -z --cached --others --exclude-standard --deduplicate', { cwd: root });
  const deleted = new Set(runSuccessfully('git ls-files -z --deleted', { cwd: root }).split('\0'));
  for (const file of files.split('\0').filter((one) => one !== '' && !deleted.has(one))) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    cpSync(join(root, file), join(path, file));
  }
  runSuccessfully(`git init -q && git add -A && git ${author} commit -q -m release`, { cwd: path });
};

const build = 'node src/release/build-release.ts';

const sumFiles = (path: string): string =>
  readdirSync(path)
    .filter((name) => name !== 'SHA256SUMS')
    .toSorted()
    .map((name) => `${hash('sha256', readFileSync(join(path, name)))}  ${name}\n`)
    .join('');

test(
  'two builds of a release in different folders and environments have equal checksums',
  { timeout: 1_200_000 },
  () => {
    const [first, second] = [join(folder, 'first'), join(folder, 'another/folder/with a space')];
    createRepository(first);
    mkdirSync(dirname(second), { recursive: true });
    runSuccessfully(`git clone -q '${first}' '${second}'`, { cwd: folder, umask: '077' });
    for (const path of [first, second]) symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
    runSuccessfully(build, { cwd: first, env: { TZ: 'UTC', LC_ALL: 'C' } });
    const other = { TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', USER: 'another' };
    runSuccessfully(build, { cwd: second, env: other, umask: '077' });

    const [checksums, others] = [first, second].map((path) =>
      readFileSync(join(path, 'dist/release/SHA256SUMS'), 'utf8'),
    );
    const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    console.log(checksums);
    expect(others).toBe(checksums);
    expect(checksums).toBe(sumFiles(join(first, 'dist/release')));
    expect(checksums?.match(/\S+$/gm)).toEqual([
      'THIRD_PARTY_LICENSES.txt',
      'build-info.json',
      `flightdata-${version}.cdx.json`,
      `flightdata-${version}.tgz`,
      `flightdata-client-${version}.tgz`,
      `flightdata-documents-${version}.tgz`,
      `flightdata-mock-${version}.tgz`,
      `flightdata-portal-${version}.tgz`,
    ]);
    // No file is left in the scratch folder.
    expect(readdirSync(join(first, 'build'))).toEqual([]);

    appendFileSync(join(first, 'README.md'), 'a change\n');
    expect(run(build, { cwd: first })).toEqual({
      code: 1,
      out: '',
      err: 'these files differ from the last commit; commit or restore them:\n M README.md\n',
    });
  },
);
