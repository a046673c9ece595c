import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '#store/engine/embedded.ts';
import { plainSecretBox, toKeyId } from '#lib/secret-box.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { openSecretBox, listSecretsKeys, readSecretBox } from '#store/access/secret-keys.ts';
import { getOrCreateSecret } from '#store/access/secrets.ts';
import { findEndpoint, insertEndpoint } from '#store/deliveries/endpoints.ts';
import { startServerProcess } from '#test/faults/support/server-process.ts';
import { insertSampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { freshDatabase } from '#test/support/database.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { callCommand } from './call-command.ts';
import { createEnvironment, runCommand, startCommand, waitForOutput, type Environment } from './run-command.ts';

const { folder, write } = createTemporaryFolder();
const [lostKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const newFile = write('new.key', newKey.toString('base64'));
chmodSync(newFile, 0o600);
const lostSecrets = 'docs/how-to/operate/encrypt-secrets.md#when-the-key-is-lost';

const useDatabase = async () => {
  const { sql, url, drop } = await freshDatabase();
  onTestFinished(drop);
  return { sql, url };
};

/** Creates a store with the secrets of the service and of an endpoint, encrypted with the first key. */
const useEncryptedStore = async () => {
  const { sql, url } = await useDatabase();
  const secrets = await openSecretBox(sql, lostKey);
  for (const name of ['cursor', 'map']) await getOrCreateSecret(sql, secrets, name);
  await insertKeyIfMissing(sql, { name: 'tests', products: ['flight-info-alerts'], key: TEST_KEY });
  const { id: accountId, subscriptionId } = await insertSampleAccount(sql);
  const header = { name: 'X-Receiver', value: 'Bearer 1' };
  const settings = { url: 'https://a.test/', description: '', header, ordering: 'none', active: true } as const;
  const key = { signing: 'v1', key: `whsec_${Buffer.alloc(32, 7).toString('base64')}` } as const;
  const { id } = await sql.begin((transaction) =>
    insertEndpoint(transaction, { accountId, settings, ...key, after: 0, now: new Date(), secrets }),
  );
  return { sql, url, endpoint: { id, subscriptionId } };
};

test('a server on a store whose keys are gone ends with exit code 1, creates no key, and doctor reports it', async () => {
  const { sql, url } = await useEncryptedStore();
  await sql`delete from secret_key`;
  const message =
    'this store contains 4 encrypted secrets, and the table secret_key contains no key for them: ' +
    `restore this table from a backup, or see 'flightdata secrets discard' (${lostSecrets})`;
  const keys: readonly Environment[] = [{ SECRETS_KEY_FILE: newFile }, { SECRETS_KEY: 'none' }, { SECRETS_KEY: '' }];
  for (const env of keys) {
    const environment = { DATABASE_URL: url, PORT: '0', ...env };
    expect(await runCommand(['serve', '--demo'], environment)).toEqual({
      code: 1,
      out: '',
      err: `flightdata: ${message}\n`,
    });
    const doctor = await callCommand(['doctor'], environment);
    expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining(`FAIL secrets      ${message}\n`)]);
    expect(await callCommand(['secrets', 'status', '--json'], environment)).toEqual({
      code: 1,
      out: '',
      err: `flightdata: ${message}\n`,
    });
  }
  expect(await listSecretsKeys(sql)).toEqual([]);
});

test('an embedded store whose keys are gone gets no key file', async () => {
  const dataDir = join(folder, 'store');
  const environment = { DATA_DIR: dataDir };
  const hub = ['hub', 'server-config'];
  expect((await runCommand(hub, environment)).code).toBe(0);
  const store = await openEmbedded({ dataDir, applicationName: 'flightdata test', log: () => {} });
  await store.sql`delete from secret_key`;
  await store.close();
  rmSync(`${dataDir}.key`);
  const { code, err } = await runCommand(hub, environment);
  expect([code, err, existsSync(`${dataDir}.key`)]).toEqual([
    1,
    expect.stringContaining('this store contains 1 encrypted secrets, and the table secret_key contains no key'),
    false,
  ]);
});

test('doctor reports secrets that were encrypted with an earlier data key', async () => {
  const { sql, url, endpoint } = await useEncryptedStore();
  await sql`delete from secret where name = 'map'`;
  await sql`update secret set value = ${Buffer.alloc(32)}`;
  await sql`create temporary table kept as select * from push_key`;
  await sql`update push_key set key = 'whsec_plain'`;
  await sql`update push_endpoint set header_value = 'plain'`;
  await sql`delete from secret_key`;
  await openSecretBox(sql, newKey);
  await sql`update push_key set key = (select key from kept) where endpoint_id = ${endpoint.id}`;
  const lost = `1 secrets of this store were encrypted with a key that the table secret_key no longer contains: restore this table`;
  const environment = { DATABASE_URL: url, SECRETS_KEY_FILE: newFile };
  const doctor = await callCommand(['doctor'], environment);
  expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining(`FAIL secrets      ${lost}`)]);
  expect((await callCommand(['hub', 'server-config'], environment)).err).toContain(`warning: ${lost}`);
  expect((await callCommand(['secrets', 'discard'], environment)).out).toBe(
    `lost: the signing keys of the endpoint ${endpoint.id} of tests\n` +
      'nothing is changed: run it again with --confirm to discard these secrets\n',
  );
});

