import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConfiguredSecrets } from '#cli/shared/configured-secrets.ts';
import { readConfig } from '#config.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';

const { sql } = await sharedDatabase();
const config = readConfig({ DATA_DIR: join(createTemporaryFolder().folder, 'data') });

test('a process that opens an embedded store while another one creates its key finds the key', async () => {
  let isFirst = true;
  // The other process creates the file and the key just before the first query of this one.
  const late = new Proxy(sql, {
    apply: async (target, self, values): Promise<unknown> => {
      if (isFirst) {
        isFirst = false;
        const other = await openConfiguredSecrets(config, sql);
        sealed = other.seal('place', 'secret');
      }
      return Reflect.apply(target, self, values);
    },
  });
  let sealed = '';
  const box = await openConfiguredSecrets(config, late);
  expect([sealed === 'secret', box.open('place', sealed)]).toEqual([false, 'secret']);
});
