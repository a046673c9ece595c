import { createServer } from 'node:http';
import { once } from 'node:events';
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { verifyWebhook } from '#client/verify-webhook.ts';
import { toKeyId } from '#lib/secret-box.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { startServerProcess } from '#test/faults/support/server-process.ts';
import { profile } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { callCommand } from './call-command.ts';
import { runCommand } from './run-command.ts';

const { sql, url } = await sharedDatabase();
await insertKeyIfMissing(sql, { name: 'tests', products: ['flight-info-alerts'], key: TEST_KEY });
const { folder } = createTemporaryFolder();
const [oldFile, newFile] = [join(folder, 'old.key'), join(folder, 'new.key')];

const flightdata = (args: readonly string[], file?: string) =>
  callCommand(args, { DATABASE_URL: url, ...(file !== undefined && { SECRETS_KEY_FILE: file }) });
const idOf = (file: string): string => toKeyId(Buffer.from(readFileSync(file, 'utf8').trim(), 'base64'));
const serve = async (file: string, receiver: { readonly port: number }) => {
  const server = await startServerProcess([], {
    DATABASE_URL: url,
    SECRETS_KEY_FILE: file,
    WEBHOOK_ALLOW: `http://127.0.0.1:${receiver.port}`,
  });
  onTestFinished(async () => {
    await server.kill();
  });
  return server;
};

const headers = { 'Subscription-Key': TEST_KEY, 'Content-Type': 'application/json' };
const post = async <T>(base: string, path: string, body?: object): Promise<T> => {
  const response = await fetch(`${base}/flight-info-alerts${path}?version=v1`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body ?? {}),
  });
  const text = await response.text();
  expect([response.ok, path, text]).toEqual([true, path, text]);
  return JSON.parse(text);
};

