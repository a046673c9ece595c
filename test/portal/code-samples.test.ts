import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { buildCodeSamples, type CodeSample } from '../../src/portal/code-samples.ts';
import { readPortalSources } from '../../src/portal/read-sources.ts';
import { root } from '../../src/contract/run-tool.ts';
import { catalog } from '../../generated/catalog.ts';
import { readDocuments } from '../../src/cli/shared/published-files.ts';
import { toList, toJsonObject } from '../../src/lib/openapi-document.ts';
import { addDays, formatDate, localDate } from '../../src/domain/time/dates.ts';
import { DEMO_KEY } from '../../src/jobs/demo/seed-demo.ts';
import { DEMO_DAY } from '../support/demo-database.ts';
import { openDemoServer } from './demo-server.ts';

const run = promisify(execFile);

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
  expect(Object.keys(results)).toHaveLength(3 * current.length + 1);
  expect(new Set(Object.values(results))).toEqual(new Set(['200 true']));
});

test('redirects a browser from the root to the documentation', async () => {
  const { status, url } = await fetch(server.base);
  expect([status, url]).toEqual([200, `${server.base}/docs/`]);
});

/** Overrides the date with that of the server, and writes the status of each call to stderr. */
const before = (day: string): string => `
date() { echo '${day}'; }
curl() { command curl -w '%{stderr}%{http_code}\\n' "$@"; }
`;

const call = async ({ operationId, script }: CodeSample, day: string) => {
  const env = { PATH: process.env['PATH'], SUBSCRIPTION_KEY: DEMO_KEY, ACCOUNT_ID: server.accountId };
  const localScript = script.replaceAll('http://localhost:8080', server.base);
  const { stdout, stderr } = await run('sh', ['-c', before(day) + localScript], { env, maxBuffer: 64 * 1024 * 1024 });
  const { data } = toJsonObject(stdout.trim() === '' ? {} : JSON.parse(stdout));
  const isEmptyList = Array.isArray(data) && data.length === 0;
  return { operationId, statuses: stderr.trim().split('\n'), isEmptyList };
};

/** Operations without data in a new demo world: its flights follow the end of v1, and no webhook has been delivered. */
const mayBeEmpty = new Set(['flight-info/v1', 'listPushEndpoints', 'listDeliveries', 'listDeadLetters']);

const { versions } = readPortalSources(root);

const sources = versions.map((source) => [`${source.product.product}/${source.version.version}`, source] as const);

test.each(sources)('the code samples of %s succeed on a demo server', { timeout: 240_000 }, async (name, source) => {
  const { sunsetOn, operations } = source.version;
  const day = sunsetOn === undefined ? DEMO_DAY : formatDate(addDays(localDate(sunsetOn), -1));
  server.setToday(day);
  const samples = buildCodeSamples(source);
  expect(samples.map(({ operationId }) => operationId)).toEqual(operations.map(({ operationId }) => operationId));
  // Deletions run last, that of the account at the end, because later calls use the same objects.
  const toRank = ({ method, operationId }: (typeof samples)[number]) =>
    Number(method === 'delete') + Number(operationId === 'deleteProfile');
  for (const sample of samples.toSorted((a, b) => toRank(a) - toRank(b))) {
    const { operationId, statuses, isEmptyList } = await call(sample, day);
    expect([operationId, statuses.filter((status) => !/^2\d\d$/.test(status))]).toEqual([operationId, []]);
    expect([operationId, isEmptyList && !mayBeEmpty.has(operationId) && !mayBeEmpty.has(name)]).toEqual([
      operationId,
      false,
    ]);
  }
});
