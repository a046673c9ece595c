import { expect, test } from 'vitest';
import { plainSecretBox } from '#lib/secret-box.ts';
import { openDatabase } from '#store/pool/database.ts';
import { getOrCreateSecret } from '#store/access/secrets.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { sql, url } = await sharedDatabase();

test('a secret has 32 bytes, is the same at each call, also concurrently, and differs by name', async () => {
  const other = openDatabase({ url, applicationName: 'flightdata-test', max: 4 });
  const pools = [sql, other, sql, other];
  const secrets = await Promise.all(pools.map((pool) => getOrCreateSecret(pool, plainSecretBox, 'cursor')));
  await other.end();
  const [first] = secrets;
  expect(first).toHaveLength(32);
  expect([...secrets, await getOrCreateSecret(sql, plainSecretBox, 'cursor')]).toEqual([
    first,
    first,
    first,
    first,
    first,
  ]);
  expect(await getOrCreateSecret(sql, plainSecretBox, 'webhook')).not.toEqual(first);
});
