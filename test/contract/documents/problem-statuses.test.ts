import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import { root } from '#contract/run-tool.ts';
import { problemKinds } from '#http/response/problem.ts';
import { listOperations } from '#lib/openapi-document.ts';

/** Lists the kinds of problems in the sources of a version. */
const listKinds = (folder: string): readonly (keyof typeof problemKinds)[] =>
  globSync(`src/server/products/${folder}/**/*.ts`, { cwd: root }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/new Problem\(\s*'([a-z-]+)'/g)].map(
      ([, kind]) => kind as keyof typeof problemKinds,
    ),
  );

const versions = catalog.flatMap(({ product, versions: all }) => all.map(({ version }) => `${product}/${version}`));

test.each(versions)('%s declares the status of every problem that its handlers throw', (name) => {
  const document = JSON.parse(readFileSync(join(root, 'generated', name, 'openapi.json'), 'utf8'));
  const declared = new Set(
    listOperations(document).flatMap(({ operation }) => Object.keys(Object(operation['responses']))),
  );
  const missing = listKinds(name).filter((kind) => !declared.has(String(problemKinds[kind].status)));
  expect(missing).toEqual([]);
});
