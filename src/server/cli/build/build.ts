import type { Command } from 'commander';
import type { Config } from '#config.ts';
import { toUtcDate } from '#domain/time/dates.ts';
import { predictSeats } from '#jobs/statistics/predict-seats.ts';
import { addBuildConnections } from './connections.ts';
import { addBuildOnTime } from './on-time.ts';
import { createClock } from '../shared/clock.ts';
import { withStore } from '../shared/open-store.ts';

const buildSeats = async (config: Config): Promise<void> =>
  withStore(config, 'build seats', async ({ db, whenVisible }) => {
    const built = await whenVisible(predictSeats(db, toUtcDate(createClock(config.today)())));
    process.stdout.write(`Predicted seats for ${built} combinations of flight number and route\n`);
  });

/** Adds `flightdata build`. */
export const addBuild = (program: Command, config: () => Config): void => {
  const command = program.command('build').description('compute data derived from loaded schedules and statuses');
  command
    .command('seats')
    .description(
      'predict seats from the flights of the last 28 days (docs/explanation/seat-predictions.md); servers do this once a day',
    )
    .action(() => buildSeats(config()));
  addBuildOnTime(command, config);
  addBuildConnections(command, config);
};
