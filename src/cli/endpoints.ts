import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Sql } from '../store/pool/database.ts';
import { deleteEndpoint, listEndpointSummaries, setEndpointActive } from '../store/deliveries/endpoints.ts';
import { uuidArgument } from './shared/arguments.ts';
import { createClock } from './shared/clock.ts';
import { exitCodes } from './shared/exit-codes.ts';
import { withStore } from './shared/open-store.ts';

const list = async (config: Config, account: string | undefined): Promise<void> =>
  withStore(config, 'endpoints list', async ({ db }) => {
    const endpoints = await listEndpointSummaries(db, account);
    process.stdout.write(endpoints.length === 0 ? 'No endpoints.\n' : 'id\tname\taccount\tstate\tpending\turl\n');
    for (const { id, name, accountId, active, disabledFor, pending, url } of endpoints) {
      const state = disabledFor === undefined ? (active ? 'active' : 'paused') : `disabled (${disabledFor})`;
      process.stdout.write(`${id}\t${name}\t${accountId}\t${state}\t${pending}\t${url}\n`);
    }
  });

type EndpointCommand = {
  readonly name: string;
  readonly description: string;
  readonly run: (sql: Sql, id: string, now: Date) => Promise<boolean>;
  readonly done: string;
};

const commands: readonly EndpointCommand[] = [
  {
    name: 'pause',
    description: 'stop sending to an endpoint; its events wait for as long as events are kept',
    run: (sql, id, now) => setEndpointActive(sql, id, { active: false, now }),
    done: 'is paused',
  },
  {
    name: 'resume',
    description: 'send to a paused or disabled endpoint again, from where it stopped',
    run: (sql, id, now) => setEndpointActive(sql, id, { active: true, now }),
    done: 'is active',
  },
  {
    name: 'delete',
    description:
      'delete an endpoint with its signing keys; its delivery log stays until it is pruned; this cannot be undone',
    run: (sql, id) => deleteEndpoint(sql, id),
    done: 'is deleted',
  },
];

const runOn = async (config: Config, id: string, { name, run, done }: EndpointCommand): Promise<number> =>
  withStore(config, `endpoints ${name}`, async ({ db }) => {
    const found = await db.begin((sql) => run(sql, id, createClock(config.today)()));
    process[found ? 'stdout' : 'stderr'].write(found ? `Endpoint ${id} ${done}.\n` : `There is no endpoint ${id}.\n`);
    return found ? 0 : exitCodes.failed;
  });

/** Adds `flightdata endpoints`. */
export const addEndpoints = (program: Command, config: () => Config): void => {
  const group = program.command('endpoints').description('webhook endpoints of subscribers');
  group
    .command('list')
    .description('list endpoints with their state and the number of events that wait')
    .option('--account <id>', 'only those of this account', uuidArgument('an account'))
    .action(({ account }: { readonly account?: string }) => list(config(), account));
  for (const command of commands)
    group
      .command(command.name)
      .description(command.description)
      .argument('<id>', 'UUID of the endpoint', uuidArgument('an endpoint'))
      .action(async (id: string) => {
        process.exitCode = await runOn(config(), id, command);
      });
};
