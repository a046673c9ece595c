import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Plugins } from '@hey-api/openapi-ts';
import { z } from 'zod';
import { statusMessageSchema } from '../feeds/status/message-schema.ts';
import type { Address } from './addresses.ts';
import { nodeOf } from '../lib/openapi-document.ts';
import { honoRoutes } from './hono-routes.ts';

/** The zod plugin reads `additionalProperties: false` and forgets it; this gives such objects back their closed shape. */
const closedObjects: Plugins.Zod.Resolvers = {
  object(ctx) {
    const rest = ctx.schema.additionalProperties;
    if (rest !== false && rest?.type !== 'never') return undefined;
    return ctx.$(ctx.symbols.z).attr('strictObject').call(ctx.nodes.shape(ctx));
  },
};

/** The generator reports a failed document by its index and hides the reason one level down. */
const explained = (error: unknown, documents: readonly Address[]): unknown => {
  const { error: reason, jobIndex } = nodeOf(nodeOf(error)['originalError']);
  const file = documents[Number(jobIndex)]?.file;
  return reason instanceof Error ? new Error(`${file}: ${reason.message}`, { cause: reason }) : error;
};

/**
 * Types, zod schemas, routes and a client beside each bundle at `<outDir>/<product>/<version>/openapi.yaml`.
 * One call for all documents: twelve with sixty operations take two seconds.
 */
export const writeCode = async (documents: readonly Address[], outDir: string): Promise<void> => {
  const code = createClient(
    documents.map(({ product, version }) => ({
      input: join(outDir, product, version, 'openapi.yaml'),
      // The folder holds the bundle already, so it must not be cleaned first; the caller starts from an empty one.
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
        // Without `offset` every date-time that does not end in Z would be refused.
        { name: 'zod' as const, dates: { offset: true }, $resolvers: closedObjects },
        honoRoutes(),
      ],
    })),
  );
  await code.catch((error: unknown) => {
    throw explained(error, documents);
  });
};

/** The JSON Schema (2020-12) of the status feed at `<outDir>/feeds/status-message.schema.json`, of a message as a source writes it. */
export const writeFeedSchema = async (outDir: string): Promise<void> => {
  const { $schema, title, description, ...rest } = z.toJSONSchema(statusMessageSchema, { io: 'input' });
  await mkdir(join(outDir, 'feeds'), { recursive: true });
  const text = JSON.stringify({ $schema, title, description, ...rest }, undefined, 2);
  await writeFile(join(outDir, 'feeds', 'status-message.schema.json'), `${text}\n`);
};
