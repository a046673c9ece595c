import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '#config.ts';
import { assertUnchanged, listFetchedFiles } from '#jobs/sources/fetched-files.ts';
import { readSourceRegistry, type OpenSource } from '#jobs/sources/source-registry.ts';
import { exitCodes, importExitCodeHelp, mergeExitCodes } from '../shared/exit-codes.ts';
import { toSourcesDirectory } from '../shared/sources-directory.ts';
import { loadMasterData } from './master-data.ts';
import { loadSsim } from './ssim.ts';
import { loadOnTimeFiles } from './status.ts';

type Options = { readonly json?: boolean; readonly force?: boolean };

/** Loads what was fetched: master data, then the schedules that refer to them, then the statuses of their flights. */
const loadSources = async (config: Config, named: string | undefined, options: Options): Promise<number> => {
  const dir = toSourcesDirectory(config, named);
  const fetched = await listFetchedFiles(dir, readSourceRegistry());
  if (fetched.length === 0) throw new Error(`${dir} contains no fetched files; run 'flightdata sources fetch' first`);
  for (const one of fetched) await assertUnchanged(dir, one);
  const filesOf = (reader: OpenSource['reader']): readonly string[] =>
    fetched.filter(({ source }) => source.reader === reader).map(({ file }) => join(dir, file));
  const codes: number[] = [];
  if (filesOf('master-data').length > 0) codes.push(await loadMasterData(config, dir, options));
  // Times of schedules and statuses depend on the time zones of stations.
  if (codes.includes(exitCodes.failed)) return exitCodes.failed;
  if (filesOf('ssim').length > 0) codes.push(await loadSsim(config, filesOf('ssim'), options));
  if (filesOf('bts').length > 0) codes.push(await loadOnTimeFiles(config, filesOf('bts'), options));
  return mergeExitCodes(codes);
};

/** Adds `flightdata import sources`. */
export const addImportSources = (command: Command, config: () => Config): void => {
  command
    .command('sources')
    .description('load all files that sources fetch has fetched: master data, schedules, then statuses')
    .argument('[dir]', 'folder of the files (default: sources in DATA_DIR)')
    .option('--force', 'also load master data that lack more than 5 % of the active stations or carriers')
    .option('--json', 'print each load report as JSON')
    .addHelpText('after', importExitCodeHelp)
    .action(async (dir: string | undefined, options: Options) => {
      process.exitCode = await loadSources(config(), dir, options);
    });
};
