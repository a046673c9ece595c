import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../config.ts';
import { dateOfInstant, parseDate, type LocalDate } from '../domain/dates.ts';
import { FeedError } from '../feeds/feed-error.ts';
import type { Database } from '../store/database.ts';
import { latestLoad } from '../store/schedules.ts';
import { importMasterData } from '../work/import-master-data.ts';
import { importSsim } from '../work/import-ssim.ts';
import { startClock } from './clock.ts';
import { withStore } from './open-store.ts';
import { newProgress } from './progress.ts';
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

const refusalOf = (file: string, error: FeedError): string => {
  const place = [
    error.line === undefined ? '' : `line ${error.line}`,
    error.bytes === undefined ? '' : `bytes ${error.bytes[0]}-${error.bytes[1]}`,
  ].filter(Boolean);
  const value = error.value === undefined ? '' : ` [${error.value}]`;
  return `${file}: refused, nothing was loaded: ${place.length > 0 ? `${place.join(', ')}: ` : ''}${error.message}${value}\n`;
};

/** A feed that cannot be taken, or a file that cannot be read: both are told of the file, and the next one goes on. */
const asRefusal = (error: unknown): FeedError | undefined => {
  if (error instanceof FeedError) return error;
  const isOfFile = error instanceof Error && 'syscall' in error && 'path' in error;
  return isOfFile ? new FeedError(error.message, { reason: 'unreadable-file', cause: error }) : undefined;
};

const tellRefusal = (file: string, error: FeedError, json: boolean): void => {
  process.stderr.write(refusalOf(file, error));
  const { line, bytes, value, reason, message } = error;
  if (json)
    process.stdout.write(`${JSON.stringify({ source: file, refused: { line, bytes, value, reason, message } })}\n`);
};

const warnOfDemo = async (db: Database): Promise<void> => {
  if (await latestLoad(db, 'demo'))
    process.stderr.write(
      'This store holds the demo world, and its key is public: load real data into another DATA_DIR or database.\n',
    );
};

const worst = (codes: readonly number[]): number =>
  codes.includes(exitCodes.refused) ? exitCodes.refused : Math.max(...codes, exitCodes.loaded);

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

const loadMasterData = async (
  config: Config,
  dir: string,
  { json = false }: { readonly json?: boolean },
): Promise<number> =>
  withStore(config, 'import master-data', async ({ db }) => {
    await warnOfDemo(db);
    const progress = newProgress();
    try {
      const report = await importMasterData({
        sql: db,
        dir,
        log: () => {},
        onProgress: ({ step, steps }) => progress.at('read', step, steps),
      });
      progress.end(`${dir}: loaded`);
      return reportOutcome(report, { json });
    } catch (error) {
      progress.end(`${dir}: not loaded`);
      const refusal = asRefusal(error);
      if (!refusal) throw error;
      tellRefusal(dir, refusal, json);
      return exitCodes.refused;
    }
  });

const exitCodeHelp = `
Exit codes: 0 loaded, 3 loaded with records in quarantine, 1 refused (nothing of that file was loaded), 2 wrong usage.`;

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
  command
    .command('master-data')
    .description('load locations, carriers and equipment from the files of a directory')
    .argument('<dir>', 'the directory')
    .option('--json', 'print the load report as JSON')
    .addHelpText('after', exitCodeHelp)
    .action(async (dir: string, options: { json?: boolean }) => {
      process.exitCode = await loadMasterData(config(), dir, options);
    });
};