test('secrets discard lets a store whose key is lost start again, with its endpoints paused', async () => {
  const { sql, url, endpoint } = await useEncryptedStore();
  const environment = { DATABASE_URL: url, SECRETS_KEY_FILE: newFile };
  const lost =
    `lost: the secret 'cursor' of the service\nlost: the secret 'map' of the service\n` +
    `lost: the signing keys and the header X-Receiver of the endpoint ${endpoint.id} of tests\n`;
  expect(await callCommand(['secrets', 'discard'], environment)).toEqual({
    code: 0,
    out: `${lost}nothing is changed: run it again with --confirm to discard these secrets\n`,
    err: '',
  });
  expect((await findEndpoint(sql, endpoint, await readSecretBox(sql, lostKey)))?.header?.value).toBe('Bearer 1');
  expect(await callCommand(['secrets', 'discard', '--confirm'], environment)).toEqual({
    code: 0,
    out: `${lost}these secrets are discarded; the endpoints are paused, and each needs a new secret\n`,
    err: '',
  });
  expect((await callCommand(['secrets', 'discard', '--confirm'], environment)).out).toBe('no secret is lost\n');
  expect((await callCommand(['doctor'], environment)).out).toContain(
    `ok   secrets      encrypted with the key ${toKeyId(newKey)}\n`,
  );
  const server = await startServerProcess([], environment);
  onTestFinished(() => server.kill());
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${server.base}/flight-info-alerts/endpoints${path}?version=v1`, {
      method,
      headers: { 'Subscription-Key': TEST_KEY, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    return response.json();
  };
  expect(await request('GET', `/${endpoint.id}`)).toMatchObject({ state: 'paused', headerName: null });
  expect(await request('POST', `/${endpoint.id}/secret/rotate`, {})).toMatchObject({
    secret: expect.stringMatching(/^whsec_/),
  });
});

test('a new store with DATABASE_URL needs a key, or SECRETS_KEY=none; an existing one without a key starts with a warning', async () => {
  const { sql, url } = await useDatabase();
  const required =
    "a new store needs a key for its secrets: create one with 'flightdata secrets create-key FILE' and set SECRETS_KEY_FILE, " +
    'or set SECRETS_KEY=none to store them unencrypted';
  const bare = { DATABASE_URL: url, PORT: '0', SECRETS_KEY: '' };
  expect((await callCommand(['doctor'], bare)).out).toContain(`warn secrets      ${required}\n`);
  for (const command of [
    ['serve', '--demo'],
    ['hub', 'server-config'],
  ])
    expect(await runCommand(command, bare)).toEqual({ code: 1, out: '', err: `flightdata: ${required}\n` });
  const [left] = await sql`
    select (select count(*) from secret) as secrets, (select count(*) from load) as loads,
      (select count(*) from subscription_key) as keys`;
  expect(left).toEqual({ secrets: 0n, loads: 0n, keys: 0n });

  const none = { ...bare, SECRETS_KEY: 'none' };
  expect(await runCommand(['hub', 'server-config'], none)).toMatchObject({ code: 0, err: '' });
  expect((await callCommand(['doctor'], none)).out).toContain(`ok   secrets      not encrypted: SECRETS_KEY is none\n`);

  const advised =
    'the secrets of this store are not encrypted: set SECRETS_KEY or SECRETS_KEY_FILE for all servers, or SECRETS_KEY=none if none is wanted';
  const server = startCommand(['serve', '--workers', '2'], bare);
  onTestFinished(() => void server.kill('SIGKILL'));
  const errors = text(server.stderr ?? Readable.from([]));
  await waitForOutput(server, /listening on/);
  server.kill('SIGTERM');
  // Once, and not by each worker.
  expect(await errors).toBe(`warning: ${advised}\n`);
  expect((await callCommand(['doctor'], bare)).out).toContain(`warn secrets      ${advised}\n`);
  expect(await runCommand(['hub', 'server-config'], bare)).toMatchObject({ code: 0, err: `warning: ${advised}\n` });
  expect(await listSecretsKeys(sql)).toEqual([]);
  expect(await getOrCreateSecret(sql, plainSecretBox, 'cursor')).toHaveLength(32);
});

test('secrets create-key that cannot write its file leaves none, so that it can be repeated', async () => {
  const file = join(folder, 'unwritten.key');
  const main = fileURLToPath(new URL('../../src/server/cli/main.ts', import.meta.url));
  // No file may have a byte.
  const limited = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, main, 'secrets', 'create-key', file];
  const child = spawn('sh', limited, { env: { ...createEnvironment({}), NODE_COMPILE_CACHE: '' }, stdio: 'pipe' });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const listFiles = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('unwritten.key'));
  expect([code, errors, listFiles()]).toEqual([1, expect.stringContaining('EFBIG'), []]);
  expect((await runCommand(['secrets', 'create-key', file], {})).code).toBe(0);
  expect(listFiles()).toEqual(['unwritten.key']);
});
