import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Sql } from '../store/pool/database.ts';
import { deleteEndpoint, listEndpointSummaries, setEndpointActive } from '../store/deliveries/endpoints.ts';
import { uuidArgument } from './shared/arguments.ts';
import { createClock } from './shared/clock.ts';
import { exitCodes } from './shared/exit-codes.ts';
import { withStore } from './shared/open-store.ts';
import { printRows } from './shared/output.ts';

const list = async (config: Config, account: string | undefined): Promise<void> =>
  withStore(config, 'endpoints list', async ({ db }) => {
    const endpoints = await listEndpointSummaries(db, account);
    printRows([
      endpoints.length === 0 ? ['No endpoints.'] : ['id', 'name', 'account', 'state', 'pending', 'url'],
      ...endpoints.map(({ id, name, accountId, active, disabledFor, pending, url }) => {
        const state = disabledFor === undefined ? (active ? 'active' : 'paused') : `disabled (${disabledFor})`;
        return [id, name, accountId, state, pending, url];
      }),
    ]);
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
    description: 'pause deliveries to an endpoint; its events wait until their retention ends',
    run: (sql, id, now) => setEndpointActive(sql, id, { active: false, now }),
    done: 'paused',
  },
  {
    name: 'resume',
    description: 'resume deliveries to a paused or disabled endpoint at its last position',
    run: (sql, id, now) => setEndpointActive(sql, id, { active: true, now }),
    done: 'active',
  },
  {
    name: 'delete',
    description: 'delete an endpoint with its signing keys and delivery log; this cannot be undone',
    run: (sql, id) => deleteEndpoint(sql, id),
    done: 'deleted',
  },
];

const runOn = async (config: Config, id: string, { name, run, done }: EndpointCommand): Promise<number> =>
  withStore(config, `endpoints ${name}`, async ({ db }) => {
    const found = await db.begin((sql) => run(sql, id, createClock(config.today)()));
    process[found ? 'stdout' : 'stderr'].write(
      found
        ? `Endpoint ${id} ${done}.\n`
        : `No endpoint with ID ${id}. List endpoints with: flightdata endpoints list\n`,
    );
    return found ? 0 : exitCodes.failed;
  });

/** Adds `flightdata endpoints`. */
export const addEndpoints = (program: Command, config: () => Config): void => {
  const group = program
    .command('endpoints')
    .description('list, pause, resume and delete the webhook endpoints of subscribers');
  group
    .command('list')
    .description('list endpoints with their state and number of pending events')
    .option('--account <id>', 'list only the endpoints of this account', uuidArgument('an account'))
    .action(({ account }: { readonly account?: string }) => list(config(), account));
  for (const command of commands)
    group
      .command(command.name)
      .description(command.description)
      .argument('<id>', 'endpoint ID (UUID)', uuidArgument('an endpoint'))
      .action(async (id: string) => {
        process.exitCode = await runOn(config(), id, command);
      });
};
