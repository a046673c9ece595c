import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '#config.ts';
import { assertUnchanged, listFetchedFiles } from '#jobs/sources/fetched-files.ts';
import { readSourceRegistry, type OpenSource } from '#jobs/sources/source-registry.ts';
import { exitCodes, importExitCodeHelp, mergeExitCodes } from '../shared/exit-codes.ts';
import { readSourceStatus } from '../shared/source-status.ts';
import { toSourcesDirectory } from '../shared/sources-directory.ts';
import { loadMasterData } from './master-data.ts';
import { loadSsim } from './ssim.ts';
import { loadOnTimeFiles } from './status.ts';

/** In the order of loading. */
const readers: readonly OpenSource['reader'][] = ['master-data', 'ssim', 'bts'];

type Options = { readonly json?: boolean; readonly force?: boolean; readonly changed?: boolean };

/** Loads what was fetched: master data, then the schedules that refer to them, then the statuses of their flights. */
const loadSources = async (config: Config, named: string | undefined, options: Options): Promise<number> => {
  const dir = toSourcesDirectory(config, named);
  const fetched = await listFetchedFiles(dir, readSourceRegistry());
  // Without a network there is nothing new to load.
  if (fetched.length === 0 && options.changed === true) return exitCodes.success;
  if (fetched.length === 0) throw new Error(`${dir} contains no fetched files; run 'flightdata sources fetch' first`);
  for (const one of fetched) await assertUnchanged(dir, one);
  const filesOf = (reader: OpenSource['reader']): readonly string[] =>
    fetched.filter(({ source }) => source.reader === reader).map(({ file }) => join(dir, file));
  const status = options.changed === true ? await readSourceStatus(config, dir) : [];
  const loaded = new Set(
    status.flatMap((one) => (one.state !== 'not-fetched' && one.loaded === 'yes' ? [one.file] : [])),
  );
  /** Whether a reader has files, and with `--changed` one whose version is not loaded. */
  const isToLoad = (reader: OpenSource['reader']): boolean =>
    fetched.some(({ source, file }) => source.reader === reader && !loaded.has(file));
  for (const reader of readers)
    if (filesOf(reader).length > 0 && !isToLoad(reader))
      process.stderr.write(`${reader}: all fetched files are loaded already\n`);
  const codes: number[] = [];
  if (isToLoad('master-data')) codes.push(await loadMasterData(config, dir, options));
  // Times of schedules and statuses depend on the time zones of stations.
  if (codes.includes(exitCodes.failed)) return exitCodes.failed;
  if (isToLoad('ssim')) codes.push(await loadSsim(config, filesOf('ssim'), options));
  if (isToLoad('bts')) codes.push(await loadOnTimeFiles(config, filesOf('bts'), options));
  return mergeExitCodes(codes);
};

/** Adds `flightdata import sources`. */
export const addImportSources = (command: Command, config: () => Config): void => {
  command
    .command('sources')
    .description('load all files that sources fetch has fetched: master data, schedules, then statuses')
    .argument('[dir]', 'folder of the files (default: sources in DATA_DIR)')
    .option('--force', 'also load master data that lack more than 5 % of the active stations or carriers')
    .option('--changed', 'leave out master data, schedules or statuses whose fetched files are all loaded')
    .option('--json', 'print each load report as JSON')
    .addHelpText('after', importExitCodeHelp)
    .action(async (dir: string | undefined, options: Options) => {
      process.exitCode = await loadSources(config(), dir, options);
    });
};
