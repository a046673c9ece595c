import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '#cli/program.ts';
import { settingSources } from './watch-settings.ts';

/** Lists the commands that do something, each with those above it. */
const listLeaves = ({ commands }: Command, above: readonly string[] = []): readonly (readonly string[])[] =>
  commands.flatMap((one) => {
    const path = [...above, one.name()];
    return one.commands.length === 0 ? [path] : listLeaves(one, path);
  });

test('every command is named by a test that runs commands', async () => {
  const program = await createProgram([], {
    config: () => {
      throw new Error('no command runs here');
    },
    onExit: (error) => {
      throw error;
    },
  });
  const texts = globSync('test/**/*.ts', { cwd: new URL('../..', import.meta.url) })
    .map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))
    .filter((text) => /callCommand|runCommand|flightdata/.test(text));
  // The words of a command are together in a call, or the group is in a function of the test; or it is a command line.
  const isNamed = (words: readonly string[]): boolean =>
    texts.some(
      (text) => words.every((word) => text.includes(`'${word}'`)) || text.includes(`flightdata ${words.join(' ')}`),
    );
  expect(listLeaves(program).filter((words) => !isNamed(words))).toEqual([]);
});

test('the tests of commands know the variable of every setting', () => {
  expect([...settingSources].filter(([, variables]) => variables.length === 0).map(([property]) => property)).toEqual([
    'tracing',
  ]);
});
