import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/**
 * Has a text printed once all tests of a run are done, after those with a smaller `place`. A text that is told again under the same
 * place and name takes the place of the one before.
 */
export const printAtEnd = (place: number, name: string, text: string): void =>
  writeFileSync(join(inject('tellingFolder'), `${place}-${name}.txt`), `${text}\n`);
