import type { FeedFile } from '../../../src/feeds/text/csv-rows.ts';

/** Creates a file of lines whose bytes arrive in small pieces. */
export const createFeedFile = (name: string, ...lines: readonly string[]): FeedFile => {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const pieces = async function* () {
    for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7);
  };
  return { name, bytes: pieces() };
};

/** Builds a provenance from the fields of each source, separated by blanks. */
export const buildProvenance = (fieldsBySource: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(fieldsBySource).flatMap(([source, fields]) => fields.split(' ').map((field) => [field, source])),
  );
