import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../../shared/data/', import.meta.url);

/** Returns the absolute path of a file or folder of the shared data set beside the checkout, or undefined. */
export const findSharedData = (path: string): string | undefined => {
  const absolutePath = fileURLToPath(new URL(path, folder));
  return existsSync(absolutePath) ? absolutePath : undefined;
};
