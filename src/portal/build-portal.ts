import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../contract/run-tool.ts';
import { renderEventsPage } from './asyncapi-page.ts';
import { buildCollections } from './collections.ts';
import { renderIndexPage } from './index-page.ts';
import type { PortalPage } from './page.ts';
import { renderReferenceMarkdown } from './reference-markdown.ts';
import { renderReferencePages, removeLogo } from './reference-pages.ts';
import { buildSearchIndex } from './search-index.ts';
import { renderLlmsText, renderNotFoundPage, renderSitemap } from './site-files.ts';
import { readPortalSources } from './read-sources.ts';
import { readRecipes } from './recipes.ts';
import { renderChangePages, renderGuides, renderMigrationPages, toGuidePath } from './text-pages.ts';

const require = createRequire(import.meta.url);

const redoc = join(root, 'node_modules/@redocly/cli/lib/chunks/redoc.standalone.js');

/** Static files: our own, and the search library. */
const assets: readonly (readonly [name: string, file: string])[] = [
  ['portal.css', join(import.meta.dirname, 'assets/portal.css')],
  ['portal.js', join(import.meta.dirname, 'assets/portal.js')],
  ['search.js', join(import.meta.dirname, 'assets/search.js')],
  ['minisearch.js', join(dirname(require.resolve('minisearch')), '../es/index.js')],
];

/** Writes the portal, static files with relative links, into a folder that it empties first. */
export const buildPortal = async (outDir: string): Promise<void> => {
  const read = readPortalSources(root);
  const sources = { ...read, guides: [...read.guides, ...readRecipes(root)] };
  const [references, migrations] = await Promise.all([renderReferencePages(sources), renderMigrationPages(sources)]);
  const [guides, changes] = [renderGuides(sources), renderChangePages(sources)];
  const events = sources.versions.flatMap((version) => renderEventsPage(version) ?? []);
  const listed = sources.guides.flatMap(({ name, group }) => {
    const guide = [...guides, ...migrations].find(({ page }) => page.path === toGuidePath(name));
    return guide ? [{ path: guide.page.path, group, title: guide.title, summary: guide.summary }] : [];
  });
  const documented: readonly PortalPage[] = [
    ...[...guides, ...changes, ...migrations, ...events].map(({ page }) => page),
    ...references,
  ];
  await rm(outDir, { recursive: true, force: true });
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(outDir, path)), { recursive: true });
    await writeFile(join(outDir, path), text);
  };
  for (const { path, html } of documented) await write(`${path}.html`, html);
  for (const { page, markdown } of [...guides, ...changes, ...migrations, ...events])
    await write(`${page.path}.md`, markdown);
  for (const source of sources.versions) {
    const name = `${source.product.product}/${source.version.version}`;
    await write(`${name}.md`, renderReferenceMarkdown(source));
    const { bruno, postman } = buildCollections(source);
    await write(`${name}.bruno.json`, JSON.stringify(bruno));
    await write(`${name}.postman.json`, JSON.stringify(postman));
  }
  const llmsText = renderLlmsText(sources, listed);
  for (const path of ['llms.txt', 'index.md']) await write(path, llmsText);
  await write('sitemap.xml', renderSitemap(['', ...documented.map(({ path }) => path)]));
  await write('404.html', renderNotFoundPage(sources, listed).html);
  for (const { path, script } of references) await write(`${path}.reference.js`, script);
  await write('assets/search-index.json', buildSearchIndex(sources, [...guides, ...changes, ...migrations, ...events]));
  await write('assets/redoc.standalone.js', removeLogo(await readFile(redoc, 'utf8')));
  for (const [name, file] of assets) await cp(file, join(outDir, 'assets', name));
  await cp(join(root, 'docs/images'), join(outDir, 'images'), { recursive: true });
  // Last: its presence means that the portal is complete.
  await write('index.html', renderIndexPage(sources, listed).html);
};

if (import.meta.main) {
  const started = performance.now();
  await buildPortal(join(root, 'dist/portal'));
  console.log(`dist/portal written in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
