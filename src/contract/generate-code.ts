import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Plugins } from '@hey-api/openapi-ts';
import { z } from 'zod';
import { statusMessageSchema } from '#feeds/status/message-schema.ts';
import { toJsonObject } from '#lib/openapi-document.ts';
import type { DocumentLocation } from './find-documents.ts';
import { diffFolders } from './diff-folders.ts';
import { honoRoutesPlugin } from './hono-routes-plugin.ts';

/** The zod plugin ignores `additionalProperties: false`; this resolver makes such objects strict. */
const closedObjects: Plugins.Zod.Resolvers = {
  object(ctx) {
    const rest = ctx.schema.additionalProperties;
    if (rest !== false && rest?.type !== 'never') return undefined;
    return ctx.$(ctx.symbols.z).attr('strictObject').call(ctx.nodes.shape(ctx));
  },
};

/** Adds the file name: the generator reports a document by its index, with the reason one level down. */
const withFileName = (error: unknown, documents: readonly DocumentLocation[]): unknown => {
  const { error: reason, jobIndex } = toJsonObject(toJsonObject(error)['originalError']);
  const file = documents[Number(jobIndex)]?.file;
  return reason instanceof Error ? new Error(`${file}: ${reason.message}`, { cause: reason }) : error;
};

/** Folders of the client runtime, which the generator writes beside each document. */
const runtimeFolders = ['client', 'core'] as const;
/** Generated files that import the runtime. */
const runtimeImporters = ['sdk.gen.ts', 'client.gen.ts'] as const;

/** Moves the client runtime to `<outDir>/runtime`, once for all documents. Throws when two documents have different runtimes. */
const shareRuntime = async (documents: readonly DocumentLocation[], outDir: string): Promise<void> => {
  const runtime = join(outDir, 'runtime');
  await mkdir(runtime, { recursive: true });
  for (const { product, version } of documents) {
    const folder = join(outDir, product, version);
    for (const name of runtimeFolders) {
      const [from, to] = [join(folder, name), join(runtime, name)];
      if (!existsSync(to)) await rename(from, to);
      else {
        const [difference] = diffFolders(to, from);
        if (difference)
          throw new Error(`${join(name, difference.path)} of ${product}/${version} is not the shared one`);
        await rm(from, { recursive: true });
      }
    }
    for (const name of runtimeImporters) {
      const text = await readFile(join(folder, name), 'utf8');
      await writeFile(join(folder, name), text.replaceAll(`'./client/`, `'../../runtime/client/`));
    }
  }
};

/** Writes `<outDir>/routes.ts`: the routes of every version, by `<product>/<version>`. */
const writeRoutesIndex = async (documents: readonly DocumentLocation[], outDir: string): Promise<void> => {
  const names = documents.map(({ product, version }) => `${product}/${version}`);
  const lines = [
    '// Generated from the documents under spec/ by `make generate`; do not edit.',
    `import type { RouteConfig } from '@hono/zod-openapi';`,
    ...names.map((name, index) => `import * as routes${index} from './${name}/routes.gen.ts';`),
    '',
    'export const routesByVersion: Readonly<Record<string, readonly RouteConfig[]>> = {',
    ...names.map((name, index) => `  '${name}': Object.values(routes${index}),`),
    '};',
  ];
  await writeFile(join(outDir, 'routes.ts'), `${lines.join('\n')}\n`);
};

/**
 * Writes types, zod schemas, routes and a client beside each bundle at `<outDir>/<product>/<version>/openapi.json`, the client runtime
 * at `<outDir>/runtime`, and the list of all routes. One call for all documents: twelve with sixty operations take two seconds.
 */
export const generateCode = async (documents: readonly DocumentLocation[], outDir: string): Promise<void> => {
  const code = createClient(
    documents.map(({ product, version }) => ({
      input: join(outDir, product, version, 'openapi.json'),
      // Not cleaned: the folder contains the bundle.
      output: {
        path: join(outDir, product, version),
        clean: false,
        entryFile: false,
        module: { extension: '.ts' as const },
      },
      logs: { file: false, level: 'silent' as const },
      plugins: [
        '@hey-api/typescript' as const,
        '@hey-api/sdk' as const,
        '@hey-api/client-fetch' as const,
        // Without `offset` the schema rejects every date-time that does not end in Z.
        { name: 'zod' as const, dates: { offset: true }, $resolvers: closedObjects },
        honoRoutesPlugin(),
      ],
    })),
  );
  await code.catch((error: unknown) => {
    throw withFileName(error, documents);
  });
  await shareRuntime(documents, outDir);
  await writeRoutesIndex(documents, outDir);
};

/** Writes the JSON Schema (2020-12) of an input message of the status feed to `<outDir>/feeds/status-message.schema.json`. */
export const generateFeedSchema = async (outDir: string): Promise<void> => {
  const { $schema, title, description, ...rest } = z.toJSONSchema(statusMessageSchema, { io: 'input' });
  await mkdir(join(outDir, 'feeds'), { recursive: true });
  const text = JSON.stringify({ $schema, title, description, ...rest }, undefined, 2);
  await writeFile(join(outDir, 'feeds', 'status-message.schema.json'), `${text}\n`);
};
