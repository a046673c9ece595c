import type { FeedFile } from '../../../src/feeds/text/csv-rows.ts';
import { splitIntoChunks } from '../ssim/build-file.ts';

/** Creates a file of lines whose bytes arrive in small pieces. */
export const createFeedFile = (name: string, ...lines: readonly string[]): FeedFile => {
  return { name, bytes: splitIntoChunks(Buffer.from(`${lines.join('\n')}\n`), 7) };
};

/** Builds a provenance from the fields of each source, separated by blanks. */
export const buildProvenance = (fieldsBySource: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(fieldsBySource).flatMap(([source, fields]) => fields.split(' ').map((field) => [field, source])),
  );
