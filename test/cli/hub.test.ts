import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { connect, credsAuthenticator } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainSecretBox } from '#lib/secret-box.ts';
import { readConfig } from '#config.ts';
import { deriveHubKeys } from '#delivery/hub/hub-keys.ts';
import { getOrCreateSecret } from '#store/access/secrets.ts';
import { insertSampleAccount } from '../store/alerts/sample-accounts.ts';
import { sharedDatabase } from '../support/database.ts';
import { hasNatsServer, natsServerPath, startBroker, type Broker } from '../support/hub/nats-server.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { callCommand } from './call-command.ts';
import type { CommandResult } from './run-command.ts';

const fresh = await sharedDatabase();
const { folder: directory, write } = createTemporaryFolder();
const account = await insertSampleAccount(fresh.sql);

const hub = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> =>
  callCommand(['hub', ...args], { DATABASE_URL: fresh.url, ...env });

test('prints a broker configuration that uses the settings of the store and that the broker accepts', async () => {
  const { out } = await hub(['server-config', '--listen', '127.0.0.1:4999', '--store-dir', directory]);
  const { operator } = deriveHubKeys(await getOrCreateSecret(fresh.sql, plainSecretBox, 'hub'));
  const claims = [...out.matchAll(/eyJ[\w-]+\.([\w-]+)\.[\w-]+/g)].map(([, text = '']) => atob(text));
  expect(claims.filter((one) => one.includes(`"iss":"${operator.getPublicKey()}"`)).length).toBe(4);
  expect(out).toContain(`listen: "127.0.0.1:4999"\njetstream { store_dir: "${directory}" }\n`);
  const file = write('nats.conf', out);
  // The syntax is checked only where a broker is installed.
  expect(hasNatsServer ? spawnSync(natsServerPath, ['-t', '-c', file]).status : 0).toBe(0);
});

test('rejects credentials without a hub or an account', async () => {
  const id = randomUUID();
  const hubless = await hub(['credentials', '--account', id]);
  expect(hubless).toEqual({ code: 1, out: '', err: 'No hub is configured: set NATS_URL.\n' });
  const strange = await hub(['credentials', '--account', id.toUpperCase()], { NATS_URL: 'nats://127.0.0.1:1' });
  expect(strange).toEqual({
    code: 1,
    out: '',
    err: `No account with ID ${id}. List accounts with: flightdata accounts list\n`,
  });
});

test('rejects an invalid broker address without repeating it, because it may hold a password', () => {
  for (const NATS_URL of ['http://broker:4222', 'nats://user:geheim@', 'nats://a:b@c/geheim', 'broker']) {
    const read = (): unknown => readConfig({ NATS_URL });
    expect(read).toThrow('NATS_URL must be of the form nats://host:port or tls://host:port');
    expect(read).not.toThrow(/geheim/);
  }
  expect(() => readConfig({ NATS_URL: 'nats://a:1', HUB_PUBLIC_URL: 'nats://b:c@a:1' })).toThrow(
    'must not contain a user',
  );
  expect(readConfig({ NATS_URL: 'tls://u:p@broker/', HUB_PUBLIC_URL: 'tls://hub.example:4443' }).hub).toEqual({
    url: 'tls://u:p@broker',
    publicUrl: 'tls://hub.example:4443',
  });
  expect([readConfig({}).hub, readConfig({}).hubStream]).toEqual([undefined, 'FLIGHT_EVENTS']);
  for (const HUB_STREAM of ['events', 'a.b', '-a', 'x'.repeat(33)])
    expect(() => readConfig({ HUB_STREAM })).toThrow('HUB_STREAM must be 1 to 32 letters');
});

describe.skipIf(!hasNatsServer)('with a broker', () => {
  let broker: Broker;
  beforeAll(async () => {
    broker = await startBroker(await getOrCreateSecret(fresh.sql, plainSecretBox, 'hub'));
  });
  afterAll(() => broker.drop());

  test('prints credentials as a file for clients and the other connection settings on stderr', async () => {
    const args = ['credentials', '--account', account.id, '--days', '2'];
    const { code, out, err } = await hub(args, { NATS_URL: broker.url });
    expect(code).toBe(0);
    const [, consumer = ''] = /^consumer +(\S+)$/m.exec(err) ?? [];
    const [, inboxPrefix = ''] = /^inboxPrefix +(\S+)$/m.exec(err) ?? [];
    const start = `url +${broker.url}\nstream +FLIGHT_EVENTS\napiPrefix +hub`;
    expect(err).toMatch(new RegExp(`^${start}\nconsumer .*\nsubjects +events.${account.id}.>\n`));
    const authenticator = credsAuthenticator(Buffer.from(out));
    const connection = await connect({ servers: broker.url, authenticator, inboxPrefix });
    const stored = await jetstream(connection, { apiPrefix: 'hub' }).consumers.get('FLIGHT_EVENTS', consumer);
    expect((await stored.info()).num_pending).toBe(0);
    await connection.close();
  });

  test('prints credentials and settings as JSON', async () => {
    const env = { NATS_URL: broker.url, HUB_PUBLIC_URL: 'tls://hub.example:4222' };
    const { out, err } = await hub(['credentials', '--account', account.id, '--group', 'reports', '--json'], env);
    const access: { readonly consumer: string } = JSON.parse(out);
    expect(access).toMatchObject({ url: 'tls://hub.example:4222', stream: 'FLIGHT_EVENTS', apiPrefix: 'hub' });
    expect(access.consumer).toMatch(new RegExp(`^${account.id}-reports-`));
    expect(err).toBe('');
  });
});
