import type { FeedFile } from '#feeds/text/csv-rows.ts';
import { splitIntoChunks } from '../ssim/build-file.ts';

export const createFeedFile = (name: string, ...lines: readonly string[]): FeedFile => {
  return { name, bytes: splitIntoChunks(Buffer.from(`${lines.join('\n')}\n`), 7) };
};

export const buildProvenance = (fieldsBySource: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(fieldsBySource).flatMap(([source, fields]) => fields.split(' ').map((field) => [field, source])),
  );
