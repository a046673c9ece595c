/* Every operation of every document, requested with removed, unreleased, unknown and repeated versions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../../generated/catalog.ts';
import { addDays, formatDate, localDate } from '../../../src/domain/time/dates.ts';
import { toJsonObject } from '../../../src/lib/openapi-document.ts';
import { withParameter } from '../../contract/responses/envelope.ts';
import { servedOperations, type ServedDocument } from '../../contract/services/served-documents.ts';
import { reportFault } from '../support/report-fault.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveTinyWorld();
});
afterAll(() => world.drop());

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const keys: Readonly<Record<string, Record<string, string>>> = {
  'the right key': { 'subscription-key': TEST_KEY },
  'a wrong key': { 'subscription-key': 'no-such-key' },
  'no key': {},
};
/** Headers that could be checked before the version: media types that are not offered, preconditions. */
const extraHeaders: readonly Record<string, string>[] = [
  {},
  { accept: 'text/plain', 'content-type': 'text/plain', 'if-none-match': '*', 'if-match': '*' },
];

/** Sends every variant of a request; returns those whose `<status> <kind>` differs from the expected one. */
const findDeviations = async (
  path: string,
  expectedOutcome: string,
): Promise<{ readonly requestCount: number; readonly deviations: readonly string[] }> => {
  const deviations: string[] = [];
  let requestCount = 0;
  for (const method of methods)
    for (const [which, key] of Object.entries(keys))
      for (const other of extraHeaders) {
        requestCount += 1;
        const response = await world.send(path, { method, headers: { ...key, ...other } });
        const text = await response.text();
        const kind = method === 'HEAD' ? '' : String(toJsonObject(JSON.parse(text))['type']).split('#')[1];
        const actual = `${response.status} ${kind}`.trim();
        const expected = method === 'HEAD' ? (expectedOutcome.split(' ')[0] ?? '') : expectedOutcome;
        if (actual !== expected) deviations.push(`${method} ${path} with ${which}: ${actual}`);
      }
  return { requestCount, deviations };
};

const findVersionDates = ({ name }: ServedDocument) => {
  const [product, version] = name.split('/');
  const entry = catalog.find((one) => one.product === product);
  const dates = entry?.versions.find((one) => one.version === version);
  if (!entry || !dates) throw new Error(`${name} is not in the catalog`);
  const first = entry.versions.map(({ releasedOn }) => releasedOn).toSorted()[0] ?? dates.releasedOn;
  return { dates, isFirst: dates.releasedOn === first };
};

const endOfDayBefore = (date: string): string => `${formatDate(addDays(localDate(date), -1))}T23:59:59.999Z`;
const startOfDay = (date: string): string => `${date}T00:00:00.000Z`;
const longAfter = '2099-12-31T23:59:59.999Z';

test('follows the release and sunset dates to the millisecond for every key and method', async () => {
  const deviations: string[] = [];
  const requestsByCase: Record<string, number> = {};
  const expectAll = async (what: string, path: string, expectedOutcome: string): Promise<void> => {
    const actual = await findDeviations(path, expectedOutcome);
    requestsByCase[what] = (requestsByCase[what] ?? 0) + actual.requestCount;
    deviations.push(...actual.deviations.map((one) => `${what}: ${one}`));
  };
  for (const [, served, operation] of servedOperations) {
    const { dates, isFirst } = findVersionDates(served);
    const { releasedOn, sunsetOn, aliases } = dates;
    const path = operation.path.replaceAll(/\{.+?\}/g, 'x');
    const withVersion = (version: string): string => withParameter(path, 'version', version);
    // Before the first version of a product its paths do not exist.
    world.setNow(endOfDayBefore(releasedOn));
    await expectAll(
      'just before its release',
      withVersion(served.version),
      isFirst ? '404 unknown-path' : '404 unknown-version',
    );
    if (sunsetOn !== undefined)
      for (const [what, instant] of [
        ['at its sunset', startOfDay(sunsetOn)],
        ['long after its sunset', longAfter],
      ] as const) {
        world.setNow(instant);
        for (const name of [served.version, served.version.toUpperCase(), ...aliases])
          await expectAll(what, withVersion(name), '404 version-removed');
      }
    world.setNow(startOfDay(sunsetOn === undefined ? releasedOn : formatDate(addDays(localDate(sunsetOn), -1))));
    await expectAll('an unknown version', withVersion('v99'), '404 unknown-version');
    await expectAll(
      'two versions',
      withParameter(withVersion(served.version), 'Version', 'v99'),
      '400 invalid-parameter',
    );
    // The same version twice is valid, so a rejection has another reason.
    for (const [method, key] of methods.flatMap((one) =>
      Object.values(keys).map((headers) => [one, headers] as const),
    )) {
      const once = await world.send(withVersion(served.version), { method, headers: key });
      const twice = await world.send(
        withParameter(withVersion(served.version), 'VERSION', served.version.toUpperCase()),
        {
          method,
          headers: key,
        },
      );
      requestsByCase['one version twice'] = (requestsByCase['one version twice'] ?? 0) + 1;
      if (once.status === 404 && operation.path === path)
        deviations.push(`${method} ${path} is missing while released`);
      if (once.status !== twice.status)
        deviations.push(`${method} ${path}: ${once.status} once, ${twice.status} twice`);
      await Promise.all([once.arrayBuffer(), twice.arrayBuffer()]);
    }
  }
  console.log(
    Object.entries(requestsByCase)
      .map(([what, requestCount]) => `${what.padEnd(30)} ${requestCount}`)
      .join('\n'),
  );
  const requestCount = Object.values(requestsByCase).reduce((sum, one) => sum + one, 0);
  reportFault(38, { operations: servedOperations.length, requests: requestCount, deviations: deviations.length });
  expect(deviations).toEqual([]);
});
