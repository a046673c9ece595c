/*
 * Two servers deliver webhooks without a pause while the key of the secrets is rotated and retired. Then a dump of the whole database is
 * searched for every secret.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { verifyWebhook } from '#client/verify-webhook.ts';
import { seedDemoAccount } from '#demo/seed-demo-account.ts';
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { decrypt, toKeyId } from '#lib/secret-box.ts';
import { openBytes, readSecretBox } from '#store/access/secret-keys.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { runCommand } from '#test/cli/run-command.ts';
import { openWebhookReceiver } from '#test/jobs/deliveries/delivery-fixture.ts';
import { flight, message } from '#test/jobs/status/messages.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { JUNE_NOON } from '#test/support/test-app.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { reportFault } from '../support/report-fault.ts';
import { dumpDatabase, dumpTables, encodedForms } from '../support/secret-search.ts';
import { seedWorld } from '../support/seed-world.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { feedSchedule } from '../support/status-feed.ts';

/** 5 in the full length. */
const ROTATIONS = Number(process.env['SECRETS_ROTATIONS'] ?? 1);
const ENDPOINTS = 4;
/** Deliveries during each step of a rotation. */
const DELIVERIES = 100;
const flights = Array.from({ length: 33 }, (_, index) => 1000 + index);

type Endpoint = { readonly endpointId: string; readonly secret: string; readonly header: string };

const { sql, url } = await sharedDatabase();
const receiver = await openWebhookReceiver();
afterAll(receiver.close);
const { folder } = createTemporaryFolder();

const environment = (file: string) => ({
  DATABASE_URL: url,
  SECRETS_KEY_FILE: file,
  FLIGHTDATA_TODAY: '2026-06-01',
  HORIZON_DAYS: '2',
  WEBHOOK_ALLOW: 'http://127.0.0.1:*',
});

const runSecrets = async (args: readonly string[], file = ''): Promise<void> => {
  const { code, err } = await runCommand(['secrets', ...args], environment(file));
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
};

const createKeyFile = async (index: number): Promise<string> => {
  const file = join(folder, `${index}.key`);
  await runSecrets(['create-key', file]);
  return file;
};

const readKey = (file: string): Buffer => Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');

const startServer = async (file: string): Promise<ServerProcess> => {
  const server = await startServerProcess([], environment(file));
  onTestFinished(() => server.kill());
  return server;
};

const createEndpoint = async (base: string, accountId: string, index: number): Promise<Endpoint> => {
  const header = `Bearer password-of-receiver-${index}`;
  const response = await fetch(`${base}/flight-info-alerts/endpoints?version=v1`, {
    method: 'POST',
    headers: { 'Subscription-Key': TEST_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ accountId, url: `${receiver.url}/${index}`, header: { name: 'X-Receiver', value: header } }),
  });
  const body: { readonly endpointId: string; readonly secret: string } = JSON.parse(await response.text());
  expect(response.status).toBe(201);
  return { endpointId: body.endpointId, secret: body.secret, header };
};

/** Ingests status messages of all flights, round after round, each when deliveries of the one before have arrived. */
const startLoad = async () => {
  const ingester = await createStatusIngester(sql, undefined, JUNE_NOON);
  let [isOver, round] = [false, 0];
  const ingestRepeatedly = async (): Promise<void> => {
    while (!isOver) {
      const before = receiver.received.length;
      round += 1;
      const at = new Date(JUNE_NOON().getTime() + round * 1000).toISOString();
      const facts = { departureGate: `A${round}` };
      await ingester.ingest(
        flights.map((flightNumber) =>
          message({ id: `${round}-${flightNumber}`, at, flight: flight({ flightNumber }), facts }),
        ),
      );
      await receiver.waitUntil(({ length }) => length > before);
    }
  };
  const running = ingestRepeatedly();
  return {
    stop: async (): Promise<void> => {
      isOver = true;
      await running;
    },
  };
};

const waitForDeliveries = (): Promise<void> => {
  const before = receiver.received.length;
  return receiver.waitUntil(({ length }) => length >= before + DELIVERIES);
};

const countFailures = async () => {
  const [row] = await sql<{ failed: number; retries: number; dead: number }[]>`
    select (select count(*)::int from push_attempt where outcome <> 'delivered') as failed,
      (select count(*)::int from push_retry) as retries, (select count(*)::int from push_dead_letter) as dead`;
  return row;
};

const countUndelivered = async (accountId: string): Promise<number> => {
  const [row] = await sql<{ waiting: number; events: number }[]>`
    select (select count(*)::int from event_outbox)
        + ((select last_pos from event_log_end) - (select last_pos from event_distribution))::int as waiting,
      coalesce((select last_number::int from account_stream s join alert_account a using (stream) where a.id = ${accountId}), 0) as events`;
  return (row?.waiting ?? 1) + ENDPOINTS * (row?.events ?? 0) - receiver.countDistinct();
};

