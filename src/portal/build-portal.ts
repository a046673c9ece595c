import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../contract/run-tool.ts';
import { eventsPage } from './asyncapi-page.ts';
import { indexPage } from './index-page.ts';
import type { PortalPage } from './page.ts';
import { referencePages, withoutLogo } from './reference-pages.ts';
import { searchIndexOf } from './search-index.ts';
import { readSources } from './sources.ts';
import { changePages, guidePages, migrationPages, pathOf } from './text-pages.ts';

const require = createRequire(import.meta.url);

const redoc = join(root, 'node_modules/@redocly/cli/lib/chunks/redoc.standalone.js');

/** Files that pages load as they are: ours, and the search's library. */
const assets: readonly (readonly [name: string, file: string])[] = [
  ['portal.css', join(import.meta.dirname, 'assets/portal.css')],
  ['portal.js', join(import.meta.dirname, 'assets/portal.js')],
  ['search.js', join(import.meta.dirname, 'assets/search.js')],
  ['minisearch.js', join(dirname(require.resolve('minisearch')), '../es/index.js')],
];

/** Writes the portal, static files that link to one another relatively, into a folder that it empties first. */
export const buildPortal = async (outDir: string): Promise<void> => {
  const sources = readSources(root);
  const [references, migrations] = await Promise.all([referencePages(sources.versions), migrationPages(sources)]);
  const [guides, changes] = [guidePages(sources), changePages(sources)];
  const events = sources.versions.flatMap((version) => eventsPage(version) ?? []);
  const listed = sources.guides.flatMap(({ name }) => {
    const found = [...guides, ...migrations].find(({ page }) => page.path === pathOf(name));
    return found ? [{ path: found.page.path, title: found.title, summary: found.summary }] : [];
  });
  const pages: readonly PortalPage[] = [
    ...[...guides, ...changes, ...migrations, ...events].map(({ page }) => page),
    ...references,
  ];
  await rm(outDir, { recursive: true, force: true });
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(outDir, path)), { recursive: true });
    await writeFile(join(outDir, path), text);
  };
  for (const { path, html } of pages) await write(`${path}.html`, html);
  for (const { path, script } of references) await write(`${path}.reference.js`, script);
  await write('assets/search-index.json', searchIndexOf(sources, [...guides, ...changes, ...migrations, ...events]));
  await write('assets/redoc.standalone.js', withoutLogo(await readFile(redoc, 'utf8')));
  for (const [name, file] of assets) await cp(file, join(outDir, 'assets', name));
  // Last, for it says that all the rest is there.
  await write('index.html', indexPage(sources, listed).html);
};

if (import.meta.main) {
  const started = performance.now();
  await buildPortal(join(root, 'dist/portal'));
  console.log(`dist/portal written in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
