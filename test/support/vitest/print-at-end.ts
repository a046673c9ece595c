import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Prints a text at the end of the run, by `position`. A later text with the same position and name replaces it. */
export const printAtEnd = (position: number, name: string, text: string): void =>
  writeFileSync(join(inject('reportFolder'), `${position}-${name}.txt`), `${text}\n`);
