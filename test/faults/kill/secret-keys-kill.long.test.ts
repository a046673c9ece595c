/* Commands and servers that change the keys of the secrets at the same time, or are killed midway. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { beforeEach, afterEach, expect, test } from 'vitest';
import { plainSecretBox, toKeyId } from '#lib/secret-box.ts';
import { addSecretsKey, listSecretsKeys, openSecretBox, readSecretBox } from '#store/access/secret-keys.ts';
import { getOrCreateSecret } from '#store/access/secrets.ts';
import { runCommand, startCommand, type Environment } from '#test/cli/run-command.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';
import { holdAfter, untilRolledBack, untilWaiting } from '#test/support/held-statements.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';

const { write } = createTemporaryFolder();
const [first, second, third] = [1, 2, 3].map((byte) => {
  const key = Buffer.alloc(32, byte);
  return { key, id: toKeyId(key), file: write(`${byte}.key`, key.toString('base64')) };
}) as [TestKey, TestKey, TestKey];
type TestKey = { readonly key: Buffer; readonly id: string; readonly file: string };

let fresh: FreshDatabase;
beforeEach(async () => {
  fresh = await freshDatabase();
});
afterEach(() => fresh.drop());

const listKeyIds = async (): Promise<readonly string[]> => (await listSecretsKeys(fresh.sql)).map(({ keyId }) => keyId);
const environmentOf = ({ file }: TestKey): Environment => ({ DATABASE_URL: fresh.url, SECRETS_KEY_FILE: file });

/** Encrypts a secret with the first key and returns it. */
const createEncryptedSecret = async (): Promise<Buffer> =>
  getOrCreateSecret(fresh.sql, await openSecretBox(fresh.sql, first.key), 'cursor');

test('of two secrets retire with different keys at the same time, one succeeds and its key opens the secrets', async () => {
  const secret = await createEncryptedSecret();
  await addSecretsKey(fresh.sql, { key: first.key, newKey: second.key });
  const release = await holdAfter(fresh.sql, 'delete', 'secret_key');
  const running = [first, second].map((key) => runCommand(['secrets', 'retire'], environmentOf(key)));
  await untilWaiting(fresh.sql, 2);
  await release();
  const results = await Promise.all(running);
  const [kept = ''] = await listKeyIds();
  const [winner, loser] = kept === first.id ? [first, second] : [second, first];
  const [won, lost] = kept === first.id ? results : results.toReversed();
  expect(await listKeyIds()).toEqual([winner.id]);
  expect(won).toEqual({
    code: 0,
    out: `retired: ${loser.id}\nthe key ${winner.id} opens the secrets\n`,
    err: '',
  });
  expect(lost).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining(
      `flightdata: the secrets of this store are encrypted with the key ${winner.id}, and the given key is ${loser.id}`,
    ),
  });
  const doctor = await runCommand(['doctor'], environmentOf(winner));
  expect([doctor.code, doctor.out]).toEqual([
    0,
    expect.stringContaining(`ok   secrets      encrypted with the key ${kept}`),
  ]);
  expect(await getOrCreateSecret(fresh.sql, await readSecretBox(fresh.sql, winner.key), 'cursor')).toEqual(secret);
});

test('a rotation during secrets retire fails, and a key that opens the secrets is left', async () => {
  const secret = await createEncryptedSecret();
  await addSecretsKey(fresh.sql, { key: first.key, newKey: second.key });
  const release = await holdAfter(fresh.sql, 'delete', 'secret_key');
  const retiring = runCommand(['secrets', 'retire'], environmentOf(second));
  await untilWaiting(fresh.sql, 1);
  const rotating = runCommand(['secrets', 'rotate', third.file], environmentOf(first));
  await untilWaiting(fresh.sql, 2);
  await release();
  expect([(await retiring).code, (await rotating).code, await listKeyIds()]).toEqual([0, 1, [second.id]]);
  expect(await getOrCreateSecret(fresh.sql, await readSecretBox(fresh.sql, second.key), 'cursor')).toEqual(secret);
});

test.each([
  { args: ['secrets', 'rotate', third.file], event: 'insert', key: first },
  { args: ['secrets', 'retire'], event: 'delete', key: second },
] as const)('$args that is killed midway changes no key', async ({ args, event, key }) => {
  const secret = await createEncryptedSecret();
  await addSecretsKey(fresh.sql, { key: first.key, newKey: second.key });
  const release = await holdAfter(fresh.sql, event, 'secret_key');
  const command = startCommand(args, environmentOf(key));
  await untilWaiting(fresh.sql, 1);
  command.kill('SIGKILL');
  await once(command, 'close');
  await release();
  await untilRolledBack(fresh.sql);
  expect(await listKeyIds()).toEqual([first.id, second.id]);
  for (const one of [first, second])
    expect(await getOrCreateSecret(fresh.sql, await readSecretBox(fresh.sql, one.key), 'cursor')).toEqual(secret);
});

test('a server that is killed while it encrypts the secrets of a store leaves them as they were', async () => {
  const secret = await getOrCreateSecret(fresh.sql, plainSecretBox, 'cursor');
  const release = await holdAfter(fresh.sql, 'update', 'secret');
  const server = startCommand(['serve', '--port', '0'], environmentOf(first));
  await untilWaiting(fresh.sql, 1);
  server.kill('SIGKILL');
  await once(server, 'close');
  await release();
  await untilRolledBack(fresh.sql);
  expect(await listKeyIds()).toEqual([]);
  expect(await getOrCreateSecret(fresh.sql, plainSecretBox, 'cursor')).toEqual(secret);
});

test('of two servers that start on a new store with different keys, one listens and the other ends with exit code 1', async () => {
  const release = await holdAfter(fresh.sql, 'insert', 'secret_key');
  const servers = [first, second].map((key) => startCommand(['serve', '--port', '0'], environmentOf(key)));
  const errors = servers.map(({ stderr }) => text(stderr ?? Readable.from([])));
  await untilWaiting(fresh.sql, 2);
  await release();
  const ended = await Promise.race(servers.map(async (server, index) => [index, await once(server, 'close')] as const));
  const [keyId = ''] = await listKeyIds();
  const loser = keyId === first.id ? 1 : 0;
  expect([ended, await listKeyIds()]).toEqual([[loser, [1, null]], [keyId]]);
  expect(await errors[loser]).toContain(
    `the secrets of this store are encrypted with the key ${keyId}, and the given key is ${[first, second][loser]?.id}`,
  );
  const winner = servers[1 - loser];
  winner?.kill('SIGTERM');
  expect(winner && (await once(winner, 'close'))).toEqual([0, null]);
});
