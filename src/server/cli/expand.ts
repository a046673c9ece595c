import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { addDays, toUtcDate, type LocalDate } from '../domain/time/dates.ts';
import { extendHorizon } from '../jobs/expand/extend-horizon.ts';
import { createClock } from './shared/clock.ts';
import { withStore } from './shared/open-store.ts';
import { createProgress } from './shared/progress.ts';
import { parseDateArgument, parseDaysArgument } from './shared/arguments.ts';

type Options = { readonly from?: LocalDate; readonly days?: number };

const expand = async (config: Config, options: Options): Promise<void> =>
  withStore(config, 'expand', async ({ db, whenVisible }) => {
    const today = toUtcDate(createClock(config.today)());
    const progress = createProgress();
    const { from = addDays(today, -1), days: requestedDays = config.horizonDays } = options;
    const { days, instances } = await whenVisible(
      extendHorizon(db, {
        today,
        horizonDays: config.horizonDays,
        window: { from, days: requestedDays },
        onDay: (done, total) => progress.update('expand', done, total),
      }),
    );
    progress.end('expanded');
    process.stdout.write(`Added ${days} days with ${instances} flight instances\n`);
  });

/** Adds `flightdata expand`. */
export const addExpand = (program: Command, config: () => Config): void => {
  program
    .command('expand')
    .description(
      'expand the current schedules to flight instances on days that are not expanded yet; servers do this hourly',
    )
    .option('--from <date>', 'first local departure date (default: yesterday)', parseDateArgument)
    .option('--days <n>', 'number of days (default: HORIZON_DAYS)', parseDaysArgument)
    .action((options: Options) => expand(config(), options));
};
