import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listIgnoredSources } from '#contract/check-ignored.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const { folder, write } = createTemporaryFolder();

test('lists tracked files and the folders and files of sources that git ignores', () => {
  const git = (...args: readonly string[]): unknown => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '--quiet');
  for (const name of ['test/a/coverage', 'src/b/coverage', 'src/node_modules', 'dist']) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'one.ts'), '');
  }
  write('src/b/kept.ts', '');
  git('add', '.');
  git('rm', '--cached', '--quiet', '-r', 'src/b/coverage', 'src/node_modules', 'dist');
  write('.gitignore', 'coverage/\nnode_modules/\n/dist/\n*.log\nsecret*\n');
  write('src/b/run.log', '');
  write('src/b/secrets.ts', '');
  expect(listIgnoredSources(folder, ['src', 'test'])).toEqual([
    'test/a/coverage/one.ts',
    'src/b/coverage/',
    'src/b/secrets.ts',
  ]);
  write('.gitignore', '/coverage/\nnode_modules/\n/dist/\n');
  expect(listIgnoredSources(folder, ['src', 'test'])).toEqual([]);
});
