import type { Command } from 'commander';
import type { Config } from '#config.ts';
import { toUtcDate, type LocalDate } from '#domain/time/dates.ts';
import { importSsim } from '#jobs/import/import-ssim.ts';
import { parseDateArgument, parseDaysArgument } from '../shared/arguments.ts';
import { createClock } from '../shared/clock.ts';
import { importExitCodeHelp, mergeExitCodes } from '../shared/exit-codes.ts';
import { runLoad, warnAboutDemoData } from '../shared/load-result.ts';
import { withStore } from '../shared/open-store.ts';

type Options = { readonly from?: LocalDate; readonly days?: number; readonly json?: boolean };

/** Loads SSIM files in their order, and returns the exit code. */
export const loadSsim = async (
  config: Config,
  files: readonly string[],
  { from, days = config.horizonDays, json = false }: Options,
): Promise<number> =>
  withStore(config, 'import ssim', async ({ db, whenVisible }) => {
    await warnAboutDemoData(db);
    const today = toUtcDate(createClock(config.today)());
    const window = from === undefined ? undefined : { from, days };
    const codes: number[] = [];
    for (const file of files)
      codes.push(
        await runLoad(file, json, (onProgress) =>
          whenVisible(importSsim({ db, file, today, horizonDays: days, window, onProgress })),
        ),
      );
    return mergeExitCodes(codes);
  });

/** Adds `flightdata import ssim`. */
export const addImportSsim = (command: Command, config: () => Config): void => {
  command
    .command('ssim')
    .description('load schedules from SSIM chapter 7 files and replace the schedules of the carriers in each file')
    .argument('<file...>', 'files, plain or gzip, loaded in this order, each completely or not at all')
    .option(
      '--from <date>',
      'first local departure date to expand to flights (default: yesterday, or the first date of a past schedule)',
      parseDateArgument,
    )
    .option('--days <n>', 'number of days to expand (default: HORIZON_DAYS)', parseDaysArgument)
    .option('--json', 'print the load report as JSON')
    .addHelpText('after', importExitCodeHelp)
    .action(async (files: string[], options: Options) => {
      process.exitCode = await loadSsim(config(), files, options);
    });
};
