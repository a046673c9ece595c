import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { dateOfInstant, type LocalDate } from '../domain/time/dates.ts';
import { pruneDays } from '../jobs/retention/prune-days.ts';
import { startClock } from './clock.ts';
import { dateArgument } from './import.ts';
import { withStore } from './open-store.ts';
import { newProgress } from './progress.ts';

const prune = async (config: Config, { before }: { readonly before: LocalDate }): Promise<void> =>
  withStore(config, 'prune', async ({ db }) => {
    const today = dateOfInstant(startClock(config.today)());
    const progress = newProgress();
    const { days, instances, messages } = await pruneDays(db, {
      before,
      today,
      onDay: (done, total) => progress.at('delete', done, total),
    });
    progress.end('deleted');
    process.stdout.write(`${days} days deleted, ${instances} flight instances and ${messages} status messages\n`);
  });

/** Adds `flightdata prune`. */
export const addPrune = (program: Command, config: () => Config): void => {
  program
    .command('prune')
    .description(
      'delete the flights of old days with their status and its history; schedules and counts of punctuality stay',
    )
    .requiredOption(
      '--before <date>',
      'the first local departure date that stays, 8 days ago at the latest',
      dateArgument,
    )
    .action((options: { readonly before: LocalDate }) => prune(config(), options));
};
