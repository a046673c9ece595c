import { InvalidArgumentError, type Command } from 'commander';
import { catalog } from '../../generated/catalog.ts';
import type { Config } from '../config.ts';
import { dateOfInstant, formatDate, type LocalDate } from '../domain/time/dates.ts';
import { DEMO_KEY } from '../jobs/demo/seed-demo.ts';
import { seedSynthetic, StoreNotEmpty } from '../jobs/demo/seed-synthetic.ts';
import { startClock } from './clock.ts';
import { dateArgument, daysArgument } from './import.ts';
import { withStore } from './open-store.ts';
import { newProgress } from './progress.ts';
import { exitCodes, reportOutcome } from './report-outcome.ts';

/** More flights a day than this and the largest carrier has no flight numbers left. */
const MOST_FLIGHTS = 150_000;

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`'${text}' is not a whole number from ${least} to ${most}`);
    return value;
  };

type Options = {
  readonly flightsPerDay: number;
  readonly days: number;
  readonly today?: LocalDate;
  readonly seed: number;
  readonly json?: boolean;
};

const fill = async (config: Config, { json = false, ...options }: Options): Promise<number> =>
  withStore(config, 'demo', async ({ db }) => {
    const { today = dateOfInstant(startClock(config.today)()) } = options;
    const progress = newProgress();
    try {
      const report = await seedSynthetic(db, {
        ...options,
        today,
        products: catalog.map(({ product }) => product),
        onProgress: progress.at,
      });
      progress.end('the synthetic world is loaded');
      const code = reportOutcome(report, { json });
      process.stderr.write(`${options.days} days from the day before ${formatDate(today)}; the key is ${DEMO_KEY}\n`);
      return code;
    } catch (error) {
      progress.end('nothing was loaded');
      if (!(error instanceof StoreNotEmpty)) throw error;
      process.stderr.write(`flightdata: ${error.message}\n`);
      return exitCodes.refused;
    }
  });

/** Adds `flightdata demo`. */
export const addDemo = (program: Command, config: () => Config): void => {
  program
    .command('demo')
    .description(
      'fill an empty store with a made-up world of any size, to measure and to try things on; all or nothing',
    )
    .option('--flights-per-day <n>', 'about how many flights depart a day', wholeNumber(10, MOST_FLIGHTS), 10_000)
    .option('--days <n>', 'how many days, from yesterday on', daysArgument, 30)
    .option('--today <date>', 'the day that is taken as today (default: today)', dateArgument)
    .option('--seed <n>', 'which world: the same seed makes the same one', wholeNumber(0, 1e9), 1)
    .option('--json', 'print the load report as JSON')
    .action(async (options: Options) => {
      process.exitCode = await fill(config(), options);
    });
};
