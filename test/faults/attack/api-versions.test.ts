/* Every operation of every document, requested with removed, unreleased, unknown and repeated versions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../../generated/catalog.ts';
import { addDays, formatDate, localDate } from '../../../src/domain/time/dates.ts';
import { toJsonObject } from '../../../src/lib/openapi-document.ts';
import { withParameter } from '../../contract/responses/envelope.ts';
import { servedOperations, type ServedDocument } from '../../contract/services/served-documents.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import { reportFault } from '../support/report-fault.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveTinyWorld();
});
afterAll(() => world.drop());

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const keys: readonly Record<string, string>[] = [
  { 'subscription-key': TEST_KEY },
  { 'subscription-key': 'no-such-key' },
  {},
];
/** Headers that could be checked before the version: media types that are not offered, preconditions. */
const extraHeaders: readonly Record<string, string>[] = [
  {},
  { accept: 'text/plain', 'content-type': 'text/plain', 'if-none-match': '*', 'if-match': '*' },
];
const variants = methods.flatMap((method) =>
  keys.flatMap((key) => extraHeaders.map((extra) => ({ method, headers: { ...key, ...extra } }))),
);

const findVersionDates = ({ name }: ServedDocument) => {
  const [product, version] = name.split('/');
  const entry = catalog.find((one) => one.product === product);
  const dates = entry?.versions.find((one) => one.version === version);
  if (!entry || !dates) throw new Error(`${name} is not in the catalog`);
  const isFirst = entry.versions.every(({ releasedOn }) => releasedOn >= dates.releasedOn);
  return { ...dates, isFirst };
};

const dayBefore = (date: string): string => formatDate(addDays(localDate(date), -1));

test('38: follows the release and sunset dates to the millisecond for every key and method', async () => {
  const deviations: string[] = [];
  let requests = 0;
  const expectAll = async (now: string, path: string, expected: string): Promise<void> => {
    world.setNow(now);
    for (const init of variants) {
      requests += 1;
      const response = await world.send(path, init);
      const text = await response.text();
      const [status, problem] = expected.split(' ');
      const actualProblem =
        init.method === 'HEAD' ? problem : String(toJsonObject(JSON.parse(text))['type']).split('#')[1];
      if (`${response.status} ${actualProblem}` !== `${status} ${problem}`)
        deviations.push(`${now} ${JSON.stringify(init)} ${path}: ${response.status} ${text}, expected ${expected}`);
    }
  };
  for (const [, served, operation] of servedOperations) {
    const { releasedOn, sunsetOn, aliases, isFirst } = findVersionDates(served);
    const path = operation.path.replaceAll(/\{.+?\}/g, 'x');
    const withVersion = (version: string): string => withParameter(path, 'version', version);
    const own = withVersion(served.version);
    // Before the first version of a product its paths do not exist.
    await expectAll(
      `${dayBefore(releasedOn)}T23:59:59.999Z`,
      own,
      isFirst ? '404 unknown-path' : '404 unknown-version',
    );
    if (sunsetOn !== undefined)
      for (const now of [`${sunsetOn}T00:00:00.000Z`, '2099-12-31T23:59:59.999Z'])
        for (const name of [served.version, served.version.toUpperCase(), ...aliases])
          await expectAll(now, withVersion(name), '404 version-removed');
    const released = `${sunsetOn === undefined ? releasedOn : dayBefore(sunsetOn)}T00:00:00.000Z`;
    await expectAll(released, withVersion('v99'), '404 unknown-version');
    await expectAll(released, withParameter(own, 'Version', 'v99'), '400 invalid-parameter');
    // The same version twice is valid, so a rejection has another reason.
    for (const { method, headers } of variants) {
      const once = await world.send(own, { method, headers });
      const twice = await world.send(withParameter(own, 'VERSION', served.version.toUpperCase()), { method, headers });
      requests += 1;
      if (once.status !== twice.status || (once.status === 404 && operation.path === path))
        deviations.push(`${method} ${path} while released: ${once.status} once, ${twice.status} twice`);
      await Promise.all([once.arrayBuffer(), twice.arrayBuffer()]);
    }
  }
  reportFault(38, { operations: servedOperations.length, requests, deviations: deviations.length });
  expect(deviations).toEqual([]);
});
