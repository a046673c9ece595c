import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { toJsonObject } from '#lib/openapi-document.ts';
import { diffFolders } from './diff-folders.ts';
import { writeDocumentationTables, writeProgramPages } from './documentation-tables.ts';
import { type DocumentLocation, findDocuments } from './find-documents.ts';
import { generateAsyncApi } from './generate-asyncapi.ts';
import { buildCatalog, renderCatalog } from './generate-catalog.ts';
import { renderClientProducts } from './generate-client.ts';
import { generateCode, generateFeedSchema } from './generate-code.ts';
import { generateRecipes } from './generate-recipes.ts';
import { replaceFolder } from './replace-files.ts';
import { root, runTool } from './run-tool.ts';

/**
 * Bundles each multi-file document into one at `<outDir>/<product>/<version>/openapi.json`, in one process (0.2 s for two documents).
 * Redocly accepts several outputs only in a configuration file, so a temporary one is written.
 */
const bundleDocuments = async (documents: readonly DocumentLocation[], outDir: string): Promise<void> => {
  const work = await mkdtemp(join(tmpdir(), 'bundle-'));
  const apis = documents.map(({ product, version, file }) => [
    `${product}@${version}`,
    { root: resolve(file), output: resolve(outDir, product, version, 'openapi.json') },
  ]);
  try {
    const config = join(work, 'redocly.yaml');
    await writeFile(
      config,
      JSON.stringify({
        telemetry: 'off',
        plugins: [join(root, 'src/contract/redocly-rules.js')],
        decorators: { 'contract/inline-list-parameters': 'on' },
        apis: Object.fromEntries(apis),
      }),
    );
    const { code, output } = await runTool('redocly', ['bundle', '--config', config]);
    if (code !== 0) throw new Error(output);
  } finally {
    await rm(work, { recursive: true });
  }
};

/** Reads a bundle, and writes it again without whitespace: people read the YAML that the server makes of it. */
const readBundle = async (outDir: string, location: DocumentLocation) => {
  const file = join(outDir, location.product, location.version, 'openapi.json');
  const document = toJsonObject(JSON.parse(readFileSync(file, 'utf8')));
  await writeFile(file, `${JSON.stringify(document)}\n`);
  return { location, document };
};

/** Generates bundles, code, catalog, AsyncAPI documents, recipes and the schema of the status feed into an empty folder. */
export const generate = async (specDir: string, outDir: string): Promise<void> => {
  const documents = findDocuments(specDir);
  await bundleDocuments(documents, outDir);
  const bundles = await Promise.all(documents.map((location) => readBundle(outDir, location)));
  const catalog = buildCatalog(bundles);
  await generateCode(documents, outDir);
  await generateAsyncApi(documents, outDir);
  await generateFeedSchema(outDir);
  await generateRecipes(specDir, outDir);
  await writeFile(join(outDir, 'catalog.ts'), renderCatalog(catalog));
  await writeFile(join(outDir, 'products.ts'), renderClientProducts(bundles));
};

/** Generates into a temporary folder, and replaces only the files that differ. */
const main = async (checkOnly: boolean): Promise<void> => {
  await mkdir(join(root, 'build'), { recursive: true });
  const fresh = await mkdtemp(join(root, 'build', 'generated-'));
  const target = join(root, 'generated');
  try {
    await generate(join(root, 'spec'), fresh);
    const changed = checkOnly ? diffFolders(target, fresh) : replaceFolder(target, fresh);
    const pages = writeDocumentationTables(root, checkOnly);
    if (checkOnly) pages.push(...(await writeProgramPages(root, true)));
    if (checkOnly && changed.length + pages.length > 0) {
      const lines = [
        ...changed.map(({ path, kind }) => `  ${kind} ${path}`),
        ...pages.map((page) => `  changed ${page}`),
      ];
      throw new Error(`generated files differ from their sources; run \`make generate\`:\n${lines.join('\n')}`);
    }
    if (!checkOnly) await writeProgramPages(root, false);
  } finally {
    await rm(fresh, { recursive: true });
  }
};

if (import.meta.main)
  await main(process.argv.includes('--check')).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