/** Counts requests without the header or without a valid signature of their endpoint. */
const countInvalid = async (endpoints: readonly Endpoint[]): Promise<number> => {
  const checks = await Promise.all(
    receiver.received.map(async ({ path, headers, body }) => {
      const endpoint = endpoints[Number(path.slice(1))];
      if (!endpoint || headers['x-receiver'] !== endpoint.header) return false;
      // The clock of the servers is overridden.
      const request = { headers, body, secrets: [endpoint.secret], toleranceSeconds: Infinity };
      return verifyWebhook(request).then(
        () => true,
        () => false,
      );
    }),
  );
  return checks.filter((isValid) => !isValid).length;
};

/** Returns the secrets of the store in the forms in which it was given them, by name. */
const listSecrets = async (endpoints: readonly Endpoint[], files: readonly string[], keys: readonly string[]) => {
  const key = readKey(files.at(-1) ?? '');
  const box = await readSecretBox(sql, key);
  const wrapped = await sql<{ keyId: string; wrapped: Buffer }[]>`select key_id as "keyId", wrapped from secret_key`;
  const stored = await sql<{ name: string; value: Buffer }[]>`select name, value from secret`;
  expect(wrapped.map(({ keyId }) => keyId)).toEqual([toKeyId(key)]);
  return new Map<string, string | Buffer>([
    ...keys.map((one, index) => [`API key ${index}`, one] as const),
    ...files.map((file, index) => [`key of the operator ${index}`, readKey(file)] as const),
    ...wrapped.map((one) => ['data key', decrypt(key, `secret_key ${one.keyId}`, one.wrapped)] as const),
    ...stored.map(({ name, value }) => [`secret for the ${name}`, openBytes(box, name, value)] as const),
    ...endpoints.flatMap(({ secret, header }, index) => [
      [`secret of endpoint ${index}`, secret] as const,
      [`bytes of that secret ${index}`, Buffer.from(secret.replace('whsec_', ''), 'base64')] as const,
      [`header of endpoint ${index}`, header] as const,
    ]),
  ]);
};

test(
  '17: no delivery fails and every signature is valid while the key of the secrets is rotated; no dump contains a secret',
  async () => {
    await seedWorld(sql, feedSchedule, { horizonDays: 2 });
    const { key: createdKey } = await createKey(sql, { name: 'another', products: ['flight-info'] });
    const accountId = await seedDemoAccount(sql, { key: TEST_KEY, now: JUNE_NOON() });
    const files = [await createKeyFile(0)];
    let servers = await Promise.all(files.concat(files).map(startServer));
    const base = servers[0]?.base ?? '';
    const endpoints: Endpoint[] = [];
    for (let index = 0; index < ENDPOINTS; index += 1) endpoints.push(await createEndpoint(base, accountId, index));
    const stopped: { readonly code: number | null; readonly errors: readonly string[] }[] = [];
    const stopServer = async (server: ServerProcess): Promise<void> => {
      const { code } = await server.stop();
      stopped.push({ code, errors: server.output().match(/^\{"level":"error".*$/gm) ?? [] });
    };

    const load = await startLoad();
    await waitForDeliveries();
    for (let rotation = 1; rotation <= ROTATIONS; rotation += 1) {
      const [oldFile, newFile] = [files.at(-1) ?? '', await createKeyFile(rotation)];
      files.push(newFile);
      await runSecrets(['rotate', newFile], oldFile);
      await waitForDeliveries();
      const restarted: ServerProcess[] = [];
      for (const server of servers) {
        await stopServer(server);
        restarted.push(await startServer(newFile));
        await waitForDeliveries();
      }
      servers = restarted;
      await runSecrets(['retire'], newFile);
      await waitForDeliveries();
    }
    await load.stop();
    await expect.poll(() => countUndelivered(accountId), { interval: 50 }).toBe(0);
    await Promise.all(servers.map(stopServer));

    const figures = {
      ...(await countFailures()),
      repeated: receiver.received.length - receiver.countDistinct(),
      invalid: await countInvalid(endpoints),
    };
    reportFault(17, { rotations: ROTATIONS, deliveries: receiver.received.length, ...figures }, 'key of the operator');
    expect(figures).toEqual({ failed: 0, retries: 0, dead: 0, repeated: 0, invalid: 0 });
    expect(stopped).toEqual(Array.from({ length: 2 * ROTATIONS + 2 }, () => ({ code: 0, errors: [] })));

    const secrets = await listSecrets(endpoints, files, [TEST_KEY, createdKey]);
    const dump = await dumpDatabase(sql, url);
    const tables = await dumpTables(sql);
    const texts = [...tables.map(([, rows]) => rows), ...(dump === undefined ? [] : [dump])];
    const find = (secret: string | Buffer): boolean =>
      texts.some((text) => encodedForms(secret).some((form) => text.includes(form)));
    const found = [...secrets].filter(([, secret]) => find(secret)).map(([name]) => name);
    const bytes = texts.reduce((sum, text) => sum + text.length, 0);
    const by = dump === undefined ? 'tables only: no pg_dump for this server' : 'tables and pg_dump';
    reportFault(40, { secrets: secrets.size, dump: by, tables: tables.length, bytes, found: found.length }, 'dump');
    expect(found).toEqual([]);
    // What is not secret is in each text: the search works.
    expect([texts.some((text) => text.includes(receiver.url)), dump?.includes(receiver.url) ?? true]).toEqual([
      true,
      true,
    ]);
  },
  240_000 + ROTATIONS * 120_000,
);
