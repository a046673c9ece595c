import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/**
 * Prints a text when all tests of a run are done, after texts with a smaller `place`. A later text with the same
 * place and name replaces the earlier one.
 */
export const printAtEnd = (place: number, name: string, text: string): void =>
  writeFileSync(join(inject('tellingFolder'), `${place}-${name}.txt`), `${text}\n`);
