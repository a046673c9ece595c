import type { RouteConfig } from '@hono/zod-openapi';
import { invalidParameters, Problem } from '#http/response/problem.ts';
import { toJsonObject } from '#lib/openapi-document.ts';
import { type Example, isSuccess } from './examples.ts';
import type { Preferences } from './preferences.ts';
import { readRawQuery } from './validate-query.ts';

/** The declared statuses and examples of an operation. */
export type OperationExamples = {
  readonly route: RouteConfig;
  readonly statuses: readonly number[];
  readonly examples: readonly Example[];
};

/** The part of a request that selects an example. */
type SelectionRequest = { readonly publicPath: string; readonly query: string; readonly mediaType: string };

/** What identifies the result of a request: its path, and its query in the spelling of the contract. */
type RequestKey = { readonly path: string; readonly query: ReadonlyMap<string, string> };

/** Limit of paths that a problem lists. */
const MAX_LISTED_PATHS = 5;

/** How many other parameters these outweigh: a cursor, another record, an empty page, and other datasets. */
const CURSOR_WEIGHT = 1000;
const OTHER_WEIGHT = 100;
const EMPTY_WEIGHT = 50;
const CONTENT_WEIGHT = 20;

/** Serializes a parameter; the order of a list makes no difference. */
const serialize = (value: unknown): string =>
  JSON.stringify(Array.isArray(value) ? value.map(String).toSorted() : value);

const isCursor = (name: string): boolean => /^(after|before|cursor)$/i.test(name);

/** Parses path and query like the service: names in any letter case, defaults added. The version has been selected already. */
const toRequestKey = ({ request }: RouteConfig, target = ''): RequestKey => {
  const [path = '', ...rest] = target.split('?');
  const raw = readRawQuery(rest.join('?'));
  const values = Object.entries(toJsonObject(request?.query?.safeParse(raw).data));
  // Events are read from a position: 0 is before the first event, as without one. Other lists have opaque cursors.
  const texts = values
    .filter(([name, value]) => !(path.endsWith('/events') && isCursor(name) && String(value) === '0'))
    .map(([name, value]) => [name, serialize(value)] as const);
  // Identifiers are case-insensitive, and codes are often typed in lower case.
  return { path: decodeURIComponent(path).toLowerCase(), query: new Map(texts) };
};

/**
 * Ranks how well two queries fit: -1 for equal ones, else the number of different parameters without the page size. Other datasets count
 * more, because a response without them is no response to the query.
 */
const rankQuery = ({ query }: RequestKey, { query: other }: RequestKey): number => {
  const names = [...new Set([...query.keys(), ...other.keys()])].filter((name) => query.get(name) !== other.get(name));
  const counted = names.filter((name) => name.toLowerCase() !== 'limit');
  const contents = counted.filter((name) => name === 'Content').length;
  const cursors = counted.filter(isCursor).length;
  return names.length === 0 ? -1 : counted.length + contents * CONTENT_WEIGHT + cursors * CURSOR_WEIGHT;
};

/** The parameters that name records by one of their codes. */
const codeParameters = ['CarrierCode', 'IataCarrierCode', 'IcaoCarrierCode', 'AirportCode', 'EquipmentCode'];

/** Returns the codes of a record: its own, or those of its carrier. */
const listCodes = (record: Readonly<Record<string, unknown>>): readonly unknown[] =>
  ['code', 'carrier', 'carrierCode'].flatMap((name) => Object.values(toJsonObject(record[name])));

/**
 * Ranks how well the records of an example fit a query by codes or flight number: 0 for those that it names. An empty page comes before
 * other records, and after the named ones with other datasets.
 */
