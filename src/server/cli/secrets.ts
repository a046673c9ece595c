import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { SecretsKeyError, toKeyId } from '../lib/secret-box.ts';
import { createSigningKey } from '../products/flight-info-alerts/v1/endpoints/signing-key.ts';
import { discardLostSecrets, listLostSecrets, type LostSecrets } from '../store/deliveries/lost-secrets.ts';
import { createClock } from './shared/clock.ts';
import { addSecretsKey, listSecretsKeys, retireOtherSecretsKeys } from '../store/access/secret-keys.ts';
import {
  createSecretsKeyFile,
  openConfiguredSecrets,
  readConfiguredSecrets,
  readSecretsKey,
  readSecretsKeyFile,
} from './shared/configured-secrets.ts';
import { withStore } from './shared/open-store.ts';

const printLine = (text: string): void => void process.stdout.write(`${text}\n`);

const createKey = async (path: string): Promise<void> => {
  printLine(`${path}: key ${toKeyId(await createSecretsKeyFile(path))}`);
};

/** Returns the configured key; the store must be encrypted with it. */
const getSecretsKey = async (config: Config): Promise<Buffer> => {
  const key = await readSecretsKey(config);
  if (!key) throw new SecretsKeyError('no key for secrets is configured: set SECRETS_KEY or SECRETS_KEY_FILE');
  return key;
};

const printStatus = (config: Config, json: boolean): Promise<void> =>
  withStore(config, 'secrets status', async ({ db }) => {
    const keys = await listSecretsKeys(db);
    const configured = await readSecretsKey(config);
    const rows = keys.map(({ keyId, createdAt }) => ({
      keyId,
      createdAt: createdAt.toISOString(),
      isConfigured: configured !== undefined && toKeyId(configured) === keyId,
    }));
    if (rows.length === 0) await readConfiguredSecrets(config, db);
    if (json) return printLine(JSON.stringify(rows));
    if (rows.length === 0) return printLine('the secrets of this store are not encrypted');
    for (const { keyId, createdAt, isConfigured } of rows)
      printLine(`${keyId}\t${createdAt}\t${isConfigured ? 'configured' : ''}`.trimEnd());
  });

const rotate = (config: Config, path: string): Promise<void> =>
  withStore(config, 'secrets rotate', async ({ db }) => {
    const newKey = await readSecretsKeyFile(path, 'new key');
    const key = await getSecretsKey(config);
    if (toKeyId(newKey) === toKeyId(key)) throw new Error(`the new key ${toKeyId(key)} is the configured one`);
    await openConfiguredSecrets(config, db);
    await addSecretsKey(db, { key, newKey });
    printLine(`the keys ${toKeyId(key)} and ${toKeyId(newKey)} both open the secrets`);
    printLine(`restart each server with the new key, then run 'flightdata secrets retire' with it`);
  });

const retire = (config: Config): Promise<void> =>
  withStore(config, 'secrets retire', async ({ db }) => {
    const key = await getSecretsKey(config);
    await openConfiguredSecrets(config, db);
    const retired = await retireOtherSecretsKeys(db, key);
    printLine(retired.length === 0 ? 'no other key opens the secrets' : `retired: ${retired.join(', ')}`);
    printLine(`the key ${toKeyId(key)} opens the secrets`);
  });

const printLost = ({ names, endpoints }: LostSecrets): void => {
  for (const name of names) printLine(`lost: the secret '${name}' of the service`);
  for (const { id, name, hasLostKeys, headerName } of endpoints) {
    const lost = [
      ...(hasLostKeys ? ['the signing keys'] : []),
      ...(headerName === null ? [] : [`the header ${headerName}`]),
    ];
    printLine(`lost: ${lost.join(' and ')} of the endpoint ${id} of ${name}`);
  }
};

const discard = (config: Config, isConfirmed: boolean): Promise<void> =>
  withStore(config, 'secrets discard', async ({ db }) => {
    const key = await readSecretsKey(config);
    const lost = isConfirmed
      ? await discardLostSecrets(db, { key, createSigningKey, now: createClock(config.today)() })
      : await listLostSecrets(db, key);
    printLost(lost);
    if (lost.names.length + lost.endpoints.length === 0) printLine('no secret is lost');
    else if (isConfirmed)
      printLine('these secrets are discarded; the endpoints are paused, and each needs a new secret');
    else printLine('nothing is changed: run it again with --confirm to discard these secrets');
  });

/** Adds `flightdata secrets`. */
export const addSecrets = (program: Command, config: () => Config): void => {
  const command = program
    .command('secrets')
    .description('manage the key that encrypts the secrets of the store (docs/how-to/operate/encrypt-secrets.md)');
  command
    .command('create-key')
    .description('write a new random key to a file that only its owner can read')
    .argument('<file>', 'file that does not exist yet')
    .action((path: string) => createKey(path));
  command
    .command('status')
    .description('list the keys that open the secrets, by ID')
    .option('--json', 'print the keys as JSON')
    .action(({ json = false }: { readonly json?: boolean }) => printStatus(config(), json));
  command
    .command('rotate')
    .description('let a new key open the secrets too; the configured key stays valid until secrets retire')
    .argument('<file>', 'file with the new key')
    .action((path: string) => rotate(config(), path));
  command
    .command('retire')
    .description('make the configured key the only one that opens the secrets')
    .action(() => retire(config()));
  command
    .command('discard')
    .description('list the secrets that the configured key does not open, or discard them when their key is lost')
    .option('--confirm', 'delete them and pause the endpoints; this cannot be undone')
    .action(({ confirm = false }: { readonly confirm?: boolean }) => discard(config(), confirm));
};
