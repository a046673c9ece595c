import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findDocuments, type Address } from './addresses.ts';
import { writeAsyncApi } from './asyncapi.ts';
import { bundle } from './bundle.ts';
import { readCatalog, renderCatalog } from './catalog.ts';
import { diffFolders } from './differences.ts';
import { toJsonObject } from '../lib/openapi-document.ts';
import { writeEnvironmentTables } from './environment-tables.ts';
import { root } from './run-tool.ts';
import { writeCode, writeFeedSchema } from './write-code.ts';

const read = (outDir: string, address: Address) => ({
  address,
  document: toJsonObject(parse(readFileSync(join(outDir, address.product, address.version, 'openapi.yaml'), 'utf8'))),
});

/** Everything that follows from a folder of documents: bundles, code, the catalogue, what is on the hub; and the schema of the status feed. Into an empty folder. */
export const generate = async (specDir: string, outDir: string): Promise<void> => {
  const documents = findDocuments(specDir);
  await bundle(documents, outDir);
  const catalog = readCatalog(documents.map((address) => read(outDir, address)));
  await writeCode(documents, outDir);
  await writeAsyncApi(documents, outDir);
  await writeFeedSchema(outDir);
  await writeFile(join(outDir, 'catalog.ts'), renderCatalog(catalog));
};

/** Generates beside the wanted folder and moves over only what differs, so that readers never see half of it. */
const main = async (checkOnly: boolean): Promise<void> => {
  await mkdir(join(root, 'build'), { recursive: true });
  const fresh = await mkdtemp(join(root, 'build', 'generated-'));
  const target = join(root, 'generated');
  try {
    await generate(join(root, 'spec'), fresh);
    const changed = diffFolders(target, fresh);
    const pages = writeEnvironmentTables(root, checkOnly);
    if (checkOnly && changed.length + pages.length > 0) {
      const lines = [
        ...changed.map(({ path, kind }) => `  ${kind} ${path}`),
        ...pages.map((page) => `  changed ${page}`),
      ];
      throw new Error(`generated files differ from their sources; run \`make generate\`:\n${lines.join('\n')}`);
    }
    for (const { path, kind } of changed)
      await (kind === 'stale' ? rm(join(target, path)) : cp(join(fresh, path), join(target, path)));
  } finally {
    await rm(fresh, { recursive: true });
  }
};

if (import.meta.main)
  await main(process.argv.includes('--check')).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