const rankRecords = ({ query }: RequestKey, { value }: Example): number => {
  const number = query.get('FlightNumber');
  const codes = codeParameters.flatMap((name) => query.get(name)?.toUpperCase() ?? []);
  const { data } = toJsonObject(value);
  if ((number === undefined && codes.length === 0) || !Array.isArray(data)) return 0;
  const isOther = (record: unknown): boolean => {
    const fields = toJsonObject(record);
    const { flightNumber } = fields;
    const isOtherNumber = number !== undefined && flightNumber !== undefined && number !== JSON.stringify(flightNumber);
    return (
      isOtherNumber || codes.some((wanted) => !listCodes(fields).some((code) => wanted.includes(`"${String(code)}"`)))
    );
  };
  if (data.length === 0) return EMPTY_WEIGHT;
  return data.some(isOther) ? OTHER_WEIGHT : 0;
};

const notFoundProblem = (path: string, examples: readonly Example[]): Problem => {
  const paths = [...new Set(examples.map(({ request = '' }) => request.replace(/\?.*/, '')))];
  const listed = [...paths.slice(0, MAX_LISTED_PATHS), ...(paths.length > MAX_LISTED_PATHS ? ['...'] : [])];
  return new Problem('not-found', `No example has ${path}. Available paths: ${listed.join(', ')}.`);
};

/**
 * Finds the example for a request: of those with its path and cursor the one with equal parameters, else the first with the fewest different
 * ones. Throws Problem `not-found` where no example has the path, and `cursor-invalid` where none has the cursor.
 */
const findBestExample = (
  route: RouteConfig,
  examples: readonly Example[],
  { publicPath, query }: SelectionRequest,
): Example => {
  const key = toRequestKey(route, `${publicPath}?${query}`);
  const [best] = examples
    .map((example) => ({ example, own: toRequestKey(route, example.request) }))
    .filter(({ own }) => own.path === key.path || own.path === '')
    .map(({ example, own }) => {
      const rank = rankQuery(key, own);
      return { example, rank: rank < 0 ? rank : rank + rankRecords(key, example) };
    })
    .toSorted((a, b) => a.rank - b.rank);
  if (!best) throw notFoundProblem(publicPath, examples);
  const cursor = [...key.query.keys()].find(isCursor);
  const message = 'is not a cursor of this query';
  if (cursor !== undefined && best.rank >= CURSOR_WEIGHT)
    throw new Problem('cursor-invalid', `${cursor} ${message}.`, { errors: { [cursor]: [message] } });
  return best.example;
};

const isNotFound = ({ value }: Example): boolean => toJsonObject(value)['type'] === '/docs/errors#not-found';

const rejectPreference = (wanted: string, available: readonly (string | number)[]): never => {
  const names = [...new Set(available)].join(', ') || 'none';
  throw invalidParameters({ Prefer: [`must be ${wanted}; available: ${names}`] });
};

/**
 * Selects the status and example to request from Prism; without an example, Prism takes the first one of the status. Prism's own selection would
 * be worse in three cases. Without preferences, it takes the first example whatever the request is. It looks for `example` among successes only.
 * And the first 404 of most operations is that of an unknown version. Throws a Problem that lists what is available when a preference is not.
 */
export const selectResponse = (
  { route, statuses, examples }: OperationExamples,
  { code, example: name, errors }: Preferences,
  request: SelectionRequest,
): { readonly status: number; readonly example: Example | undefined } => {
  if (errors.length > 0) throw invalidParameters({ Prefer: errors });
  if (code !== undefined && !statuses.includes(code))
    rejectPreference(`a status code of this operation, not ${code}`, statuses);
  const ofCode = examples.filter(
    (one) => (!isSuccess(one) || one.mediaType === request.mediaType) && (code ?? one.status) === one.status,
  );
  if (name !== undefined) {
    const named = ofCode.find((one) => one.name === name);
    if (named) return { status: named.status, example: named };
    const names = ofCode.map((one) => one.name);
    rejectPreference(`an example of this ${code ?? 'operation'}, not '${name.slice(0, 64)}'`, names);
  }
  const successes = ofCode.filter(isSuccess);
  const example = successes.length > 0 ? findBestExample(route, successes, request) : ofCode.find(isNotFound);
  return { status: example?.status ?? code ?? Math.min(...statuses), example };
};
