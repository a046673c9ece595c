import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { HealthFinding } from '#domain/health/data-health.ts';
import { readSourceFile } from '#feeds/read-source-file.ts';
import { openDateFormat } from '#feeds/ssim/field-formats.ts';
import { readLineBatches } from '#feeds/text/lines.ts';
import { listLoadedFiles } from '#store/schedules/loaded-files.ts';
import type { Sql } from '#store/pool/database.ts';
import { isDue } from './fetch-sources.ts';
import { join } from 'node:path';
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
      /** Of schedules: the last day of operation, `YYYY-MM-DD`; absent when a period is open. */
      readonly dataTo?: string;
    }
);

const DAY_MS = 86_400_000;

/** Returns the last day of the periods of operation in a file of schedules; undefined when one is open, or there is none. */
const readScheduleEnd = async (path: string): Promise<string | undefined> => {
  let last: LocalDate | undefined;
  for await (const lines of readLineBatches(readSourceFile(path, () => {})))
    for (const { text } of lines) {
      // Of a leg record: the end of its period is in bytes 22 to 28.
      const end = text.startsWith('3') ? openDateFormat.parse(text.slice(21, 28)) : undefined;
      if (end === 'open') return undefined;
      if (end !== undefined && (last === undefined || end > last)) last = end;
    }
  return last === undefined ? undefined : formatDate(last);
};

/** Whether the data of a file have ended: it is not a world of today. */
export const isEnded = (one: SourceFileStatus, now: Date): boolean =>
  one.state !== 'not-fetched' && one.dataTo !== undefined && one.dataTo < now.toISOString().slice(0, 10);

/** Returns a finding for each loaded file whose data have ended. */
export const assessEndedSources = (files: readonly SourceFileStatus[], now: Date): readonly HealthFinding[] =>
  files.flatMap((one) =>
    one.state !== 'not-fetched' && one.loaded !== 'no' && isEnded(one, now)
      ? [{ name: 'open data', level: 'warning' as const, text: `${one.source}: its data ended on ${one.dataTo}` }]
      : [],
  );

/** Lists the state of the files of some sources; `sql` is undefined when there is no store. Monthly sources have only fetched files. */
export const listSourceStatus = async (
  sources: readonly OpenSource[],
  { dir, now, sql }: { readonly dir: string; readonly now: Date; readonly sql: Sql | undefined },
): Promise<readonly SourceFileStatus[]> => {
  const loadedFiles = new Map((sql ? await listLoadedFiles(sql) : []).map((loaded) => [loaded.file, loaded]));
  const fetchedFiles = await listFetchedFiles(dir, sources);
  const ends = new Map<string, string | undefined>();
  for (const { source, file } of fetchedFiles)
    if (source.reader === 'ssim') ends.set(file, await readScheduleEnd(join(dir, file)).catch(() => undefined));
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
        const dataTo = ends.get(file);
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
          ...(dataTo !== undefined && { dataTo }),
        };
      }),
      ...missing.map(({ file }): SourceFileStatus => ({ source: name, file, refreshDays, state: 'not-fetched' })),
    ];
  });
};
