import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openSecretBox } from '#store/access/secret-keys.ts';
import { getOrCreateSecret } from '#store/access/secrets.ts';
import { openEmbedded } from '#store/engine/embedded.ts';
import { migrate } from '#store/schema/migrate.ts';
import type { Database } from '#store/pool/database.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { startServerProcess } from '#test/faults/support/server-process.ts';
import { freePort } from '#test/support/free-port.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { startCommand, type CommandResult, type Environment } from '../run-command.ts';

const { sql, url } = await sharedDatabase();
const { folder, write } = createTemporaryFolder();
const dataDir = join(folder, 'data');

const key = Buffer.alloc(32, 1);
const keyFile = write('store.key', key.toString('base64'));
const otherKeyFile = write('other.key', Buffer.alloc(32, 2).toString('base64'));
const busy = createServer().listen(0, '127.0.0.1');
await once(busy, 'listening');
afterAll(() => void busy.close());
const busyPort = String((busy.address() as AddressInfo).port);

/** What makes a start fail at one of its steps, and its error. */
type Failure = {
  readonly step: string;
  readonly env?: Environment;
  readonly args?: readonly string[];
  /** Statements before the start, and those that undo them. */
  readonly damage?: string;
  readonly repair?: string;
  /** A pattern of the message. */
  readonly error: string;
};

/** Hides a table from the step that needs it. */
const without = (table: string): Pick<Failure, 'damage' | 'repair' | 'error'> => ({
  damage: `alter table ${table} rename to hidden`,
  repair: `alter table hidden rename to ${table}`,
  error: `relation "${table}" does not exist`,
});

/** Makes an encrypted secret of the service unreadable. */
const withUnreadable = (name: string): Pick<Failure, 'damage' | 'repair' | 'error'> => {
  const change = `update secret set value = set_byte(value, 60, get_byte(value, 60) # 1) where name = '${name}'`;
  return { damage: change, repair: change, error: `secret ${name} cannot be decrypted` };
};

/** Runs a server that is expected to end by itself. */
const runServer = async (args: readonly string[], env: Environment): Promise<CommandResult> => {
  const child = startCommand(['serve', ...args], env);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, err] = [child.stdout, child.stderr].map((stream) => text(stream ?? Readable.from([])));
  const [code] = await once(child, 'close');
  return { code, out: (await out) ?? '', err: (await err) ?? '' };
};

const isListening = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return outcome;
};

/** Starts a server that fails, and returns how it ended and whether its ports are open then. */
const runFailure = async (
  db: Database,
  { args = [], env = {}, damage, repair }: Omit<Failure, 'step' | 'error'>,
  store: Environment,
) => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  if (damage !== undefined) await db.unsafe(damage);
  try {
    const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) };
    const { code, out, err } = await runServer(args, { SECRETS_KEY_FILE: keyFile, ...store, ...ports, ...env });
    const hasListened = out.includes('listening on');
    return { code, err, hasListened, open: [await isListening(port), await isListening(metricsPort)] };
  } finally {
    if (repair !== undefined) await db.unsafe(repair);
  }
};

/** A server that ended by itself, with its error as the last line. */
const failedWith = (error: string) => ({
  code: 1,
  err: expect.stringMatching(new RegExp(`^flightdata: .*${error}.*\n$`, 'm')),
  hasListened: false,
  open: [false, false],
});

const fillStore = async (db: Database): Promise<void> => {
  const secrets = await openSecretBox(db, key);
  for (const name of ['cursor', 'map', 'hub']) await getOrCreateSecret(db, secrets, name);
};
await fillStore(sql);

const failures: readonly Failure[] = [
  { step: 'check of the port', env: { PORT: busyPort }, error: `PORT.*${busyPort}` },
  { step: 'port for metrics', env: { METRICS_PORT: busyPort }, error: `METRICS_PORT.*${busyPort}` },
  { step: 'authorities of webhooks', env: { WEBHOOK_AUTHORITIES: '/nope' }, error: `WEBHOOK_AUTHORITIES` },
  { step: 'settings of traces', env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'nope' }, error: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
  { step: 'connection', env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' }, error: 'ECONNREFUSED' },
  {
    step: 'migration',
    damage: `insert into schema_migration (version, name, sha256) values (9999, '9999-later.sql', '')`,
    repair: 'delete from schema_migration where version = 9999',
    error: '9999-later.sql',
  },
  { step: 'check of the deployment', ...without('push_endpoint') },
  { step: 'key of the secrets', env: { SECRETS_KEY_FILE: otherKeyFile }, error: 'are encrypted with the key' },
  { step: 'preparation of the store', ...without('schedule_record') },
  { step: 'secret of the hub', env: { NATS_URL: 'nats://127.0.0.1:1' }, ...withUnreadable('hub') },
  { step: 'master data', ...without('carrier') },
  { step: 'secret of cursors', ...withUnreadable('cursor') },
  { step: 'secret of maps', ...withUnreadable('map') },
  { step: 'master data, in workers', args: ['--workers', '2'], ...without('carrier') },
  { step: 'secret of cursors, in workers', args: ['--workers', '2'], ...withUnreadable('cursor') },
];

test.each(failures)('a start that fails at the step "$step" ends with exit code 1', async (failure) => {
  expect(await runFailure(sql, failure, { DATABASE_URL: url })).toEqual(failedWith(failure.error));
});

/** Opens the embedded store for work that needs it, and stops it. */
const inEmbeddedStore = async (work: (db: Database) => Promise<unknown>): Promise<void> => {
  const store = await openEmbedded({ dataDir, applicationName: 'flightdata test', log: () => {} });
  try {
    await work(store.sql);
  } finally {
    await store.close();
  }
};

beforeAll(() =>
  inEmbeddedStore(async (db) => {
    await migrate(db);
    await fillStore(db);
  }),
);

test.each(
  failures.filter(({ step }) => ['master data', 'secret of maps', 'secret of cursors, in workers'].includes(step)),
)(
  'a start on an embedded store that fails at the step "$step" stops its PostgreSQL',
  async ({ damage = '', repair = '', error, ...failure }) => {
    await inEmbeddedStore((db) => db.unsafe(damage));
    expect(await runFailure(sql, failure, { DATA_DIR: dataDir })).toEqual(failedWith(error));
    // PostgreSQL notices the end of a killed worker a moment later.
    await expect.poll(() => existsSync(join(dataDir, 'postgresql', 'postmaster.pid')), { timeout: 20_000 }).toBe(false);
    await inEmbeddedStore((db) => db.unsafe(repair));
  },
);

test('a second server on an embedded store ends with exit code 1, and the first one continues', async () => {
  const first = await startServerProcess([], { DATA_DIR: dataDir, SECRETS_KEY_FILE: keyFile });
  onTestFinished(() => first.kill());
  const second = await runFailure(sql, {}, { DATA_DIR: dataDir });
  expect(second).toEqual(failedWith('a server already uses the data directory'));
  expect((await fetch(`${first.base}/flights/health`)).status).toBe(200);
  expect(await first.stop()).toMatchObject({ code: 0 });
});
