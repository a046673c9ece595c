import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { toUtcDate, type LocalDate } from '../domain/time/dates.ts';
import { pruneDays } from '../jobs/retention/prune-days.ts';
import { createClock } from './shared/clock.ts';
import { withStore } from './shared/open-store.ts';
import { createProgress } from './shared/progress.ts';
import { parseDateArgument } from './shared/arguments.ts';

const prune = async (config: Config, { before }: { readonly before: LocalDate }): Promise<void> =>
  withStore(config, 'prune', async ({ db, whenVisible }) => {
    const today = toUtcDate(createClock(config.today)());
    const progress = createProgress();
    const { days, instances, messages, quarantined } = await whenVisible(
      pruneDays(db, {
        before,
        today,
        onDay: (done, total) => progress.update('delete', done, total),
      }),
    );
    progress.end('deleted');
    process.stdout.write(
      `Deleted ${days} days with ${instances} flight instances and ${messages} status messages, and ${quarantined} messages in quarantine\n`,
    );
  });

/** Adds `flightdata prune`. */
export const addPrune = (program: Command, config: () => Config): void => {
  program
    .command('prune')
    .description(
      'delete the flights of old days with their status and status history, and old messages in quarantine; schedules and on-time statistics stay',
    )
    .requiredOption('--before <date>', 'first local departure date to keep, 8 days ago or earlier', parseDateArgument)
    .action((options: { readonly before: LocalDate }) => prune(config(), options));
};
