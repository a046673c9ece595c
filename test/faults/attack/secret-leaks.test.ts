/*
 * A server with every kind of secret: its output, responses, metrics, traces and whole database are searched for each of them.
 * API keys are nowhere; secrets that must be stored in plain text are where docs/reference/stored-secrets.md documents.
 */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import { toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { createKey, insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { startCommand, waitForOutput } from '#test/cli/run-command.ts';
import { profile } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { saveTinyMasterData } from '#test/support/tiny-world.ts';
import { openCollector } from '#test/support/trace-collector.ts';
import { reportFault } from '../support/report-fault.ts';
import { dumpTables, encodedForms } from '../support/secret-search.ts';
import { exchangeRaw } from './raw-http.ts';

const { sql: db, url: databaseUrl } = await sharedDatabase();

const secrets = {
  'password of the database': 'database-password-7f3a9c',
  'password of the broker': 'broker-password-51d2e8',
  'key of the trace collector': 'collector-key-c4b7a1',
  'header of a receiver': 'receiver-header-92e6d0',
  'second header of a receiver': 'receiver-header-second-3c11',
  'part of the address of a receiver': 'receiver-token-0a8d4f',
} as const;

/** Adds a user and a password unless the URL has them; a server that trusts this machine ignores them. */
const withPassword = (url: string): string => {
  const parsed = new URL(url);
  parsed.username ||= 'postgres';
  parsed.password ||= secrets['password of the database'];
  return parsed.href;
};

/** Starts a server that is configured with every secret. */
const startServer = (collectorUrl: string) =>
  startCommand(['serve'], {
    DATABASE_URL: withPassword(databaseUrl),
    PORT: '0',
    METRICS_PORT: '0',
    HORIZON_DAYS: '1',
    // No process listens there, so that connection errors are logged repeatedly.
    NATS_URL: `nats://hub:${secrets['password of the broker']}@127.0.0.1:1`,
    WEBHOOK_ALLOW: 'https://127.0.0.1:*',
    WEBHOOK_PORTS: '443 1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${secrets['key of the trace collector']}`,
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });

test('40: stores and prints no API key, and other secrets only where they must be', async () => {
  await saveTinyMasterData(db);
  const { key } = await createKey(db, { name: 'someone', products: catalog.map(({ product }) => product) });
  const { key: otherKey } = await createKey(db, { name: 'another', products: ['flight-info'] });
  const chosenKey = 'a-key-that-an-operator-chose';
  await insertKeyIfMissing(db, { key: chosenKey, name: 'another', products: ['flight-info'] });
  const collector = await openCollector();
  const server = startServer(collector.url);
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', (piece: Buffer) => (output += piece.toString()));
  const metricsLine = waitForOutput(server, /metrics on (\S+)/);
  const [, base = ''] = await waitForOutput(server, /listening on (http:\/\/127\.0\.0\.1:\d+)/);
  const [, metricsUrl = ''] = await metricsLine;
  const responses: string[] = [];
  const request = async (path: string, init: RequestInit = {}, returnsSecret = false): Promise<JsonObject> => {
    const response = await fetch(`${base}${path}`, init);
    const text = await response.text();
    // Responses that return a secret by design are not searched.
    if (!returnsSecret) responses.push(JSON.stringify([...response.headers]), text);
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return toJsonObject(isJson ? JSON.parse(text) : {});
  };
  const send = (method: string, path: string, body: object, returnsSecret = false): Promise<JsonObject> => {
    const own = { 'content-type': 'application/json', 'idempotency-key': `${method}${path.length}` };
    const init = { method, headers: { 'subscription-key': key, ...own }, body: JSON.stringify(body) };
    return request(`/flight-info-alerts${path}`, init, returnsSecret);
  };

  const { accountId } = await send('POST', '/profile', profile);
  const header = { name: 'x-api-key', value: secrets['header of a receiver'] };
  const url = `https://127.0.0.1:1/hook?token=${secrets['part of the address of a receiver']}`;
  const { endpointId, secret: firstSecret } = await send('POST', '/endpoints', { accountId, url, header }, true);
  const path = `/endpoints/${String(endpointId)}`;
  await send('PATCH', path, { header: { ...header, value: secrets['second header of a receiver'] } });
  await send('POST', `${path}/ping`, {});
  const { secret: nextSecret } = await send('POST', `${path}/secret/rotate`, { overlapHours: 1 }, true);
  const accessKeyPath = `/flight-info-alerts/accounts/${String(accountId)}/accessKey`;
  await request(accessKeyPath, { headers: { 'subscription-key': key } }, true);
  // A key in every place where clients put it by mistake.
  const wrongKey = `${key.slice(0, -4)}0000`;
  const trace = `00-${key}-b7ad6b7169203331-01`;
  const misplacedKeys: readonly Record<string, string>[] = [
    ...[chosenKey, wrongKey, `${key} `, otherKey].map((one) => ({ 'subscription-key': one })),
    {},
    { authorization: `Bearer ${key}`, cookie: key, traceparent: key },
    { 'subscription-key': key, traceparent: trace, prefer: key, 'content-type': key },
  ];
  const escapedKey = [...key].map((digit) => `%${digit.codePointAt(0)?.toString(16)}`).join('');
  const misplacedPaths = [
    ...[key, key.toUpperCase(), otherKey, wrongKey, escapedKey].map((one) => ({
      one,
      joined: `${'y'.repeat(50)}${one}`,
    })),
    { one: chosenKey, joined: chosenKey },
  ].flatMap(({ one, joined }) => [
    `/${one}`,
    `/locations/${one}?version=v1`,
    `/flight-instances/2026-06-01/${one}`,
    `/flight-info-alerts/profile/${one}`,
    `/docs/${one}/${one}`,
    `/flight-instances?DepartureDateTime=2026-06-01&CarrierCode=${one}`,
    `/flight-instances?DepartureDateTime=2026-06-01&CarrierCode=XX%2C${one},${joined}`,
    `/flight-instances?DepartureDateTime=2026-06-01&Limit=${one}&Limit=2`,
    `/flight-instances?version=${one}`,
    `/flight-instances?version=v1&version=${joined}`,
    `/locations?version=v1&Limit=1&k=${one}&${one}=1`,
    `/flights?DepartureDate=2026-06-01&Limit=1&k=${one}`,
  ]);
  for (const headers of misplacedKeys)
    for (const misplaced of [
      `/flight-info-alerts/alerts?subscription-key=${key}`,
      `/flight-instances?DepartureDateTime=2026-06-01&Subscription-Key=${key}&api_key=${key}`,
      `/locations?version=v1&token=${key}`,
      ...misplacedPaths,
    ])
      await request(misplaced, { headers: { ...headers, referer: `http://a/?k=${key}`, 'user-agent': key } });
  await send('POST', '/alerts', { accountId: key, [key]: otherKey, carrierCode: key });
  for (const bytes of [
    `GET /${key}?k=${key} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\nSubscription-Key: ${key}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\nSubscription-Key: ${key}\r\nConnection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\nSubscription-Key: ${key}\0\r\n\r\n`,
  ]) {
    const exchange = await exchangeRaw(bytes, { port: Number(new URL(base).port) });
    responses.push(...exchange.responses.map(({ body }) => body));
  }
  const metrics = await (await fetch(metricsUrl)).text();
  await expect.poll(() => collector.spans.length).toBeGreaterThan(0);
  server.kill('SIGTERM');
  await once(server, 'close');
  await collector.close();

  const texts: readonly (readonly [string, string])[] = [
    ['output', output],
    ['responses', responses.join('\n')],
    ['metrics', metrics],
    ['traces', JSON.stringify([collector.spans, collector.requests.map(({ resource }) => resource)])],
    ...(await dumpTables(db)).map(([table, rows]) => [`table ${table}`, rows] as const),
  ];
  const findLocations = (secret: string | Buffer): readonly string[] =>
    texts.filter(([, text]) => encodedForms(secret).some((form) => text.includes(form))).map(([name]) => name);
  const storedSecrets = await db<{ name: string; value: Buffer }[]>`select name, value from secret order by name`;
  const all: Readonly<Record<string, string | Buffer>> = {
    'key of a subscription': key,
    'key of another': otherKey,
    'a chosen key': chosenKey,
    'a wrong key': wrongKey,
    'an escaped key': escapedKey,
    ...secrets,
    'secret of an endpoint': String(firstSecret),
    'its next secret': String(nextSecret),
    ...Object.fromEntries(storedSecrets.map(({ name, value }) => [`secret for the ${name}`, value])),
  };
  const locations = Object.fromEntries(Object.entries(all).map(([name, secret]) => [name, findLocations(secret)]));
  const bytes = texts.reduce((sum, [, text]) => sum + text.length, 0);
  reportFault(40, { secrets: Object.keys(all).length, texts: texts.length, bytes });
  const nowhere = Object.fromEntries(Object.keys(all).map((name) => [name, []]));
  // As documented in docs/reference/stored-secrets.md.
  expect(locations).toEqual({
    ...nowhere,
    'second header of a receiver': ['table push_endpoint'],
    'part of the address of a receiver': ['responses', 'table push_endpoint'],
    'secret of an endpoint': ['table push_key'],
    'its next secret': ['table push_key'],
    ...Object.fromEntries(storedSecrets.map(({ name }) => [`secret for the ${name}`, ['table secret']])),
  });
  expect(storedSecrets.map(({ name }) => name)).toEqual(expect.arrayContaining(['cursor', 'map']));
  expect(collector.faults).toEqual([]);
  expect(output).toContain('"level":"error"');
});
