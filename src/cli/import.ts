import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../config.ts';
import { dateOfInstant, parseDate, type LocalDate } from '../domain/time/dates.ts';
import type { Database } from '../store/pool/database.ts';
import { refreshRecords } from '../jobs/expand/fill-records.ts';
import { importMasterData } from '../jobs/import/import-master-data.ts';
import { importSsim } from '../jobs/import/import-ssim.ts';
import { startClock } from './clock.ts';
import { addMctImport } from './import-mct.ts';
import { addStatusImports, exitCodeHelp } from './import-status.ts';
import { withStore } from './open-store.ts';
import { newProgress } from './progress.ts';
import { asRefusal, tellRefusal, warnOfDemo, worst } from './refusals.ts';
import { exitCodes, reportOutcome } from './report-outcome.ts';

/** Reads `YYYY-MM-DD` of an option. */
export const dateArgument = (text: string): LocalDate => {
  const date = parseDate(text);
  if (date === undefined) throw new InvalidArgumentError(`'${text}' is not a date of the form YYYY-MM-DD`);
  return date;
};

/** Reads a whole number of days of an option. */
export const daysArgument = (text: string): number => {
  const days = Number(text);
  if (!/^\d+$/.test(text) || days < 1 || days > 400)
    throw new InvalidArgumentError(`'${text}' is not a whole number from 1 to 400`);
  return days;
};

type SsimOptions = { readonly from?: LocalDate; readonly days?: number; readonly json?: boolean };

const loadSsim = async (config: Config, files: readonly string[], options: SsimOptions): Promise<number> =>
  withStore(config, 'import ssim', async ({ db }) => {
    await warnOfDemo(db);
    const today = dateOfInstant(startClock(config.today)());
    const { horizonDays } = config;
    const { from, days = horizonDays } = options;
    const codes: number[] = [];
    for (const file of files) {
      const progress = newProgress();
      try {
        const report = await importSsim({
          db,
          file,
          today,
          horizonDays: days,
          window: from === undefined ? undefined : { from, days },
          onProgress: progress.at,
        });
        progress.end(`${file}: loaded`);
        codes.push(reportOutcome(report, { json: options.json ?? false }));
      } catch (error) {
        progress.end(`${file}: not loaded`);
        const refusal = asRefusal(error);
        if (!refusal) throw error;
        tellRefusal(file, refusal, options.json ?? false);
        codes.push(exitCodes.refused);
      }
    }
    return worst(codes);
  });

/** Schedule records show master data: they follow a change of it. */
const followMasterData = async (db: Database): Promise<void> => {
  try {
    const written = await refreshRecords(db);
    if (written > 0) process.stderr.write(`${written} schedule records written anew\n`);
  } catch (cause) {
    throw new Error(
      'the master data are loaded, but the schedule records could not be written anew; servers try again every hour',
      { cause },
    );
  }
};

type MasterDataOptions = { readonly json?: boolean; readonly force?: boolean };

const loadMasterData = async (
  config: Config,
  dir: string,
  { json = false, force = false }: MasterDataOptions,
): Promise<number> =>
  withStore(config, 'import master-data', async ({ db }) => {
    await warnOfDemo(db);
    const progress = newProgress();
    try {
      const report = await importMasterData({
        sql: db,
        dir,
        log: () => {},
        isForced: force,
        onProgress: ({ step, steps }) => progress.at('read', step, steps),
      });
      progress.end(`${dir}: loaded`);
      const code = reportOutcome(report, { json });
      await followMasterData(db);
      return code;
    } catch (error) {
      progress.end(`${dir}: not loaded`);
      const refusal = asRefusal(error);
      if (!refusal) throw error;
      tellRefusal(dir, refusal, json);
      return exitCodes.refused;
    }
  });

/** Adds `flightdata import`. */
export const addImport = (program: Command, config: () => Config): void => {
  const command = program.command('import').description('load data');
  command
    .command('ssim')
    .description(
      'load schedules: SSIM chapter 7 files, plain or gzip; each carrier in a file has its schedule replaced',
    )
    .argument('<file...>', 'files, loaded one after the other, each all or nothing')
    .option(
      '--from <date>',
      'first local departure date to lay out as flights (default: yesterday, or the first date of a past schedule)',
      dateArgument,
    )
    .option('--days <n>', 'how many days to lay out (default: HORIZON_DAYS)', daysArgument)
    .option('--json', 'print the load report as JSON')
    .addHelpText('after', exitCodeHelp)
    .action(async (files: string[], options: SsimOptions) => {
      process.exitCode = await loadSsim(config(), files, options);
    });
  addMctImport(command, config);
  addStatusImports(command, config);
  command
    .command('master-data')
    .description('load locations, carriers and equipment from the files of a directory')
    .argument('<dir>', 'the directory')
    .option('--force', 'load files that lack more than 5 % of the stations or carriers that the last ones had')
    .option('--json', 'print the load report as JSON')
    .addHelpText('after', exitCodeHelp)
    .action(async (dir: string, options: MasterDataOptions) => {
      process.exitCode = await loadMasterData(config(), dir, options);
    });
};
