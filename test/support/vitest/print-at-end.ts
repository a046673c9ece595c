import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/**
 * Prints a text when all tests of a run are done, after texts with a smaller `position`. A later text with the same
 * position and name replaces the earlier one.
 */
export const printAtEnd = (position: number, name: string, text: string): void =>
  writeFileSync(join(inject('reportFolder'), `${position}-${name}.txt`), `${text}\n`);
