import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../config.ts';
import { renderServerConfig } from '../delivery/hub/hub-server-config.ts';
import { hasAccount } from '../store/alerts/alert-accounts.ts';
import { readHubKeys, findConfiguredHub } from './shared/configured-hub.ts';
import { openConfiguredSecrets } from './shared/configured-secrets.ts';
import { withStore } from './shared/open-store.ts';
import { exitCodes } from './shared/exit-codes.ts';
import { parseDaysArgument, uuidArgument } from './shared/arguments.ts';

type ServerOptions = { readonly listen: string; readonly storeDir: string };

const printServerConfig = async (config: Config, options: ServerOptions): Promise<void> =>
  withStore(config, 'hub server-config', async ({ db }) => {
    process.stdout.write(
      renderServerConfig(await readHubKeys(db, await openConfiguredSecrets(config, db)), {
        ...options,
        now: new Date(),
        stream: config.hubStream,
      }),
    );
  });

const parseGroupArgument = (text: string): string => {
  if (!/^[a-z0-9]{1,20}$/.test(text))
    throw new InvalidArgumentError(`'${text}' must be 1 to 20 lowercase letters and digits`);
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
    const hub = await findConfiguredHub(config, db, await openConfiguredSecrets(config, db));
    if (!hub) return printError('No hub is configured: set NATS_URL.');
    if (!(await hasAccount(db, accountId)))
      return printError(`No account with ID ${accountId}. List accounts with: flightdata accounts list`);
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
    .description('configure the hub: a broker from which consumers receive events (docs/how-to/operate/run-a-hub.md)');
  command
    .command('server-config')
    .description('print the nats-server configuration for this store; it contains no secrets')
    .option('--listen <address>', 'address and port on which nats-server listens', '0.0.0.0:4222')
    .option('--store-dir <path>', 'directory of the JetStream data', '/var/lib/nats')
    .action((options: ServerOptions) => printServerConfig(config(), options));
  command
    .command('credentials')
    .description('create the durable consumer of an account and print credentials for it')
    .requiredOption('--account <id>', 'account ID (UUID)', uuidArgument('an account'))
    .option(
      '--group <name>',
      'name of the consumer group; each group receives all events',
      parseGroupArgument,
      'default',
    )
    .option('--days <n>', 'number of days for which the credentials are valid', parseDaysArgument, 30)
    .option('--json', 'print credentials and connection details as JSON')
    .action(async (options: CredentialsOptions) => {
      process.exitCode = await printCredentials(config(), options);
    });
};
