import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildCodeSamples, sampleLanguages, type CodeSample } from '#portal/code-samples/code-samples.ts';
import { toEnvironmentName } from '#portal/code-samples/sample-call.ts';
import { readPortalSources } from '#portal/read-sources.ts';
import { root, runTool } from '#contract/run-tool.ts';
import { catalog } from '#generated/catalog.ts';
import { readDocuments } from '#cli/shared/published-files.ts';
import { toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';
import { DEMO_KEY } from '#store/access/demo-key.ts';
import { DEMO_DAY } from '../support/demo-database.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { openDemoServer, type DemoExchange } from './demo-server.ts';
import { missingLanguages, runSamples, type SampleRun } from './sample-programs.ts';

const server = await openDemoServer(readDocuments());
afterAll(server.drop);

test('the catalog of a server links to existing documents, pages and health checks without a key', async () => {
  const catalogue: unknown = await (await fetch(`${server.base}/.well-known/api-catalog`)).json();
  const results: Record<string, string> = {};
  for (const context of toList(toJsonObject(catalogue)['linkset']).map(toJsonObject))
    for (const relation of ['service-desc', 'service-doc', 'status'])
      for (const link of toList(context[relation]).map(toJsonObject)) {
        const { status, headers, body } = await fetch(String(link['href']));
        await body?.cancel();
        const mediaType = headers.get('content-type')?.split(';')[0];
        results[String(link['href']).replace(server.base, '')] = `${status} ${mediaType === link['type']}`;
      }
  const current = catalog.flatMap(({ product, versions }) =>
    versions.filter(({ sunsetOn }) => sunsetOn === undefined).map(({ version }) => `${product}/${version}`),
  );
  expect(Object.keys(results)).toEqual(expect.arrayContaining(current.map((name) => `/openapi/${name}.yaml`)));
  expect(Object.keys(results)).toHaveLength(4 * current.length + 2);
  expect(Object.entries(results).filter(([, result]) => result !== '200 true')).toEqual([]);
});

test('redirects a browser from the root to the documentation', async () => {
  const { status, url } = await fetch(server.base);
  expect([status, url]).toEqual([200, `${server.base}/docs/`]);
});

const samples = readPortalSources(root).versions.flatMap((source) =>
  buildCodeSamples(source).map((sample) => ({ ...sample, version: source.version })),
);

/** Calls the server as a client of the demo world; throws when it returns an error. */
const call = async (method: string, path: string, content?: JsonObject): Promise<unknown> => {
  const headers = { 'Subscription-Key': DEMO_KEY, accountId: server.accountId, 'Content-Type': 'application/json' };
  const body = content === undefined ? undefined : JSON.stringify(content);
  const response = await fetch(server.base + path, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
};

/** Returns a property of the first record of a list. */
const findFirst = async (path: string, property: string): Promise<string> => {
  const list = await call('GET', path);
  const [first] = toList(Array.isArray(list) ? list : toJsonObject(list)['data']);
  return String(toJsonObject(first)[property]);
};

const ENDPOINT_URL = 'https://hooks.zx.example/other';
await call('POST', '/flight-info-alerts/endpoints', { accountId: server.accountId, url: ENDPOINT_URL });

/** Objects of the demo world, for samples that change nothing or belong to its events. */
const demoObjects = async () => ({
  accountId: server.accountId,
  alertId: await findFirst('/flight-info-alerts/alerts', 'alertId'),
  endpointId: await findFirst('/flight-info-alerts/endpoints', 'endpointId'),
  eventId: await findFirst('/flight-info-alerts/events?After=0&Limit=1', 'messageId'),
  fingerprint: await findFirst('/flights?IataCarrierCode=X2&FlightNumber=101&Limit=1', 'fingerprint'),
  scheduleInstanceKey: await findFirst(
    `/flight-instances?DepartureDateTime=${DEMO_DAY}&DepartureAirport=LHR&CodeType=IATA&Limit=1`,
    'scheduleInstanceKey',
  ),
});

let accounts = 0;
/** Creates an account with an alert and an endpoint, for a sample that changes or deletes one. */
const createObjects = async () => {
  const person = { firstName: 'Ada', lastName: 'Field', country: 'GB', companyName: 'Example Airways' };
  const profile = { ...person, email: `ada.${(accounts += 1)}@example.test` };
  const { accountId } = toJsonObject(await call('POST', '/flight-info-alerts/profile', profile));
  const alert = { accountId, alertType: 'Port', departureAirport: 'LHR' };
  const { data: alertId } = toJsonObject(await call('POST', '/flight-info-alerts/alerts', alert));
  const endpoint = { accountId, url: ENDPOINT_URL };
  const { endpointId } = toJsonObject(await call('POST', '/flight-info-alerts/endpoints', endpoint));
  return { accountId, alertId, endpointId };
};

/** Returns the objects that a sample uses, by the names of its variables. */
const findObjects = async ({ call: { method, variables, operationId } }: CodeSample): Promise<JsonObject> => {
  if (variables.length === 0) return {};
  return method === 'get' || operationId === 'redeliver' ? demoObjects() : createObjects();
};

/** Operations without data in a new demo world: no webhook has been delivered. */
const mayBeEmpty = new Set(['listDeliveries', 'listDeadLetters']);
const isEmpty = (exchange: DemoExchange): boolean =>
  Array.isArray(exchange.response['data']) && exchange.response['data'].length === 0;

/** Runs all samples of a language; returns the request and status of each, with the names of variables for their values. */
const runLanguage = async (language: (typeof sampleLanguages)[number]['language']) => {
  const { folder } = createTemporaryFolder();
  const runs: SampleRun[] = [];
  for (const sample of samples) {
    const objects = Object.entries(await findObjects(sample)).map(([name, value]) => [
      toEnvironmentName(name),
      String(value),
    ]);
    runs.push({ code: sample.code[language], env: { SUBSCRIPTION_KEY: DEMO_KEY, ...Object.fromEntries(objects) } });
  }
  server.exchanges.length = 0;
  await runSamples(language, { runs, folder, base: server.base, day: DEMO_DAY });
  return server.exchanges.map((exchange, index) => {
    const { operationId = '', method, variables } = samples[index]?.call ?? {};
    const mask = (value: string): string =>
      variables?.reduce(
        (all, name) => all.replaceAll(runs[index]?.env[toEnvironmentName(name)] ?? name, `{${name}}`),
        value,
      ) ?? value;
    const { pathname, searchParams } = new URL(exchange.url);
    searchParams.sort();
    expect([operationId, exchange.method, exchange.status < 300]).toEqual([operationId, method?.toUpperCase(), true]);
    const isV1 = samples[index]?.version.successor !== undefined;
    expect([operationId, isEmpty(exchange) && !isV1 && !mayBeEmpty.has(operationId)]).toEqual([operationId, false]);
    const isText = samples[index]?.call.textBody !== undefined;
    const body: unknown = exchange.body === '' || isText ? exchange.body : JSON.parse(mask(exchange.body));
    return { operationId, request: mask(`${exchange.method} ${pathname}?${searchParams.toString()}`), body };
  });
};

/** The requests that the samples describe, as all languages must send them. */
const expectedRequests = samples.map(({ call: { operationId, method, path, query, textBody, body = '' } }) => {
  const parameters = new URLSearchParams(query.map(({ name, value }) => [name, value.replace('{today}', DEMO_DAY)]));
  parameters.sort();
  const request = `${method.toUpperCase()} ${path.replace('{today}', DEMO_DAY)}?${parameters.toString()}`;
  return { operationId, request, body: textBody ? `${textBody.text}\n` : body };
});

describe.each(sampleLanguages)('the code samples in $language', ({ language }) => {
  const missing = missingLanguages[language];
  test.skipIf(missing !== undefined)(
    `send the request of every operation and succeed${missing === undefined ? '' : ` (skipped: ${missing})`}`,
    { timeout: 240_000 },
    async () => expect(await runLanguage(language)).toEqual(expectedRequests),
  );
});

test('the code samples cover every operation of the catalog', () => {
  const operations = catalog.flatMap(({ versions }) => versions.flatMap((version) => version.operations));
  const ids = (all: readonly { readonly operationId: string }[]) =>
    all.map(({ operationId }) => operationId).toSorted();
  expect(ids(samples.map(({ call: { operationId } }) => ({ operationId })))).toEqual(ids(operations));
});

test.skipIf(missingLanguages['Go'] !== undefined)('the code samples in Go are formatted as gofmt does', () => {
  const { folder } = createTemporaryFolder();
  for (const [index, { code }] of samples.entries()) writeFileSync(join(folder, `sample${index}.go`), `${code.Go}\n`);
  expect(spawnSync('gofmt', ['-d', folder]).stdout.toString()).toBe('');
});

test('the code samples in TypeScript compile with the client package', async () => {
  const folder = join(root, 'build', 'code-samples');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(folder, { recursive: true });
  for (const [index, { code }] of samples.entries()) {
    const text = code.TypeScript.replace("'flightdata-client'", "'../../src/client/index.ts'");
    writeFileSync(join(folder, `sample${index}.ts`), `${text}\nexport {};\n`);
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }));
  const { output } = await runTool('tsc', ['--noEmit', '-p', folder]);
  expect(output).toBe('');
});
