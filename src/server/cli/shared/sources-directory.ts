import { join, resolve } from 'node:path';
import type { Config } from '#config.ts';

/** Returns the folder of fetched files: the named one, or `sources` in DATA_DIR. */
export const toSourcesDirectory = ({ dataDir }: Config, dir: string | undefined): string =>
  dir === undefined ? join(dataDir, 'sources') : resolve(dir);
