import { readFile, stat } from 'node:fs/promises';

/** Another user of this machine, in whose name PostgreSQL is to run. */
export type UnixAccount = { readonly uid: number; readonly gid: number };

/**
 * PostgreSQL refuses to run as root. Answers whom it runs as then: the owner of a cluster that is already there, else the user
 * `postgres`, `nobody`, or any other of the machine. Undefined means this process's own user, who is not root.
 * The user is not made by us: a service that adds users to a machine would surprise its operator.
 */
export const findAccount = async (cluster: string, passwd = '/etc/passwd'): Promise<UnixAccount | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner && owner.uid > 0) return { uid: owner.uid, gid: owner.gid };
  const text = await readFile(passwd, 'utf8').catch(() => '');
  const account = chooseAccount(text);
  if (!account)
    throw new Error(
      `PostgreSQL does not run as root, and ${passwd} names no other user; set DATABASE_URL to a PostgreSQL server instead`,
    );
  return account;
};

/** The best entry of the text of a passwd file for an unprivileged process, if it has any. */
export const chooseAccount = (passwd: string): UnixAccount | undefined => {
  const users = passwd.split('\n').flatMap((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return Number(uid) > 0 && Number(gid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
  const best = users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody') ?? users[0];
  return best && { uid: best.uid, gid: best.gid };
};
