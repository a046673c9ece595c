import type { Command } from 'commander';
import type { Config } from '#config.ts';
import type { Database } from '#store/pool/database.ts';
import { refreshRecords } from '#jobs/expand/schedule-records.ts';
import { importMasterData } from '#jobs/import/import-master-data.ts';
import { exitCodes, importExitCodeHelp } from '../shared/exit-codes.ts';
import { runLoad, warnAboutDemoData } from '../shared/load-result.ts';
import { withStore } from '../shared/open-store.ts';

type Options = { readonly json?: boolean; readonly force?: boolean };

/** Rewrites the schedule records, which contain names and codes of the master data. */
const refreshScheduleRecords = async (db: Database): Promise<void> => {
  try {
    const written = await refreshRecords(db);
    if (written > 0) process.stderr.write(`Updated ${written} schedule records\n`);
  } catch (cause) {
    throw new Error('master data loaded, but updating the schedule records failed; servers retry every hour', {
      cause,
    });
  }
};

/** Loads a folder of master data, and returns the exit code. */
export const loadMasterData = async (
  config: Config,
  dir: string,
  { json = false, force: isForced = false }: Options,
): Promise<number> =>
  withStore(config, 'import master-data', async ({ db, whenVisible }) => {
    await warnAboutDemoData(db);
    const code = await runLoad(dir, json, (onProgress) =>
      whenVisible(
        importMasterData({
          sql: db,
          dir,
          log: () => {},
          isForced,
          onProgress: ({ step, steps }) => onProgress('read files', step, steps),
        }),
      ),
    );
    if (code !== exitCodes.failed) await whenVisible(refreshScheduleRecords(db));
    return code;
  });

/** Adds `flightdata import master-data`. */
export const addImportMasterData = (command: Command, config: () => Config): void => {
  command
    .command('master-data')
    .description(
      'load locations, carriers and equipment from the files in a directory (docs/how-to/operate/load-master-data.md)',
    )
    .argument('<dir>', 'directory that contains the files')
    .option('--force', 'also load files that lack more than 5 % of the active stations or carriers')
    .option('--json', 'print the load report as JSON')
    .addHelpText('after', importExitCodeHelp)
    .action(async (dir: string, options: Options) => {
      process.exitCode = await loadMasterData(config(), dir, options);
    });
};
