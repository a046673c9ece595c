import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createPortalReader, type readDocuments, type readPortal } from '#cli/shared/published-files.ts';
import { createScratchFolder } from '../support/scratch-folder.ts';

type Reader = { readonly readDocuments: typeof readDocuments; readonly readPortal: typeof readPortal };

const source = fileURLToPath(new URL('../../src/server/cli/shared/published-files.ts', import.meta.url));

/** Returns what the reader at `path` publishes from a folder with these files, whose contents are their own names. */
const readAt = async (path: string, files: readonly string[]): Promise<readonly string[]> => {
  const folder = await createScratchFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const file of [path, ...files]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), file);
  }
  await cp(source, join(folder, path));
  const reader: Reader = await import(pathToFileURL(join(folder, path)).href);
  return [...reader.readDocuments(), ...reader.readPortal()]
    .map(({ path: url, bytes }) => `${url} is ${Buffer.from(bytes).toString()}`)
    .toSorted();
};

const documents = ['parcels/v1/openapi.json', 'parcels/v1/asyncapi.json', 'recipes/first-parcel.json'].map(
  (name) => `generated/${name}`,
);
const pages = ['dist/portal/index.html', 'dist/portal/errors.html', 'dist/portal/assets/portal.css'];

test.each([
  ['a checkout', 'src/server/cli/shared/published-files.ts'],
  ['a package', 'dist/src/server/cli/shared/published-files.ts'],
])('%s publishes the documents, the recipes and the portal', async (_, path) => {
  expect(await readAt(path, [...documents, ...pages])).toEqual([
    '/asyncapi/parcels/v1.json is generated/parcels/v1/asyncapi.json',
    '/docs/ is dist/portal/index.html',
    '/docs/assets/portal.css is dist/portal/assets/portal.css',
    '/docs/errors is dist/portal/errors.html',
    '/openapi/parcels/v1.json is generated/parcels/v1/openapi.json',
    '/recipes/first-parcel.json is generated/recipes/first-parcel.json',
  ]);
});

test('does not publish an incomplete portal without its index', async () => {
  expect(await readAt('src/server/cli/shared/published-files.ts', ['dist/portal/errors.html'])).toEqual([]);
});

test('reads the portal at the first call after it was built, and once', async () => {
  const folder = await createScratchFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const read = createPortalReader(undefined, folder);
  expect(read()).toEqual([]);
  await writeFile(join(folder, 'index.html'), 'start');
  const files = read();
  expect(files.map(({ path, bytes }) => `${path} is ${Buffer.from(bytes).toString()}`)).toEqual(['/docs/ is start']);
  await writeFile(join(folder, 'index.html'), 'changed');
  expect(read()).toBe(files);
});
