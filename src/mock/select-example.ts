import type { RouteConfig } from '@hono/zod-openapi';
import { invalidParameters, Problem } from '../http/response/problem.ts';
import { toJsonObject } from '../lib/openapi-document.ts';
import { type Example, isSuccess, toProblem } from './examples.ts';
import type { Preferences } from './preferences.ts';

/** A path of the service, and a query without its question mark. */
type ExampleRequest = { readonly path: string; readonly query: string };

/** What identifies the result of a request: its path parameters, and its query in the spelling of the contract. */
type RequestKey = { readonly pathValues: readonly string[]; readonly query: ReadonlyMap<string, string> };

const cursorNames = new Set(['after', 'before', 'cursor']);

/** Limit of paths that a problem lists. */
const MAX_LISTED_PATHS = 5;

const readPathValues = ({ path: template }: RouteConfig, path: string): readonly string[] => {
  const names = template.split('/');
  const values = path.split('/').filter((_, index) => names[index]?.startsWith('{'));
  // Identifiers are case-insensitive, and codes are often typed in lower case.
  return values.map((value) => decodeURIComponent(value).toLowerCase());
};

/** Serializes a parameter; the order of a list makes no difference. */
const serialize = (value: unknown): string =>
  JSON.stringify(
    Array.isArray(value) ? value.map((one) => JSON.stringify(one)).toSorted((a, b) => (a < b ? -1 : 1)) : value,
  );

/** Parses a query like the service: names in any letter case, defaults added. The router has selected the version already. */
const parseQuery = ({ request }: RouteConfig, query: string): ReadonlyMap<string, string> => {
  const raw: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query))
    if (name.toLowerCase() !== 'version') (raw[name] ??= []).push(value);
  const parsed = request?.query?.safeParse(raw);
  return new Map(Object.entries(toJsonObject(parsed?.data)).map(([name, value]) => [name, serialize(value)]));
};

const toRequestKey = (route: RouteConfig, { path, query }: ExampleRequest): RequestKey => ({
  pathValues: readPathValues(route, path),
  query: parseQuery(route, query),
});

const parseRequest = ({ request = '' }: Example): ExampleRequest => {
  const [path = '', query = ''] = request.split('?');
  return { path, query };
};

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index]);

/** Counts the parameters that differ between two queries, or are in one of them only. */
const countDifferences = (query: RequestKey['query'], other: RequestKey['query']): number =>
  [...new Set([...query.keys(), ...other.keys()])].filter((name) => query.get(name) !== other.get(name)).length;

/** Removes the page size, which is no search criterion. */
const withoutLimit = (query: RequestKey['query']): RequestKey['query'] =>
  new Map([...query].filter(([name]) => name.toLowerCase() !== 'limit'));

const notFoundProblem = (path: string, examplePaths: readonly string[]): Problem => {
  const paths = [...new Set(examplePaths)];
  const more = paths.length > MAX_LISTED_PATHS ? ', ...' : '';
  const hint = paths.length === 0 ? '' : ` Available paths: ${paths.slice(0, MAX_LISTED_PATHS).join(', ')}${more}.`;
  return new Problem('not-found', `No example has ${path}.${hint}`);
};

const invalidCursorProblem = (parameter: string): Problem =>
  new Problem('cursor-invalid', `${parameter} is not a cursor of this query.`, {
    errors: { [parameter]: ['is not a cursor of this query'] },
  });

/**
 * Finds the example for a request: among those with its path and cursor the one with equal parameters, else the first with the fewest
 * different ones. Throws Problem `not-found` where no example has the path, and `cursor-invalid` where none has the cursor.
 */
const findBestExample = (
  route: RouteConfig,
  examples: readonly Example[],
  request: ExampleRequest,
): Example | undefined => {
  const { pathValues, query } = toRequestKey(route, request);
  const all = examples.map((example) => ({ example, key: toRequestKey(route, parseRequest(example)) }));
  const atPath = all.filter(({ key }) => areSame(key.pathValues, pathValues));
  if (all.length > 0 && atPath.length === 0)
    throw notFoundProblem(
      request.path,
      examples.flatMap((one) => (one.request === undefined ? [] : [parseRequest(one).path])),
    );
  const names = new Set([query, ...all.map(({ key }) => key.query)].flatMap((one) => [...one.keys()]));
  const cursors = [...names].filter((name) => cursorNames.has(name.toLowerCase()));
  const atCursor = atPath.filter(({ key }) => cursors.every((name) => key.query.get(name) === query.get(name)));
  const cursor = cursors.find((name) => query.has(name));
  if (atCursor.length === 0 && cursor !== undefined) throw invalidCursorProblem(cursor);
  const candidates = atCursor.length === 0 ? atPath : atCursor;
  const ranked = candidates.map(({ example, key }) => {
    const isSame = countDifferences(query, key.query) === 0;
    return { example, rank: isSame ? -1 : countDifferences(withoutLimit(query), withoutLimit(key.query)) };
  });
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return ranked.find(({ rank }) => rank === best)?.example;
};

/** The examples and statuses of an operation. */
export type OperationExamples = {
  readonly route: RouteConfig;
  /** All declared statuses. */
  readonly statuses: readonly number[];
  readonly examples: readonly Example[];
};

/** A status and its example; 304 and 204 have none. */
export type SelectedExample = { readonly status: number; readonly example: Example | undefined };

const formatList = (names: readonly (string | number)[]): string => [...new Set(names)].join(', ');

/** The preferred example of a 404, which several problems share. */
const isNotFound = ({ value }: Example): boolean => toProblem(value, {})?.kind === 'not-found';

const rejectPreference = (message: string): never => {
  throw invalidParameters({ Prefer: [message] });
};

/**
 * Selects the example for a request: the one its preferences name, or else the best match of an accepted media type. Throws a Problem with the
 * available examples when the named one does not exist.
 */
export const selectExample = (
  { route, statuses, examples }: OperationExamples,
  { code, example: name, errors }: Preferences,
  request: ExampleRequest & { readonly mediaType: string },
): SelectedExample => {
  if (errors.length > 0) throw invalidParameters({ Prefer: errors });
  if (code !== undefined && !statuses.includes(code))
    rejectPreference(`must be a status code of this operation, not ${code}; available: ${formatList(statuses)}`);
  const acceptable = examples.filter((one) => !isSuccess(one) || one.mediaType === request.mediaType);
  const ofCode = code === undefined ? acceptable : acceptable.filter(({ status }) => status === code);
  if (name !== undefined) {
    const named = ofCode.find((one) => one.name === name);
    const available = formatList(ofCode.map((one) => one.name)) || 'none';
    return named
      ? { status: named.status, example: named }
      : rejectPreference(
          `must be an example of this ${code ?? 'operation'}, not '${name.slice(0, 64)}'; available: ${available}`,
        );
  }
  const successes = ofCode.filter(isSuccess);
  if (successes.length > 0) {
    const example = findBestExample(route, successes, request);
    return { status: example?.status ?? 200, example };
  }
  return { status: code ?? Math.min(...statuses), example: ofCode.find(isNotFound) ?? ofCode[0] };
};
