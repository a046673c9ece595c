import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Creates a folder for the tests of a file, which is removed after them. `write` writes a file in it and returns its path. */
export const createTemporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'flightdata-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  return { folder, write };
};
