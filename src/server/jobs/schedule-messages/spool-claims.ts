import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { getErrorCode } from '#lib/error-code.ts';

/** A watcher shows that it is alive this often, and is taken for dead after the second time, milliseconds. */
const HEARTBEAT_MS = 5_000;
const DEAD_AFTER_MS = 60_000;

/** Its time of modification shows when a watcher was alive, by the clock of the file system. */
const HEARTBEAT_FILE = '.alive';
const REPLY_PREFIX = '.reply-';
const UNFINISHED_REPLY = '.unfinished-reply';

const isProcessAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user.
    return getErrorCode(error) === 'EPERM';
  }
};

/** A file in the folder of a watcher. */
export type ClaimedFile = {
  /** Its name in the spool. */
  readonly name: string;
  readonly path: string;
  /** Where its replies wait until the file has been moved. */
  readonly replyPath: string;
};

const toClaimedFile = (folder: string, entry: string): ClaimedFile => ({
  name: entry.slice(entry.indexOf('~') + 1),
  path: join(folder, entry),
  replyPath: join(folder, `${REPLY_PREFIX}${entry}`),
});

/** Writes the replies of a file beside it, completely or not at all. */
export const stageReply = async ({ path, replyPath }: ClaimedFile, text: string): Promise<void> => {
  const unfinished = join(path, '..', UNFINISHED_REPLY);
  await writeFile(unfinished, text, { flush: true });
  await rename(unfinished, replyPath);
};

/** Removes the folder of a watcher unless it has files. Returns whether it did. */
const removeIfEmpty = async (folder: string): Promise<boolean> => {
  const entries = await readdir(folder).catch(() => []);
  if (entries.some((entry) => entry !== HEARTBEAT_FILE && entry !== UNFINISHED_REPLY)) return false;
  for (const entry of entries) await rm(join(folder, entry), { force: true });
  await rmdir(folder).catch(() => {});
  return true;
};

/**
 * The files that a watcher has claimed, in a folder of its own below `working`. A claim is a rename: of two watchers one gets the file, and a file
 * that the gateway writes again under the same name is another file.
 */
export class SpoolClaims {
  readonly #working: string;
  readonly #host = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-');
  readonly #name: string;
  readonly #folders: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(directory: string) {
    this.#working = join(directory, 'working');
    this.#name = `${this.#host}.${process.pid}.${randomUUID().slice(0, 8)}`;
  }

  /** Lists the folders of watchers that have ended without closing them. */
  async listAbandoned(): Promise<readonly string[]> {
    const names = (await readdir(this.#working)).filter((name) => !name.startsWith('.'));
    const abandoned: string[] = [];
    for (const name of names) if (await this.#isAbandoned(name)) abandoned.push(name);
    return abandoned;
  }

  /** Creates the folder of this watcher and keeps it alive until `close`. */
  async open(): Promise<void> {
    await this.#addFolder(join(this.#working, this.#name), async (folder) => {
      await mkdir(folder);
    });
    this.#timer = setInterval(() => void this.#beat(), HEARTBEAT_MS).unref();
  }

  /** Removes the folders without files. Those with files are left for the next watcher. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const folder of this.#folders) await removeIfEmpty(folder);
  }

  /** Removes the folders that were taken over and whose files have all been moved: a watcher that is killed leaves none of them. */
  async removeTakenOver(): Promise<void> {
    for (const folder of this.#folders.splice(1)) if (!(await removeIfEmpty(folder))) this.#folders.push(folder);
  }

  /** Claims a file of the spool; undefined when another watcher has it, or it has vanished. */
  async claim(path: string, name: string): Promise<ClaimedFile | undefined> {
    this.#count += 1;
    const file = toClaimedFile(this.#folders[0] ?? '', `${this.#count}~${name}`);
    try {
      await rename(path, file.path);
      return file;
    } catch (error) {
      if (getErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Takes over the folder of another watcher as a whole, and lists its files. Of two watchers one gets it. */
  async takeOver(name: string): Promise<readonly ClaimedFile[]> {
    const folder = join(this.#working, `${this.#name}.from.${randomUUID().slice(0, 8)}`);
    try {
      await this.#addFolder(folder, () => rename(join(this.#working, name), folder));
    } catch (error) {
      if (getErrorCode(error) === 'ENOENT') return [];
      throw error;
    }
    const entries = await readdir(folder);
    const names = entries.flatMap((entry) => {
      if (entry === HEARTBEAT_FILE || entry === UNFINISHED_REPLY) return [];
      return entry.startsWith(REPLY_PREFIX) ? entry.slice(REPLY_PREFIX.length) : entry;
    });
    return [...new Set(names)].toSorted().map((entry) => toClaimedFile(folder, entry));
  }

  async #addFolder(folder: string, create: (folder: string) => Promise<void>): Promise<void> {
    await create(folder);
    this.#folders.push(folder);
    await this.#beat();
  }

  async #beat(): Promise<void> {
    for (const folder of this.#folders) await writeFile(join(folder, HEARTBEAT_FILE), '.').catch(() => {});
  }

  async #isAbandoned(name: string): Promise<boolean> {
    const [host, pid] = name.split('.');
    if (host === this.#host && !isProcessAlive(Number(pid))) return true;
    // Compared with a file written now, because the clock of the file system can be another one.
    const now = join(this.#working, `.now-${this.#name}`);
    await writeFile(now, '.');
    const [other, own] = await Promise.all(
      [join(this.#working, name, HEARTBEAT_FILE), now].map((path) => stat(path).catch(() => undefined)),
    );
    await rm(now, { force: true });
    // A folder without a heartbeat is being created or removed.
    return other !== undefined && own !== undefined && own.mtimeMs - other.mtimeMs > DEAD_AFTER_MS;
  }
}
