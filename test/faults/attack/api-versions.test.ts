/* Every operation of every document, asked in every way for versions that are removed, not there yet, unknown, or named twice. */
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
  'a wrong key': { 'subscription-key': 'no-such-key-of-anybody' },
  'no key': {},
};
/** What else could be looked at before the version: a body too large, a form that is not offered, conditions. */
const extraHeaders: readonly Record<string, string>[] = [
  {},
  { accept: 'text/plain', 'content-type': 'text/plain', 'if-none-match': '*', 'if-match': '*' },
];

/** `<status> <kind>` of each way to ask for a path that is answered otherwise than so. */
const findDeviations = async (
  path: string,
  fate: string,
): Promise<{ readonly asked: number; readonly odd: readonly string[] }> => {
  const odd: string[] = [];
  let asked = 0;
  for (const method of methods)
    for (const [which, key] of Object.entries(keys))
      for (const other of extraHeaders) {
        asked += 1;
        const response = await world.send(path, { method, headers: { ...key, ...other } });
        const text = await response.text();
        const kind = method === 'HEAD' ? '' : String(toJsonObject(JSON.parse(text))['type']).split('#')[1];
        const seen = `${response.status} ${kind}`.trim();
        const wanted = method === 'HEAD' ? (fate.split(' ')[0] ?? '') : fate;
        if (seen !== wanted) odd.push(`${method} ${path} with ${which}: ${seen}`);
      }
  return { asked, odd };
};

const findVersionDates = ({ name }: ServedDocument) => {
  const [product, version] = name.split('/');
  const found = catalog.find((one) => one.product === product);
  const life = found?.versions.find((one) => one.version === version);
  if (!found || !life) throw new Error(`${name} is not in the catalogue`);
  const first = found.versions.map(({ releasedOn }) => releasedOn).toSorted()[0] ?? life.releasedOn;
  return { life, isFirst: life.releasedOn === first };
};

const endOfDayBefore = (date: string): string => `${formatDate(addDays(localDate(date), -1))}T23:59:59.999Z`;
const startOfDay = (date: string): string => `${date}T00:00:00.000Z`;
const longAfter = '2099-12-31T23:59:59.999Z';

test('each is answered as its dates have it, to the millisecond, whoever asks and however', async () => {
  const odd: string[] = [];
  const matrix: Record<string, number> = {};
  const expectAll = async (what: string, path: string, fate: string): Promise<void> => {
    const seen = await findDeviations(path, fate);
    matrix[what] = (matrix[what] ?? 0) + seen.asked;
    odd.push(...seen.odd.map((one) => `${what}: ${one}`));
  };
  for (const [, served, operation] of servedOperations) {
    const { life, isFirst } = findVersionDates(served);
    const { releasedOn, sunsetOn, aliases } = life;
    const path = operation.path.replaceAll(/\{.+?\}/g, 'x');
    const named = (version: string): string => withParameter(path, 'version', version);
    // Where a product has no version at all yet, even its addresses are nowhere.
    world.setNow(endOfDayBefore(releasedOn));
    await expectAll(
      'a moment before its release',
      named(served.version),
      isFirst ? '404 unknown-path' : '404 unknown-version',
    );
    if (sunsetOn !== undefined)
      for (const [what, instant] of [
        ['at the instant of its end', startOfDay(sunsetOn)],
        ['long after its end', longAfter],
      ] as const) {
        world.setNow(instant);
        for (const name of [served.version, served.version.toUpperCase(), ...aliases])
          await expectAll(what, named(name), '404 version-removed');
      }
    world.setNow(startOfDay(sunsetOn === undefined ? releasedOn : formatDate(addDays(localDate(sunsetOn), -1))));
    await expectAll('an unknown version', named('v99'), '404 unknown-version');
    await expectAll('two versions', withParameter(named(served.version), 'Version', 'v99'), '400 invalid-parameter');
    // Which are the same one: not an error of the version, so whatever it is refused for is something else.
    for (const [method, key] of methods.flatMap((one) =>
      Object.values(keys).map((headers) => [one, headers] as const),
    )) {
      const once = await world.send(named(served.version), { method, headers: key });
      const twice = await world.send(withParameter(named(served.version), 'VERSION', served.version.toUpperCase()), {
        method,
        headers: key,
      });
      matrix['one version twice'] = (matrix['one version twice'] ?? 0) + 1;
      if (once.status === 404 && operation.path === path) odd.push(`${method} ${path} is not there in its time`);
      if (once.status !== twice.status) odd.push(`${method} ${path}: ${once.status} once, ${twice.status} twice`);
      await Promise.all([once.arrayBuffer(), twice.arrayBuffer()]);
    }
  }
  console.log(
    Object.entries(matrix)
      .map(([what, asked]) => `${what.padEnd(30)} ${asked}`)
      .join('\n'),
  );
  const asked = Object.values(matrix).reduce((sum, one) => sum + one, 0);
  reportFault({
    fault: 38,
    figure: { operations: servedOperations.length, asked, otherwise: odd.length },
    bound: 'otherwise 0',
  });
  expect(odd).toEqual([]);
});
