import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../generated/catalog.ts';
import { addDays, formatDate, localDate } from '../../src/domain/time/dates.ts';
import type { CatalogVersion } from '../../src/http/router/version-lifecycle.ts';
import { toJsonObject } from '../../src/lib/openapi-document.ts';
import { withParameter } from './responses/envelope.ts';
import { serveKnownData, type KnownService } from './services/known-service.ts';
import { findValidRequest } from './random/find-valid-request.ts';
import { servedOperations, WORLD_DAY, type ServedDocument } from './services/served-documents.ts';

let world: KnownService;
beforeAll(async () => {
  world = await serveKnownData();
});
afterAll(() => world.drop());

const versionOf = ({ name }: ServedDocument): CatalogVersion => {
  const [product, version] = name.split('/');
  const found = catalog.find((one) => one.product === product)?.versions.find((one) => one.version === version);
  if (!found) throw new Error(`${name} is not in the catalogue`);
  return found;
};

const dayBefore = (date: string): string => formatDate(addDays(localDate(date), -1));

/** The days on which something begins, those before them, and the day of the world. */
const daysOf = ({ releasedOn, deprecatedOn, sunsetOn }: CatalogVersion): readonly string[] => {
  const turns = [releasedOn, deprecatedOn, sunsetOn].filter((date) => date !== undefined);
  return [...new Set([...turns.flatMap((date) => [dayBefore(date), date]), WORLD_DAY])].toSorted();
};

/** What an operation says of its version on a day: whether that answers, and the headers of its end. */
type Said = {
  readonly day: string;
  readonly answer: 'by this version' | '404 as of one there is not' | '404 version-removed';
  readonly deprecation: string | null;
  readonly sunset: string | null;
};

/** As the dates of the catalogue have it: each counts from its own day on. */
const due = ({ releasedOn, deprecatedOn, sunsetOn }: CatalogVersion, day: string): Said => {
  const nothing = { day, deprecation: null, sunset: null };
  if (day < releasedOn) return { ...nothing, answer: '404 as of one there is not' };
  if (sunsetOn !== undefined && day >= sunsetOn) return { ...nothing, answer: '404 version-removed' };
  const isEnding = deprecatedOn !== undefined && day >= deprecatedOn;
  const sunset = isEnding && sunsetOn !== undefined ? new Date(`${sunsetOn}T00:00:00Z`).toUTCString() : null;
  return { day, answer: 'by this version', deprecation: isEnding ? 'true' : null, sunset };
};

const said = async (day: string, response: Response): Promise<Said> => {
  const kind = String(toJsonObject(await response.json())['type']).split('#')[1];
  const isNamed = response.headers.has('api-version');
  const end = { day, deprecation: response.headers.get('deprecation'), sunset: response.headers.get('sunset') };
  if (kind === 'version-removed') return { ...end, answer: '404 version-removed' };
  // Where a product has no version at all yet, even its addresses are nowhere.
  if (kind === 'unknown-version' || (response.status === 404 && !isNamed))
    return { ...end, answer: '404 as of one there is not' };
  if (response.status >= 500 || !isNamed) throw new Error(`${day}: ${response.status}`);
  return { ...end, answer: 'by this version' };
};

test.each(servedOperations)(
  '%s tells of its end from the day of its deprecation until that end',
  async (_, served, operation) => {
    const version = versionOf(served);
    const { method, path, headers, body } = await findValidRequest(world, served, operation);
    const named = /[?&]version=/.test(path) ? path : withParameter(path, 'version', served.version);
    const told: Said[] = [];
    for (const day of daysOf(version)) {
      const ask = world.on({ ...served, day });
      const response = await ask(named, { method, headers: { ...headers }, ...(body !== undefined && { body }) });
      told.push(await said(day, response));
    }
    expect(told).toEqual(daysOf(version).map((day) => due(version, day)));
  },
);

test('a version of the catalogue has a whole life, and others do not end', () => {
  const lives = servedOperations.map(([, served]) => versionOf(served));
  expect(lives.filter(({ sunsetOn }) => sunsetOn !== undefined).length).toBeGreaterThan(0);
  expect(lives.filter(({ deprecatedOn }) => deprecatedOn === undefined).length).toBeGreaterThan(0);
});
