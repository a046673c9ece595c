import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { nodeOf } from '../../../../src/domain/openapi-document.ts';
import { root } from '../../../../src/contract/run-tool.ts';
import { exampleAnswers, type ExampleName } from './example-answers.ts';

/** Cursors are sealed with a secret of each store. */
const withoutCursors = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/([?&]Cursor=)[\w-]+/g, '$1...'));

test('the examples of the contract are what the service answers', async () => {
  const examples = nodeOf(parse(readFileSync(join(root, 'spec/connections/v1/examples.yaml'), 'utf8')));
  const answers = await exampleAnswers();
  const shown = Object.entries(examples).map(([name, example]) => [name, withoutCursors(nodeOf(example)['value'])]);
  const given = Object.keys(examples).map((name) => [name, withoutCursors(answers.get(name as ExampleName))]);
  expect(shown).toEqual(given);
  expect(shown.length).toBe(answers.size);
});
