import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceFile, replaceFolder } from '#contract/replace-files.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const { folder, write } = createTemporaryFolder();

test('replaces what differs, and a reader that opened a file before reads its old text to the end', () => {
  for (const name of ['fresh/v1', 'target/v1', 'target/v0']) mkdirSync(join(folder, name), { recursive: true });
  const same = write('target/same.ts', 'same');
  const changed = write('target/v1/changed.ts', 'old text');
  const stale = write('target/v0/stale.ts', 'stale');
  write('fresh/same.ts', 'same');
  write('fresh/v1/changed.ts', 'new');
  mkdirSync(join(folder, 'fresh/v2'));
  write('fresh/v2/added.ts', 'added');
  const reader = openSync(changed, 'r');
  expect(replaceFolder(join(folder, 'target'), join(folder, 'fresh'))).toEqual([
    { path: 'v0/stale.ts', kind: 'stale' },
    { path: 'v1/changed.ts', kind: 'changed' },
    { path: 'v2/added.ts', kind: 'missing' },
  ]);
  expect(readFileSync(reader, 'utf8')).toBe('old text');
  closeSync(reader);
  expect(existsSync(stale)).toBe(false);
  expect([changed, join(folder, 'target/v2/added.ts'), same].map((path) => readFileSync(path, 'utf8'))).toEqual([
    'new',
    'added',
    'same',
  ]);
});

test('replaces a page by rename', () => {
  const page = write('page.md', 'old page');
  const reader = openSync(page, 'r');
  replaceFile(page, 'new');
  expect([readFileSync(reader, 'utf8'), readFileSync(page, 'utf8')]).toEqual(['old page', 'new']);
  closeSync(reader);
});
