import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { deleteAccount, findAccount, listAccounts } from '../store/alerts/alert-accounts.ts';
import { notifyPushWorkers } from '../store/deliveries/endpoints.ts';
import { uuidArgument } from './shared/arguments.ts';
import { exitCodes } from './shared/exit-codes.ts';
import { withStore } from './shared/open-store.ts';
import { printRows } from './shared/output.ts';

const printMissing = (id: string): number => {
  process.stderr.write(`No account with ID ${id}. List accounts with: flightdata accounts list\n`);
  return exitCodes.failed;
};

const list = async (config: Config, name: string | undefined): Promise<void> =>
  withStore(config, 'accounts list', async ({ db }) => {
    const accounts = await listAccounts(db, name);
    printRows([
      accounts.length === 0 ? ['No accounts.'] : ['id', 'name', 'created', 'alerts', 'endpoints'],
      ...accounts.map(({ id, name: subscriber, createdAt, alerts, endpoints }) => [
        id,
        subscriber,
        createdAt.toISOString(),
        alerts,
        endpoints,
      ]),
    ]);
  });

const show = async (config: Config, id: string): Promise<number> =>
  withStore(config, 'accounts show', async ({ db }) => {
    const account = await findAccount(db, id);
    if (!account) return printMissing(id);
    const { profile, createdAt, ...rest } = account;
    const rows = Object.entries({ ...rest, created: createdAt.toISOString(), ...profile });
    printRows(rows.map(([name, value]) => [`${name.padEnd(16)}${value === '' ? '-' : value}`]));
    return 0;
  });

const remove = async (config: Config, id: string): Promise<number> =>
  withStore(config, 'accounts delete', async ({ db }) => {
    const deleted = await db.begin(async (sql) => {
      const found = await deleteAccount(sql, id);
      if (found) await notifyPushWorkers(sql);
      return found;
    });
    if (!deleted) return printMissing(id);
    process.stdout.write(
      `Account ${id} deleted with its profile, alerts, endpoints and events. Delivered events cannot be recalled; ` +
        'backups contain the data until they expire.\n',
    );
    return 0;
  });

/** Adds `flightdata accounts`. */
export const addAccounts = (program: Command, config: () => Config): void => {
  const command = program.command('accounts').description('list, show and delete the alert accounts of subscribers');
  const parseId = uuidArgument('an account');
  command
    .command('list')
    .description('list accounts with their number of alerts and endpoints')
    .option('--name <name>', 'list only the accounts of this subscription')
    .action(({ name }: { readonly name?: string }) => list(config(), name));
  command
    .command('show')
    .description('print the profile of an account and its number of alerts, endpoints and retained events')
    .argument('<id>', 'account ID (UUID)', parseId)
    .action(async (id: string) => {
      process.exitCode = await show(config(), id);
    });
  command
    .command('delete')
    .description('delete an account with its profile, alerts, endpoints and events; this cannot be undone')
    .argument('<id>', 'account ID (UUID)', parseId)
    .action(async (id: string) => {
      process.exitCode = await remove(config(), id);
    });
};
