import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConfiguredSecrets } from '#cli/shared/configured-secrets.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import { readConfig } from '#config.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';

const { sql } = await sharedDatabase();
const config = readConfig({ DATA_DIR: join(createTemporaryFolder().folder, 'data') });

test('a process that opens an embedded store while another one creates its key finds the key', async () => {
  let other: Promise<SecretBox> | undefined;
  // The other process creates the file and the key just before the first query of this one.
  const late = new Proxy(sql, {
    // Queries run when they are awaited; a fragment of another query never is.
    apply: (target, self, values): unknown =>
      new Proxy<object>(Reflect.apply(target, self, values), {
        get: (query, name) => {
          const member: unknown = Reflect.get(query, name);
          if (name !== 'then' || typeof member !== 'function') return member;
          return async (...callbacks: readonly unknown[]): Promise<unknown> => {
            await (other ??= openConfiguredSecrets(config, sql));
            return Reflect.apply(member, query, callbacks);
          };
        },
      }),
  });
  const box = await openConfiguredSecrets(config, late);
  const sealed = (await other)?.seal('place', 'secret') ?? '';
  expect([sealed === 'secret', box.open('place', sealed)]).toEqual([false, 'secret']);
});
