import type { Config } from '#config.ts';
import { readSourceRegistry } from '#jobs/sources/source-registry.ts';
import { listSourceStatus, type SourceFileStatus } from '#jobs/sources/source-status.ts';
import { listLiveStatus, type LiveSourceStatus } from '#jobs/sources/live-status.ts';
import { NoStoreError } from '#store/engine/embedded.ts';
import { createClock } from './clock.ts';
import { withStore } from './open-store.ts';

/** Lists the state of the files of all sources; nothing is loaded when there is no store. */
export const readSourceStatus = async (config: Config, dir: string): Promise<readonly SourceFileStatus[]> => {
  const sources = readSourceRegistry();
  const now = createClock(config.today)();
  try {
    return await withStore(config, 'sources status', ({ db }) => listSourceStatus(sources, { dir, now, sql: db }));
  } catch (error) {
    if (!(error instanceof NoStoreError)) throw error;
    return listSourceStatus(sources, { dir, now, sql: undefined });
  }
};

/** Lists the state of all live feeds; without a store, what the registry has. */
export const readLiveStatus = async (config: Config): Promise<readonly LiveSourceStatus[]> => {
  const now = createClock(config.today)();
  try {
    return await withStore(config, 'sources live', ({ db }) => listLiveStatus(db, now));
  } catch (error) {
    if (!(error instanceof NoStoreError)) throw error;
    return listLiveStatus(undefined, now);
  }
};