/** Starts a receiver that keeps the last request. */
const startReceiver = async () => {
  let last: { readonly headers: Headers; readonly body: string } | undefined;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
    request.on('end', () => {
      last = { headers: new Headers(request.headers as Record<string, string>), body };
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/`, last: () => last };
};

test('secrets of endpoints are encrypted, sign deliveries, and survive a rotation of the key without a pause', async () => {
  expect(await flightdata(['secrets', 'create-key', oldFile])).toMatchObject({
    code: 0,
    out: `${oldFile}: key ${idOf(oldFile)}\n`,
  });
  await flightdata(['secrets', 'create-key', newFile]);
  expect(statSync(oldFile).mode & 0o777).toBe(0o600);
  const receiver = await startReceiver();
  const first = await serve(oldFile, receiver);
  const { accountId } = await post<{ accountId: string }>(first.base, '/profile', profile);
  const header = { name: 'X-Receiver', value: 'Bearer receiver-password' };
  const { endpointId, secret } = await post<{ endpointId: string; secret: string }>(first.base, '/endpoints', {
    accountId,
    url: receiver.url,
    header,
  });
  const [stored] = await sql`select key, header_value as value from push_endpoint join push_key on endpoint_id = id`;
  expect(`${stored?.['key']} ${stored?.['value']}`).not.toMatch(/undefined|whsec_|receiver-password/);

  const checkDelivery = async (base: string): Promise<void> => {
    await post(base, `/endpoints/${endpointId}/ping`);
    const request = receiver.last();
    expect(request?.headers.get('x-receiver')).toBe('Bearer receiver-password');
    const event = await verifyWebhook({
      headers: request?.headers ?? new Headers(),
      body: request?.body ?? '',
      secrets: [secret],
    });
    expect(event.documentType).toBe('Test');
    await sql`update push_endpoint set pinged_until = null`;
  };
  await checkDelivery(first.base);

  expect(await flightdata(['secrets', 'rotate', newFile], oldFile)).toEqual({
    code: 0,
    err: '',
    out:
      `the keys ${idOf(oldFile)} and ${idOf(newFile)} both open the secrets\n` +
      `restart each server with the new key, then run 'flightdata secrets retire' with it\n`,
  });
  const second = await serve(newFile, receiver);
  await checkDelivery(first.base);
  await checkDelivery(second.base);
  expect((await flightdata(['doctor'], oldFile)).out).toContain(
    `warn secrets      the keys ${idOf(oldFile)} and ${idOf(newFile)} open the secrets: after a rotation run 'flightdata secrets retire'`,
  );
  expect((await flightdata(['secrets', 'retire'], newFile)).out).toBe(
    `retired: ${idOf(oldFile)}\nthe key ${idOf(newFile)} opens the secrets\n`,
  );
  expect((await flightdata(['secrets', 'status'], newFile)).out).toMatch(/^[0-9a-f]{8}\t\S+\tconfigured\n$/);
  await checkDelivery(first.base);
  await checkDelivery(second.base);
});

test.each([
  ['0640', 0o640],
  ['0604', 0o604],
])('doctor and serve warn of a key file of the mode %s, which others can read', async (text, mode) => {
  const warning = (file: string): string =>
    `other users than the owner can read the key of the secrets: '${file}' has the mode ${text}; set it to 0600`;
  const before = await flightdata(['doctor'], newFile);
  chmodSync(newFile, mode);
  onTestFinished(() => chmodSync(newFile, 0o600));
  const after = await flightdata(['doctor'], newFile);
  expect([before.out.includes('key file'), after.out]).toEqual([
    false,
    expect.stringContaining(`warn key file     ${warning(newFile)}\n`),
  ]);
  // A server warns before it opens the secrets, which the old key no longer opens.
  chmodSync(oldFile, mode);
  onTestFinished(() => chmodSync(oldFile, 0o600));
  const { err } = await runCommand(['serve'], { DATABASE_URL: url, PORT: '0', SECRETS_KEY_FILE: oldFile });
  expect(err).toContain(`warning: ${warning(oldFile)}\n`);
});

test('a server with the wrong key, and one without a key, do not start', async () => {
  const encrypted = `the secrets of this store are encrypted with the key ${idOf(newFile)}`;
  const advice = 'set SECRETS_KEY or SECRETS_KEY_FILE to that key';
  const environment = { DATABASE_URL: url, PORT: '0' };
  expect(await runCommand(['serve'], { ...environment, SECRETS_KEY_FILE: oldFile })).toMatchObject({
    code: 1,
    err: expect.stringContaining(`flightdata: ${encrypted}, and the given key is ${idOf(oldFile)}: ${advice}\n`),
  });
  expect(await runCommand(['serve'], environment)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`flightdata: ${encrypted}: ${advice}\n`),
  });
  expect((await flightdata(['doctor'], oldFile)).out).toContain(`FAIL secrets      ${encrypted}`);
});

test.each([
  [
    'SECRETS_KEY of another form',
    { SECRETS_KEY: 'short' },
    'SECRETS_KEY must be 32 bytes as Base64 or as 64 hexadecimal digits',
  ],
  [
    'a file that is absent',
    { SECRETS_KEY_FILE: '/nope.key' },
    "SECRETS_KEY_FILE: the file '/nope.key' cannot be read (ENOENT)",
  ],
  [
    'a file without a key',
    { SECRETS_KEY_FILE: join(folder, 'empty.key') },
    'must contain 32 bytes as Base64 or hexadecimal digits',
  ],
  [
    'both variables',
    { SECRETS_KEY: 'ab'.repeat(32), SECRETS_KEY_FILE: newFile },
    'SECRETS_KEY and SECRETS_KEY_FILE are both set',
  ],
])('%s is an error that shows no key', async (_, variables, message) => {
  writeFileSync(join(folder, 'empty.key'), 'not-a-key\n');
  const { code, err } = await callCommand(['secrets', 'rotate', newFile], { DATABASE_URL: url, ...variables });
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  expect(err).not.toMatch(/short|not-a-key|abab/);
});

test('a rotation to the configured key is an error', async () => {
  const { code, err } = await callCommand(['secrets', 'rotate', newFile], {
    DATABASE_URL: url,
    SECRETS_KEY_FILE: newFile,
  });
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/flightdata: the new key [0-9a-f]{8} is the configured one\n/),
  ]);
});

test('an embedded store has a key file beside its data, without which it does not open', async () => {
  const dataDir = join(folder, 'store');
  const environment = { DATA_DIR: dataDir };
  const config = ['hub', 'server-config'];
  const { code, out } = await runCommand(config, environment);
  const [mode, text] = [statSync(`${dataDir}.key`).mode & 0o777, readFileSync(`${dataDir}.key`, 'utf8')];
  expect([code, mode, text]).toEqual([0, 0o600, expect.stringMatching(/^[A-Za-z0-9+/]{43}=\n$/)]);
  rmSync(`${dataDir}.key`);
  const { err } = await runCommand(config, environment);
  expect(err).toContain(`: restore the file ${dataDir}.key, or set SECRETS_KEY or SECRETS_KEY_FILE\n`);
  const again = await runCommand(config, { ...environment, SECRETS_KEY: text.trim() });
  // The keys of the hub are derived from a secret of the store.
  const operatorOf = (configuration: string): unknown =>
    JSON.parse(atob(/^operator: [^.]+\.([\w-]+)/m.exec(configuration)?.[1] ?? '')).iss;
  expect([again.code, operatorOf(again.out)]).toEqual([0, operatorOf(out)]);
});
