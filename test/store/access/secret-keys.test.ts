import { expect, test } from 'vitest';
import { plainSecretBox, SecretsKeyError, toKeyId } from '#lib/secret-box.ts';
import { getOrCreateSecret } from '#store/access/secrets.ts';
import {
  addSecretsKey,
  listSecretsKeys,
  openSecretBox,
  readSecretBox,
  retireOtherSecretsKeys,
} from '#store/access/secret-keys.ts';
import { findEndpoint, insertEndpoint } from '#store/deliveries/endpoints.ts';
import { insertSampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { freshDatabase } from '#test/support/database.ts';
import type { Database } from '#store/pool/database.ts';

const [first, second, other] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];

const usePlainStore = async () => {
  const { sql, drop } = await freshDatabase();
  const account = await insertSampleAccount(sql);
  const settings = {
    url: 'https://a.test/',
    description: '',
    header: { name: 'X-Auth', value: 'Bearer 1' },
    ordering: 'none' as const,
    active: true,
  };
  const { id } = await sql.begin((transaction) =>
    insertEndpoint(transaction, {
      accountId: account.id,
      settings,
      signing: 'v1',
      key: 'whsec_first',
      after: 0,
      now: new Date(),
      secrets: plainSecretBox,
    }),
  );
  const cursor = await getOrCreateSecret(sql, plainSecretBox, 'cursor');
  return { sql, drop, cursor, owned: { id, subscriptionId: account.subscriptionId } };
};

/** Everything that a backup of the tables with secrets contains. */
const dumpSecrets = async (sql: Database): Promise<string> => {
  const rows = await sql`
    select key from push_key union all select header_value from push_endpoint union all select encode(value, 'base64') from secret`;
  return JSON.stringify(rows);
};

test('the first key encrypts what is stored, and every process with it reads the same secrets', async () => {
  const { sql, drop, cursor, owned } = await usePlainStore();
  const boxes = await Promise.all([openSecretBox(sql, first), openSecretBox(sql, first)]);
  const stored = await dumpSecrets(sql);
  for (const secret of ['whsec_first', 'Bearer 1', cursor.toString('base64')]) expect(stored).not.toContain(secret);
  for (const box of [...boxes, await readSecretBox(sql, first)]) {
    expect(await getOrCreateSecret(sql, box, 'cursor')).toEqual(cursor);
    const endpoint = await findEndpoint(sql, owned, box);
    expect([endpoint?.header?.value, endpoint?.keys.map(({ key }) => key)]).toEqual(['Bearer 1', ['whsec_first']]);
  }
  await drop();
});

test('a store with encrypted secrets opens with its key only', async () => {
  const { sql, drop } = await usePlainStore();
  await openSecretBox(sql, first);
  const id = toKeyId(first);
  const encrypted = `the secrets of this store are encrypted with the key ${id}`;
  await expect(openSecretBox(sql, undefined)).rejects.toEqual(new SecretsKeyError(encrypted));
  await expect(openSecretBox(sql, other)).rejects.toEqual(
    new SecretsKeyError(`${encrypted}, and the given key is ${toKeyId(other)}`),
  );
  await sql`update secret_key set wrapped = set_byte(wrapped, 20, get_byte(wrapped, 20) # 1)`;
  await expect(openSecretBox(sql, first)).rejects.toThrow(`the key ${id} does not open it`);
  await drop();
});

test('a rotation changes no secret: both keys open the store until the old one is retired', async () => {
  const { sql, drop, cursor } = await usePlainStore();
  const running = await openSecretBox(sql, first);
  const before = await dumpSecrets(sql);
  await addSecretsKey(sql, { key: first, newKey: second });
  expect((await listSecretsKeys(sql)).map(({ keyId }) => keyId)).toEqual([toKeyId(first), toKeyId(second)]);
  for (const key of [first, second])
    expect(await getOrCreateSecret(sql, await openSecretBox(sql, key), 'cursor')).toEqual(cursor);
  expect(await retireOtherSecretsKeys(sql, second)).toEqual([toKeyId(first)]);
  await expect(openSecretBox(sql, first)).rejects.toThrow(SecretsKeyError);
  // A server that has opened the store before goes on.
  expect(await getOrCreateSecret(sql, running, 'cursor')).toEqual(cursor);
  expect(await dumpSecrets(sql)).toBe(before);
  await drop();
});

test('of two processes that retire the key of each other at the same time, one fails and one key is left', async () => {
  const { sql, drop, cursor } = await usePlainStore();
  await openSecretBox(sql, first);
  await addSecretsKey(sql, { key: first, newKey: second });
  const { retired } = await sql.begin(async (lock) => {
    await lock`lock table secret_key in share mode`;
    const retiring = [first, second].map((key) => retireOtherSecretsKeys(sql, key));
    // Of another connection: a transaction sees the first result only.
    const listBlocked = () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await listBlocked()).length < 2);
    return { retired: Promise.allSettled(retiring) };
  });
  const settled = await retired;
  const [kept] = await listSecretsKeys(sql);
  const [winner, loser] = kept?.keyId === toKeyId(first) ? [first, second] : [second, first];
  expect(winner === first ? settled : settled.toReversed()).toEqual([
    { status: 'fulfilled', value: [toKeyId(loser)] },
    {
      status: 'rejected',
      reason: new SecretsKeyError(
        `the secrets of this store are encrypted with the key ${toKeyId(winner)}, and the given key is ${toKeyId(loser)}`,
      ),
    },
  ]);
  expect(await getOrCreateSecret(sql, await readSecretBox(sql, winner), 'cursor')).toEqual(cursor);
  await drop();
});

test.each([
  ['with a key', first],
  ['without a key', undefined],
])('a store with encrypted secrets and no key for them does not open %s, and gets no new key', async (_, key) => {
  const { sql, drop } = await usePlainStore();
  await openSecretBox(sql, first);
  await sql`delete from secret_key`;
  const before = await dumpSecrets(sql);
  const lost = new SecretsKeyError(
    'this store contains 3 encrypted secrets, and the table secret_key contains no key for them',
  );
  await expect(openSecretBox(sql, key)).rejects.toEqual(lost);
  await expect(readSecretBox(sql, key)).rejects.toEqual(lost);
  expect([await listSecretsKeys(sql), await dumpSecrets(sql)]).toEqual([[], before]);
  await drop();
});

test('an encrypted value that is copied to another endpoint is not accepted there', async () => {
  const { sql, drop, owned } = await usePlainStore();
  const box = await openSecretBox(sql, first);
  const account = await sql`select account_id from push_endpoint`;
  const settings = {
    url: 'https://b.test/',
    description: '',
    header: undefined,
    ordering: 'none' as const,
    active: true,
  };
  const victim = await sql.begin((transaction) =>
    insertEndpoint(transaction, {
      accountId: String(account[0]?.['account_id']),
      settings,
      signing: 'v1',
      key: 'whsec_second',
      after: 0,
      now: new Date(),
      secrets: box,
    }),
  );
  await sql`update push_key set key = (select key from push_key where endpoint_id = ${owned.id}) where endpoint_id = ${victim.id}`;
  await expect(findEndpoint(sql, { ...owned, id: victim.id }, box)).rejects.toThrow(
    `push_key ${victim.id} cannot be decrypted: it was changed, moved, or encrypted with another key`,
  );
  await drop();
});
