import type { Command } from 'commander';
import { catalog } from '../../generated/catalog.ts';
import type { Config } from '../config.ts';
import { toUtcDate, formatDate, type LocalDate } from '../domain/time/dates.ts';
import { DEMO_KEY } from '../jobs/demo/seed-demo.ts';
import { seedSynthetic, StoreNotEmptyError } from '../jobs/demo/seed-synthetic.ts';
import { createClock } from './shared/clock.ts';
import { withStore } from './shared/open-store.ts';
import { createProgress } from './shared/progress.ts';
import { exitCodes } from './shared/exit-codes.ts';
import { printLoadReport } from './shared/load-result.ts';
import { integerArgument, parseDateArgument, parseDaysArgument } from './shared/arguments.ts';

/** With more flights the largest carrier runs out of flight numbers. */
const MAX_FLIGHTS_PER_DAY = 150_000;

type Options = {
  readonly flightsPerDay: number;
  readonly days: number;
  readonly today?: LocalDate;
  readonly seed: number;
  readonly json?: boolean;
};

const seed = async (config: Config, { json = false, ...options }: Options): Promise<number> =>
  withStore(config, 'demo', async ({ db }) => {
    const { today = toUtcDate(createClock(config.today)()) } = options;
    const progress = createProgress();
    try {
      const report = await seedSynthetic(db, {
        ...options,
        today,
        products: catalog.map(({ product }) => product),
        onProgress: progress.update,
      });
      progress.end('synthetic world loaded');
      const code = printLoadReport(report, { json });
      process.stderr.write(
        `Loaded ${options.days} days of flights, starting the day before ${formatDate(today)}. Subscription key: ${DEMO_KEY}\n`,
      );
      return code;
    } catch (error) {
      progress.end('nothing loaded');
      if (!(error instanceof StoreNotEmptyError)) throw error;
      process.stderr.write(`flightdata: ${error.message}\n`);
      return exitCodes.failed;
    }
  });

/** Adds `flightdata demo`. */
export const addDemo = (program: Command, config: () => Config): void => {
  program
    .command('demo')
    .description(
      'load a synthetic world of any size into an empty store, for measurements and trials; loads everything or nothing',
    )
    .option(
      '--flights-per-day <n>',
      'approximate number of departures per day',
      integerArgument(10, MAX_FLIGHTS_PER_DAY),
      10_000,
    )
    .option('--days <n>', 'number of days, starting yesterday', parseDaysArgument, 30)
    .option('--today <date>', 'date to use as today (default: today)', parseDateArgument)
    .option('--seed <n>', 'random seed; the same seed creates the same world', integerArgument(0, 1e9), 1)
    .option('--json', 'print the load report as JSON')
    .action(async (options: Options) => {
      process.exitCode = await seed(config(), options);
    });
};
