import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkProse } from '#contract/check-prose.ts';

const folder = mkdtempSync(join(tmpdir(), 'prose-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, lines: readonly string[]): string => {
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
};

test('reports words, phrases and misspellings with their place and replacement', async () => {
  const files = [
    write('a.ts', [
      '/** Returns the time. */',
      'const toldAt = 1; // The client is told.',
      "test('nobody asks', () => {});",
    ]),
    write('b.md', ['Retry it once', 'more, with so many rows.']),
    write('c.yaml', ['description: The anwser is stored.']),
    write('d.ts', ["const refusalNote = 'The caller retries.';", '/** Kept for', ' * the time being. */']),
  ];
  expect((await checkProse(files, { folder })).toSorted()).toEqual([
    'a.ts:2:36 - Forbidden word (told) fix: (report, return, document)',
    'a.ts:2:7 - Forbidden word (told) fix: (report, return, document)',
    'a.ts:3:14 - Forbidden word (asks) fix: (request, query, call)',
    'a.ts:3:7 - Forbidden word (nobody) fix: (no caller, no client, no process)',
    'b.md:1:10 - Forbidden phrase (once more) fix: (again, retry)',
    'b.md:2:12 - Forbidden phrase (so many) fix: (a limit of N, N of M)',
    'c.yaml:1:18 - Unknown word (anwser) fix: (answer)',
    'd.ts:1:7 - Forbidden word (refusal) fix: (rejection, error response)',
    'd.ts:2:10 - Forbidden phrase (for the time being) fix: (temporarily)',
  ]);
});
