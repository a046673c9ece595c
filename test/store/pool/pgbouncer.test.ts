import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openLimitedDatabase } from '#store/pool/database.ts';
import { openDriverPool, splitSocketPath } from '#store/pool/driver/driver.ts';
import { acquireLeaderLease } from '#store/tasks/leader-lease.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { freePort } from '#test/support/free-port.ts';

// docs/how-to/operate/cluster.md says what of the service works through pgbouncer in transaction mode.
const program = spawnSync('sh', ['-c', 'PATH="$PATH:/usr/sbin" command -v pgbouncer'], {
  encoding: 'utf8',
}).stdout.trim();
if (program === '') console.log('pgbouncer is not tested: it is not installed (Debian: apt-get install pgbouncer)');

const { sql: direct, url: directUrl } = await sharedDatabase();
const isOverTcp = splitSocketPath(directUrl).path === undefined;
if (!isOverTcp) console.log('pgbouncer is not tested: this PostgreSQL listens on a unix socket only');

/** Starts pgbouncer in transaction mode with two server connections; as root, it runs as the user postgres. */
const startPooler = async (target: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'flightdata-pgbouncer-'));
  chmodSync(folder, 0o755);
  const { hostname, port: serverPort, username, password, pathname } = new URL(target);
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  const server = [
    `host=${hostname}`,
    `port=${serverPort || 5432}`,
    `user=${username}`,
    ...(password === '' ? [] : [`password=${decodeURIComponent(password)}`]),
  ];
  writeFileSync(
    config,
    [
      '[databases]',
      `${pathname.slice(1)} = ${server.join(' ')}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 2',
      '',
    ].join('\n'),
  );
  const child = spawn(program, [...(process.getuid?.() === 0 ? ['-u', 'postgres'] : []), config], { stdio: 'ignore' });
  const isListening = async (): Promise<boolean> => {
    const response = await fetch(`http://127.0.0.1:${port}`).catch((error: unknown) => error);
    return !(response instanceof Error && JSON.stringify(response.cause).includes('ECONNREFUSED'));
  };
  while (!(await isListening())) {
    if (child.exitCode !== null) throw new Error(`pgbouncer has ended with ${child.exitCode}`);
    await delay(20);
  }
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.toString(),
    stop: async (): Promise<void> => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
};

describe.skipIf(program === '' || !isOverTcp)('pgbouncer in transaction mode', () => {
  let pooler: Awaited<ReturnType<typeof startPooler>>;
  beforeAll(async () => {
    pooler = await startPooler(directUrl);
  });
  afterAll(() => pooler?.stop());

  const open = (prepare: boolean) => {
    const { sql } = openDriverPool({ url: pooler.url, applicationName: 'pooled', settings: { max: 8, prepare } });
    onTestFinished(() => sql.end({ timeout: 0 }));
    return sql;
  };

  /** Runs queries side by side; returns how many of them had the right result within two seconds. */
  const countRight = async (sql: ReturnType<typeof open>, count: number): Promise<number> => {
    const numbers = Array.from({ length: count }, (_, index) => index);
    let right = 0;
    const running = numbers.map(async (number) => {
      const rows = await sql<{ n: number }[]>`select ${number}::int as n`.catch(() => []);
      right += Number(rows[0]?.n === number);
    });
    await Promise.race([Promise.all(running), delay(2000)]);
    return right;
  };

  test('executes queries without prepared statements', async () => {
    expect(await countRight(open(false), 200)).toBe(200);
  });

  test('does not execute prepared statements, which all queries of the service are', async () => {
    expect(await countRight(open(true), 200)).toBeLessThan(200);
  });

  test('rejects the connections of requests because of their timeouts', async () => {
    const sql = openLimitedDatabase({ url: pooler.url, applicationName: 'pooled', queryTimeoutMs: 1000 });
    onTestFinished(() => sql.end({ timeout: 0 }));
    await expect(sql`select 1`).rejects.toThrow('unsupported startup parameter');
  });

  test('loses notifications', async () => {
    const received: string[] = [];
    const sql = open(false);
    await sql.listen('pooled', (payload) => void received.push(payload));
    await direct`select pg_notify('pooled', 'one')`;
    await countRight(sql, 20);
    expect(received).toEqual([]);
  });

  test('gives a lease of background work to one client', async () => {
    const sql = open(false);
    const lease = { table: 'event_log_end', lock: 77 };
    const others: boolean[] = [];
    const first = await sql.begin(async (one) => {
      const isOwn = await acquireLeaderLease(one, lease, {
        worker: '00000000-0000-0000-0000-000000000001',
        leaseMs: 1,
      });
      await sql.begin(async (two) => {
        others.push(
          await acquireLeaderLease(two, lease, { worker: '00000000-0000-0000-0000-000000000002', leaseMs: 1 }),
        );
      });
      return isOwn;
    });
    expect([first, others]).toEqual([true, [false]]);
  });
});
