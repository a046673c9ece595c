import { listLoadedFiles } from '#store/schedules/loaded-files.ts';
import type { Sql } from '#store/pool/database.ts';
import { isDue } from './fetch-sources.ts';
import { listFetchedFiles } from './fetched-files.ts';
import { isMonthly, listSourceFiles, type OpenSource } from './source-registry.ts';

/** The state of a file of a source: when it was fetched, and which version of it is loaded. */
export type SourceFileStatus = {
  readonly source: string;
  readonly file: string;
  readonly refreshDays: number;
} & (
  | { readonly state: 'not-fetched' }
  | {
      /** `due`: last confirmed longer ago than the refresh interval. */
      readonly state: 'current' | 'due';
      readonly fetchedAt: string;
      readonly checkedAt: string;
      readonly ageDays: number;
      readonly bytes: number;
      readonly sha256: string;
      /** `older`: another version of the file is loaded. */
      readonly loaded: 'yes' | 'older' | 'no';
      readonly loadedAt?: string;
    }
);

const DAY_MS = 86_400_000;

/** Lists the state of the files of some sources; `sql` is undefined when there is no store. Monthly sources have only fetched files. */
export const listSourceStatus = async (
  sources: readonly OpenSource[],
  { dir, now, sql }: { readonly dir: string; readonly now: Date; readonly sql: Sql | undefined },
): Promise<readonly SourceFileStatus[]> => {
  const loadedFiles = new Map((sql ? await listLoadedFiles(sql) : []).map((loaded) => [loaded.file, loaded]));
  const fetchedFiles = await listFetchedFiles(dir, sources);
  return sources.flatMap((source) => {
    const { name, refreshDays } = source;
    const fetched = fetchedFiles.filter((one) => one.source.name === name);
    const missing = isMonthly(source)
      ? []
      : listSourceFiles(source).filter(({ file }) => !fetched.some((one) => one.file === file));
    return [
      ...fetched.map(({ file, record }): SourceFileStatus => {
        const { fetchedAt, checkedAt, bytes, sha256 } = record;
        const loaded = loadedFiles.get(file);
        return {
          source: name,
          file,
          refreshDays,
          state: isDue(record, source, now) ? 'due' : 'current',
          fetchedAt,
          checkedAt,
          ageDays: Math.floor((now.getTime() - Date.parse(checkedAt)) / DAY_MS),
          bytes,
          sha256,
          loaded: loaded === undefined ? 'no' : loaded.sha256 === sha256 ? 'yes' : 'older',
          ...(loaded && { loadedAt: loaded.loadedAt.toISOString() }),
        };
      }),
      ...missing.map(({ file }): SourceFileStatus => ({ source: name, file, refreshDays, state: 'not-fetched' })),
    ];
  });
};
