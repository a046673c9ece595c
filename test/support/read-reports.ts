import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the texts of printAtEnd in order. */
export const readReports = (folder: string): readonly string[] =>
  readdirSync(folder)
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
