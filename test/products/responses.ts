import type { TinyService } from '../support/tiny-world.ts';

type Getter = Pick<TinyService, 'get'>;

/** Returns the path and query of an address of the test service. */
export const pathOf = (url: string | undefined): string => (url ?? '').replace('http://service.test', '');

/** Parses the JSON body of a response that must have this status; the error shows request and response. */
export const getJson = async <T>({ get }: Getter, url: string | undefined, status = 200): Promise<T> => {
  const response = await get(pathOf(url));
  const text = await response.text();
  if (response.status !== status) throw new Error(`GET ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
};

/** Returns the errors by parameter of a request that must be rejected with 400. */
export const getErrors = async (world: Getter, url: string): Promise<Readonly<Record<string, readonly string[]>>> => {
  const { errors = {} } = await getJson<{ errors?: Record<string, string[]> }>(world, url, 400);
  return errors;
};

type Page = { readonly paging: { readonly next?: string | undefined; readonly previous?: string | undefined } };

/** Lists the pages of a list from a path on, in one direction. */
export const listPages = async <T extends Page>(
  world: Getter,
  path: string | undefined,
  direction: 'next' | 'previous' = 'next',
): Promise<readonly T[]> => {
  const pages: T[] = [];
  for (let url = path; url !== undefined; url = pages.at(-1)?.paging[direction])
    pages.push(await getJson<T>(world, url));
  return pages;
};

/** Builds the distance members of a flight in km, miles and nautical miles: over its legs, and from end to end. */
export const distances = <T>(legs: readonly [T, T, T], direct = legs) => ({
  accumulatedGreatCircleKilometers: legs[0],
  accumulatedGreatCircleMiles: legs[1],
  accumulatedGreatCircleNauticalMiles: legs[2],
  greatCircleKilometers: direct[0],
  greatCircleMiles: direct[1],
  greatCircleNauticalMiles: direct[2],
});
