import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../config.ts';
import { renderServerConfig } from '../delivery/hub/hub-server-config.ts';
import { hasAccount } from '../store/alerts/alert-accounts.ts';
import { readHubKeys, findConfiguredHub } from './shared/configured-hub.ts';
import { withStore } from './shared/open-store.ts';
import { exitCodes } from './shared/exit-codes.ts';
import { parseDaysArgument, uuidArgument } from './shared/arguments.ts';

type ServerOptions = { readonly listen: string; readonly storeDir: string };

const printServerConfig = async (config: Config, options: ServerOptions): Promise<void> =>
  withStore(config, 'hub server-config', async ({ db }) => {
    process.stdout.write(
      renderServerConfig(await readHubKeys(db), { ...options, now: new Date(), stream: config.hubStream }),
    );
  });

const parseGroupArgument = (text: string): string => {
  if (!/^[a-z0-9]{1,20}$/.test(text))
    throw new InvalidArgumentError(`'${text}' is not 1 to 20 small letters and digits`);
  return text;
};

type CredentialsOptions = {
  readonly account: string;
  readonly group: string;
  readonly days: number;
  readonly json?: boolean;
};

const printError = (message: string): number => {
  process.stderr.write(`${message}\n`);
  return exitCodes.failed;
};

const printCredentials = async (config: Config, options: CredentialsOptions): Promise<number> =>
  withStore(config, 'hub credentials', async ({ db }) => {
    const { account: accountId, group, days, json = false } = options;
    const hub = await findConfiguredHub(config, db);
    if (!hub) return printError('There is no hub: set NATS_URL.');
    if (!(await hasAccount(db, accountId))) return printError(`There is no account ${accountId}.`);
    const { credentials, expiresAt, ...access } = await hub.provisionAccess({ accountId, group, days });
    const until = expiresAt.toISOString();
    if (json) {
      process.stdout.write(`${JSON.stringify({ ...access, credentials, expiresAt: until })}\n`);
      return 0;
    }
    process.stdout.write(credentials);
    const facts = Object.entries({ ...access, expiresAt: until });
    process.stderr.write(facts.map(([name, value]) => `${name.padEnd(12)} ${value}\n`).join(''));
    return 0;
  });

/** Adds `flightdata hub`. */
export const addHub = (program: Command, config: () => Config): void => {
  const command = program
    .command('hub')
    .description('the hub: a broker from which consumers take their events (docs/hub.md)');
  command
    .command('server-config')
    .description('print the configuration of a nats-server for this store; it holds no secret')
    .option('--listen <address>', 'where it listens', '0.0.0.0:4222')
    .option('--store-dir <path>', 'where it keeps its data', '/var/lib/nats')
    .action((options: ServerOptions) => printServerConfig(config(), options));
  command
    .command('credentials')
    .description('print credentials with which a consumer takes the events of an account, and make its consumer')
    .requiredOption('--account <id>', 'the account', uuidArgument('an account'))
    .option(
      '--group <name>',
      'what it takes them for: groups read independently of each other',
      parseGroupArgument,
      'default',
    )
    .option('--days <n>', 'for how many days they are good', parseDaysArgument, 30)
    .option('--json', 'print all that a consumer needs as JSON')
    .action(async (options: CredentialsOptions) => {
      process.exitCode = await printCredentials(config(), options);
    });
};
