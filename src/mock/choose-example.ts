import type { RouteConfig } from '@hono/zod-openapi';
import { toJsonObject } from '../lib/openapi-document.ts';
import { Problem } from '../http/response/problem.ts';
import type { Example } from './examples.ts';

/** A path of the service, and a query without its question mark. */
export type Asked = { readonly path: string; readonly query: string };

/** What a request is after: the values in its path, and its query by the names and in the spelling of the contract. */
type Address = { readonly places: readonly string[]; readonly query: ReadonlyMap<string, string> };

const cursorNames = new Set(['after', 'before', 'cursor']);

/** Enough to see what there is. */
const PATHS_TOLD = 5;

const placesIn = ({ path: template }: RouteConfig, path: string): readonly string[] => {
  const names = template.split('/');
  const values = path.split('/').filter((_, index) => names[index]?.startsWith('{'));
  // Identifiers mean the same in either case, and codes of places and companies are often typed in small letters.
  return values.map((value) => decodeURIComponent(value).toLowerCase());
};

/** Of a list the order makes no difference. */
const textOf = (value: unknown): string =>
  JSON.stringify(
    Array.isArray(value) ? value.map((one) => JSON.stringify(one)).toSorted((a, b) => (a < b ? -1 : 1)) : value,
  );

/** Read as the service reads it: any letter case, what is left out by its default. The version is settled already. */
const queryIn = ({ request }: RouteConfig, query: string): ReadonlyMap<string, string> => {
  const raw: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query))
    if (name.toLowerCase() !== 'version') (raw[name] ??= []).push(value);
  const parsed = request?.query?.safeParse(raw);
  return new Map(Object.entries(toJsonObject(parsed?.data)).map(([name, value]) => [name, textOf(value)]));
};

const addressOf = (route: RouteConfig, { path, query }: Asked): Address => ({
  places: placesIn(route, path),
  query: queryIn(route, query),
});

const requestOf = ({ request = '' }: Example): Asked => {
  const [path = '', query = ''] = request.split('?');
  return { path, query };
};

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index]);

/** How many parameters differ between two queries; those that are in only one of them differ. */
const differences = (query: Address['query'], other: Address['query']): number =>
  [...new Set([...query.keys(), ...other.keys()])].filter((name) => query.get(name) !== other.get(name)).length;

/** A query but for the size of its pages, which says nothing of what is looked for. */
const withoutLimit = (query: Address['query']): Address['query'] =>
  new Map([...query].filter(([name]) => name.toLowerCase() !== 'limit'));

const noSuchObject = (path: string, shown: readonly string[]): Problem => {
  const paths = [...new Set(shown)];
  const more = paths.length > PATHS_TOLD ? ', ...' : '';
  const told = paths.length === 0 ? '' : ` There is ${paths.slice(0, PATHS_TOLD).join(', ')}${more}.`;
  return new Problem('not-found', `No example has ${path}.${told}`);
};

const unknownCursor = (parameter: string): Problem =>
  new Problem('cursor-invalid', `${parameter} is not a cursor of this query.`, {
    errors: { [parameter]: ['is not a cursor of this query'] },
  });

/**
 * The example that answers a request: of those with its path and its place in a list the one whose parameters are the same, else
 * the one of which fewest are others, the first of equals. Throws the Problem `not-found` where none has an object of that path,
 * and `cursor-invalid` where none is at that place of a list.
 */
export const chooseExample = (route: RouteConfig, examples: readonly Example[], asked: Asked): Example | undefined => {
  const { places, query } = addressOf(route, asked);
  const all = examples.map((example) => ({ example, address: addressOf(route, requestOf(example)) }));
  const there = all.filter(({ address }) => areSame(address.places, places));
  if (all.length > 0 && there.length === 0)
    throw noSuchObject(
      asked.path,
      examples.flatMap((one) => (one.request === undefined ? [] : [requestOf(one).path])),
    );
  const names = new Set([query, ...all.map(({ address }) => address.query)].flatMap((one) => [...one.keys()]));
  const cursors = [...names].filter((name) => cursorNames.has(name.toLowerCase()));
  const placed = there.filter(({ address }) => cursors.every((name) => address.query.get(name) === query.get(name)));
  const cursor = cursors.find((name) => query.has(name));
  if (placed.length === 0 && cursor !== undefined) throw unknownCursor(cursor);
  const candidates = placed.length === 0 ? there : placed;
  const ranked = candidates.map(({ example, address }) => {
    const isSame = differences(query, address.query) === 0;
    return { example, rank: isSame ? -1 : differences(withoutLimit(query), withoutLimit(address.query)) };
  });
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return ranked.find(({ rank }) => rank === best)?.example;
};
