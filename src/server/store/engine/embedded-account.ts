import { readFile, stat } from 'node:fs/promises';

/** Another user of this machine, as whom PostgreSQL runs. */
export type UnixAccount = { readonly uid: number; readonly gid: number };

/**
 * Finds the user as whom PostgreSQL runs when this process is root, which PostgreSQL rejects: the owner of an existing cluster, else `postgres`,
 * `nobody`, or any other user. Undefined means the user of this process. No user is created: operators do not expect that of a service.
 */
export const findAccount = async (cluster: string, passwd = '/etc/passwd'): Promise<UnixAccount | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner && owner.uid > 0) return { uid: owner.uid, gid: owner.gid };
  const text = await readFile(passwd, 'utf8').catch(() => '');
  const account = chooseAccount(text);
  if (!account)
    throw new Error(
      `PostgreSQL does not run as root, and ${passwd} contains no other user; set DATABASE_URL to a PostgreSQL server instead`,
    );
  return account;
};

/** Chooses the best user for an unprivileged process from the text of a passwd file. */
export const chooseAccount = (passwd: string): UnixAccount | undefined => {
  const users = passwd.split('\n').flatMap((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return Number(uid) > 0 && Number(gid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
  const best = users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody') ?? users[0];
  return best && { uid: best.uid, gid: best.gid };
};
