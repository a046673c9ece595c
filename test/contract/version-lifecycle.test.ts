import { afterAll, expect, test } from 'vitest';
import { addDays, formatDate, localDate } from '#domain/time/dates.ts';
import { toJsonObject } from '#lib/openapi-document.ts';
import { withParameter } from './responses/envelope.ts';
import { serveKnownData } from './services/known-service.ts';
import { findValidRequest } from './random/find-valid-request.ts';
import { toInit } from './random/valid-requests.ts';
import { servedOperations, WORLD_DAY, type Lifecycle } from './services/served-documents.ts';

const world = await serveKnownData();
afterAll(world.drop);

const dayBefore = (date: string): string => formatDate(addDays(localDate(date), -1));

/** The release, deprecation and sunset dates of a version, the days before them, and the test date. */
const daysOf = ({ releasedOn, deprecatedOn, sunsetOn }: Lifecycle): readonly string[] => {
  const dates = [releasedOn, deprecatedOn, sunsetOn].filter((date) => date !== undefined);
  return [...new Set([...dates.flatMap((date) => [dayBefore(date), date]), WORLD_DAY])].toSorted();
};

/** What an operation reports on a day: the version that responded, and the deprecation headers. */
type LifecycleResponse = {
  readonly day: string;
  readonly outcome: 'by this version' | '404 as of one there is not' | '404 version-removed';
  readonly deprecation: string | null;
  readonly sunset: string | null;
};

/** Returns the expected response by the dates in spec/; each date applies from its start. */
const expectedResponse = ({ releasedOn, deprecatedOn, sunsetOn }: Lifecycle, day: string): LifecycleResponse => {
  const nothing = { day, deprecation: null, sunset: null };
  if (day < releasedOn) return { ...nothing, outcome: '404 as of one there is not' };
  if (sunsetOn !== undefined && day >= sunsetOn) return { ...nothing, outcome: '404 version-removed' };
  const isEnding = deprecatedOn !== undefined && day >= deprecatedOn;
  const sunset = isEnding && sunsetOn !== undefined ? new Date(`${sunsetOn}T00:00:00Z`).toUTCString() : null;
  return { day, outcome: 'by this version', deprecation: isEnding ? 'true' : null, sunset };
};

const toLifecycleResponse = async (day: string, response: Response): Promise<LifecycleResponse> => {
  const kind = String(toJsonObject(await response.json())['type']).split('#')[1];
  const isNamed = response.headers.has('api-version');
  const end = { day, deprecation: response.headers.get('deprecation'), sunset: response.headers.get('sunset') };
  if (kind === 'version-removed') return { ...end, outcome: '404 version-removed' };
  // A product without any version yet has no paths.
  if (kind === 'unknown-version' || (response.status === 404 && !isNamed))
    return { ...end, outcome: '404 as of one there is not' };
  if (response.status >= 500 || !isNamed) throw new Error(`${day}: ${response.status}`);
  return { ...end, outcome: 'by this version' };
};

test.each(servedOperations)(
  '%s announces its sunset from the deprecation date on and returns 404 from the sunset date on',
  async (_, served, operation) => {
    const version = served.lifecycle;
    const request = await findValidRequest(world, served, operation);
    const { path } = request;
    const versionedPath = /[?&]version=/.test(path) ? path : withParameter(path, 'version', served.version);
    const responses: LifecycleResponse[] = [];
    for (const day of daysOf(version)) {
      const response = await world.on({ ...served, day })(versionedPath, toInit(request));
      responses.push(await toLifecycleResponse(day, response));
    }
    expect(responses).toEqual(daysOf(version).map((day) => expectedResponse(version, day)));
  },
);

test('the catalog has versions with and without a sunset date', () => {
  const versions = servedOperations.map(([, served]) => served.lifecycle);
  expect(versions.filter(({ sunsetOn }) => sunsetOn !== undefined).length).toBeGreaterThan(0);
  expect(versions.filter(({ deprecatedOn }) => deprecatedOn === undefined).length).toBeGreaterThan(0);
});
