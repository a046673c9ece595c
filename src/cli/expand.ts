import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { addDays, dateOfInstant, type LocalDate } from '../domain/time/dates.ts';
import { rollHorizon } from '../jobs/expand/extend-horizon.ts';
import { startClock } from './clock.ts';
import { dateArgument, daysArgument } from './import.ts';
import { withStore } from './open-store.ts';
import { newProgress } from './progress.ts';

type Options = { readonly from?: LocalDate; readonly days?: number };

const expand = async (config: Config, options: Options): Promise<void> =>
  withStore(config, 'expand', async ({ db }) => {
    const today = dateOfInstant(startClock(config.today)());
    const progress = newProgress();
    const { from = addDays(today, -1), days: wanted = config.horizonDays } = options;
    const { days, instances } = await rollHorizon(db, {
      today,
      horizonDays: config.horizonDays,
      window: { from, days: wanted },
      onDay: (done, total) => progress.at('lay out', done, total),
    });
    progress.end('laid out');
    process.stdout.write(`${days} days added, ${instances} flight instances\n`);
  });

/** Adds `flightdata expand`. */
export const addExpand = (program: Command, config: () => Config): void => {
  program
    .command('expand')
    .description(
      'lay out days that are not there yet as flight instances, from the schedules in force; servers do it hourly',
    )
    .option('--from <date>', 'first local departure date (default: yesterday)', dateArgument)
    .option('--days <n>', 'how many days (default: HORIZON_DAYS)', daysArgument)
    .action((options: Options) => expand(config(), options));
};
