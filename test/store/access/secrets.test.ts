import { expect, test } from 'vitest';

import { openDatabase } from '../../../src/store/pool/database.ts';
import { getOrCreateSecret } from '../../../src/store/access/secrets.ts';
import { sharedDatabase } from '../../support/database.ts';

const fresh = await sharedDatabase();

test('a secret has 32 bytes, is the same at each call, and differs by name', async () => {
  const first = await getOrCreateSecret(fresh.sql, 'cursor');
  expect(first).toHaveLength(32);
  expect(await getOrCreateSecret(fresh.sql, 'cursor')).toEqual(first);
  expect(await getOrCreateSecret(fresh.sql, 'webhook')).not.toEqual(first);
});

test('concurrent first calls return the same secret', async () => {
  const pools = [1, 2, 3, 4].map(() => openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: 2 }));
  const secrets = await Promise.all(
    pools.flatMap((sql) => [getOrCreateSecret(sql, 'race'), getOrCreateSecret(sql, 'race')]),
  );
  await Promise.all(pools.map((sql) => sql.end()));
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1);
});
