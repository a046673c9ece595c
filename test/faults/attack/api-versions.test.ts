/* A removed or unknown version is reported before anything else: key, method, media type, preconditions. */
import { afterAll, expect, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import { toJsonObject } from '#lib/openapi-document.ts';
import { withParameter } from '#test/contract/responses/envelope.ts';
import { servedOperations } from '#test/contract/services/served-documents.ts';
import { serveTinyWorld, TEST_KEY } from '#test/support/tiny-world.ts';
import { reportFault } from '../support/report-fault.ts';

const world = await serveTinyWorld();
afterAll(world.drop);

const keys: readonly Record<string, string>[] = [{ 'subscription-key': TEST_KEY }, { 'subscription-key': 'none' }, {}];
const unacceptable = { accept: 'text/plain', 'content-type': 'text/plain', 'if-none-match': '*', 'if-match': '*' };
const variants = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].flatMap((method) =>
  keys.flatMap((key) => [{}, unacceptable].map((more) => ({ method, headers: { ...key, ...more } }))),
);

test('38: reports a removed or unknown version for every operation, key and method', async () => {
  const deviations: string[] = [];
  const sunsets = catalog.flatMap(({ product, versions }) =>
    versions.map(({ version, sunsetOn }) => [`${product}/${version}`, sunsetOn] as const),
  );
  const rows = servedOperations.flatMap(([, { name, version }, operation]) => {
    const path = operation.path.replaceAll(/\{.+?\}/g, 'x');
    const sunsetOn = new Map<string, string | undefined>(sunsets).get(name);
    const removed = [`${sunsetOn}T00:00:00.000Z`, withParameter(path, 'version', version), 'version-removed'] as const;
    const unknown = ['2026-06-01T12:00:00Z', withParameter(path, 'version', 'v99'), 'unknown-version'] as const;
    return sunsetOn === undefined ? [unknown] : [unknown, removed];
  });
  for (const [now, path, expected] of rows) {
    world.setNow(now);
    for (const init of variants) {
      const response = await world.send(path, init);
      const text = await response.text();
      const type = init.method === 'HEAD' ? expected : toJsonObject(JSON.parse(text))['type'];
      if (response.status !== 404 || !String(type).endsWith(expected))
        deviations.push(`${now} ${JSON.stringify(init)} ${path}: ${response.status} ${text}, expected ${expected}`);
    }
  }
  const requests = rows.length * variants.length;
  reportFault(38, { operations: servedOperations.length, requests, deviations: deviations.length });
  expect(deviations).toEqual([]);
});
