import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildCodeSamples, type CodeSample } from '../../src/portal/code-samples.ts';
import { readPortalSources } from '../../src/portal/read-sources.ts';
import { root } from '../../src/contract/run-tool.ts';
import { catalog } from '../../generated/catalog.ts';
import { readDocuments } from '../../src/cli/shared/published-files.ts';
import { toList, toJsonObject } from '../../src/lib/openapi-document.ts';
import { addDays, formatDate, localDate } from '../../src/domain/time/dates.ts';
import { DEMO_KEY } from '../../src/jobs/demo/seed-demo.ts';
import { DEMO_DAY, openDemoServer, type DemoServer } from './demo-server.ts';

const run = promisify(execFile);

let server: DemoServer;
beforeAll(async () => {
  server = await openDemoServer(readDocuments());
}, 300_000);
afterAll(() => server.drop());

test('the catalogue of a server leads to documents, pages and health checks that are there, without a key', async () => {
  const catalogue: unknown = await (await fetch(`${server.base}/.well-known/api-catalog`)).json();
  const answers: Record<string, string> = {};
  for (const context of toList(toJsonObject(catalogue)['linkset']).map(toJsonObject))
    for (const relation of ['service-desc', 'service-doc', 'status'])
      for (const link of toList(context[relation]).map(toJsonObject)) {
        const { status, headers, body } = await fetch(String(link['href']));
        await body?.cancel();
        const mediaType = headers.get('content-type')?.split(';')[0];
        answers[String(link['href']).replace(server.base, '')] = `${status} ${mediaType === link['type']}`;
      }
  const current = catalog.flatMap(({ product, versions }) =>
    versions.filter(({ sunsetOn }) => sunsetOn === undefined).map(({ version }) => `${product}/${version}`),
  );
  expect(Object.keys(answers)).toEqual(expect.arrayContaining(current.map((name) => `/openapi/${name}.yaml`)));
  expect(Object.keys(answers)).toHaveLength(3 * current.length + 1);
  expect(new Set(Object.values(answers))).toEqual(new Set(['200 true']));
});

test('whoever opens a server in a browser is led to its documentation', async () => {
  const { status, url } = await fetch(server.base);
  expect([status, url]).toEqual([200, `${server.base}/docs/`]);
});

/** The day is the server's, and the status of each call is written to where errors go; all else is as in the sample. */
const before = (day: string): string => `
date() { echo '${day}'; }
curl() { command curl -w '%{stderr}%{http_code}\\n' "$@"; }
`;

type Called = { readonly operationId: string; readonly statuses: readonly string[]; readonly answer: string };

const call = async ({ operationId, script }: CodeSample, day: string): Promise<Called> => {
  const env = { PATH: process.env['PATH'], SUBSCRIPTION_KEY: DEMO_KEY, ACCOUNT_ID: server.accountId };
  const there = script.replaceAll('http://localhost:8080', server.base);
  const { stdout, stderr } = await run('sh', ['-c', before(day) + there], { env, maxBuffer: 64 * 1024 * 1024 });
  return { operationId, statuses: stderr.trim().split('\n'), answer: stdout };
};

/** Whether an answer is a list with nothing in it. */
const isEmptyList = ({ answer }: Called): boolean => {
  const body: unknown = answer.trim() === '' ? {} : JSON.parse(answer);
  const data = toJsonObject(body)['data'];
  return Array.isArray(data) && data.length === 0;
};

/** What has nothing to show in a new demo world: its flights begin two years after v1 ended, and nothing has been posted yet. */
const mayBeEmpty = new Set(['flight-info/v1', 'listPushEndpoints', 'listDeliveries', 'listDeadLetters']);

const { versions } = readPortalSources(root);

describe.each(versions.map((source) => [`${source.product.product}/${source.version.version}`, source] as const))(
  'the calls to try of %s',
  (name, source) => {
    test('are answered by a server of the demo world, in the order of the page', { timeout: 240_000 }, async () => {
      const { sunsetOn } = source.version;
      const day = sunsetOn === undefined ? DEMO_DAY : formatDate(addDays(localDate(sunsetOn), -1));
      server.setToday(day);
      const samples = buildCodeSamples(source);
      const called: Called[] = [];
      // What is taken away goes last, for the calls after it are about the same.
      const inOrder = samples.toSorted((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'));
      for (const sample of inOrder) called.push(await call(sample, day));
      const refused = called.filter(({ statuses }) => statuses.some((status) => !/^2\d\d$/.test(status)));
      expect(refused).toEqual([]);
      const empty = called.filter(isEmptyList).map(({ operationId }) => operationId);
      expect(empty.filter((operationId) => !mayBeEmpty.has(operationId) && !mayBeEmpty.has(name))).toEqual([]);
      expect(samples.map(({ operationId }) => operationId)).toEqual(
        source.version.operations.map(({ operationId }) => operationId),
      );
    });
  },
);
