import type { Command } from 'commander';
import type { Config } from '#config.ts';
import { importMct } from '#jobs/import/import-mct.ts';
import { importExitCodeHelp } from '../shared/exit-codes.ts';
import { runLoad, warnAboutDemoData } from '../shared/load-result.ts';
import { withStore } from '../shared/open-store.ts';

type Options = { readonly json?: boolean };

const loadMct = async (config: Config, file: string, { json = false }: Options): Promise<number> =>
  withStore(config, 'import mct', async ({ db }) => {
    await warnAboutDemoData(db);
    return runLoad(file, json, (onProgress) => importMct({ db, file, onProgress }));
  });

/** Adds `flightdata import mct`. */
export const addImportMct = (command: Command, config: () => Config): void => {
  command
    .command('mct')
    .description('load minimum connecting times from an SSIM chapter 8 file and replace the previous ones')
    .argument('<file>', 'file, plain or gzip, loaded completely or not at all')
    .option('--json', 'print the load report as JSON')
    .addHelpText('after', importExitCodeHelp)
    .action(async (file: string, options: Options) => {
      process.exitCode = await loadMct(config(), file, options);
    });
};
