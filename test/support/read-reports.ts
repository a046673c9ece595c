import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What was told, in the order of its places. */
export const readReports = (folder: string): readonly string[] =>
  readdirSync(folder)
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
