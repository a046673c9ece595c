import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseAccount, findAccount } from '#store/engine/embedded-account.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';

const { folder, write } = createTemporaryFolder();
const passwd = (...lines: readonly string[]): string => ['root:x:0:0:root:/root:/bin/bash', ...lines, ''].join('\n');
const daemon = 'daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin';
const nobodyLine = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin';
const postgres = 'postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash';

test('PostgreSQL runs as the user postgres, else as nobody, else as any other user that is not root', () => {
  expect(chooseAccount(passwd(daemon, nobodyLine, postgres))).toEqual({ uid: 101, gid: 104 });
  expect(chooseAccount(passwd(daemon, nobodyLine))).toEqual({ uid: 65534, gid: 65534 });
  expect(chooseAccount(passwd(daemon))).toEqual({ uid: 1, gid: 1 });
});

test('root is never selected, nor a user in the group of root, nor a line without a user', () => {
  const lines = ['toor:x:0:0::/:/bin/sh', 'sync:x:4:0:sync:/bin:/bin/sync', '# comment', 'broken:x:'];
  expect(chooseAccount(passwd(...lines))).toBeUndefined();
});

test.runIf(process.getuid?.() === 0)('with root as the only user, the error describes the workaround', async () => {
  const found = findAccount(join(folder, 'none'), write('passwd', passwd()));
  await expect(found).rejects.toThrow(/contains no other user; set DATABASE_URL/);
});

test.runIf(process.getuid?.() !== 0)('a user other than root runs it directly', async () => {
  expect(await findAccount('/')).toBeUndefined();
});
