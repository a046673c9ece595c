import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { importMct } from '../jobs/import/import-mct.ts';
import { exitCodeHelp } from './import-status.ts';
import { withStore } from './open-store.ts';
import { newProgress } from './progress.ts';
import { asRefusal, tellRefusal, warnOfDemo } from './refusals.ts';
import { exitCodes, reportOutcome } from './report-outcome.ts';

type Options = { readonly json?: boolean };

const loadMct = async (config: Config, file: string, { json = false }: Options): Promise<number> =>
  withStore(config, 'import mct', async ({ db }) => {
    await warnOfDemo(db);
    const progress = newProgress();
    try {
      const report = await importMct({ db, file, onProgress: progress.at });
      progress.end(`${file}: loaded`);
      return reportOutcome(report, { json });
    } catch (error) {
      progress.end(`${file}: not loaded`);
      const refusal = asRefusal(error);
      if (!refusal) throw error;
      tellRefusal(file, refusal, json);
      return exitCodes.refused;
    }
  });

/** Adds `import mct`. */
export const addMctImport = (command: Command, config: () => Config): void => {
  command
    .command('mct')
    .description('load minimum connecting times: an SSIM chapter 8 file, which replaces the one before')
    .argument('<file>', 'the file, plain or gzip, all or nothing')
    .option('--json', 'print the load report as JSON')
    .addHelpText('after', exitCodeHelp)
    .action(async (file: string, options: Options) => {
      process.exitCode = await loadMct(config(), file, options);
    });
};
