import { decodeQueryText } from '#lib/query-text.ts';
import { memoizeText } from '#lib/text-memo.ts';
import { escapeUriText } from '../response/escape-uri-text.ts';

/** A parameter of a query: its text in a link, and its name in lower case. */
type QueryPart = { readonly text: string; readonly name: string; readonly isEmpty: boolean };

const parseQueryPart = (text: string): QueryPart => {
  const end = text.indexOf('=');
  const name = decodeQueryText(end === -1 ? text : text.slice(0, end)).toLowerCase();
  const isEmpty = end === -1 || decodeQueryText(text.slice(end + 1)).trim() === '';
  return { text: escapeUriText(text), name, isEmpty };
};

// A key sent in the query by mistake must not be in the links of pages, which are shared and logged.
const secretName = /(?:(?:subscription|api)[-_]?key|token|secret|password)$/i;

/** Parses each query once: clients repeat few. */
const parseSharedParts = memoizeText((query): readonly QueryPart[] =>
  query
    .split('&')
    .filter(Boolean)
    .map(parseQueryPart)
    .filter(({ name }) => !secretName.test(name)),
);

export type PageLink = {
  /** Name of the cursor parameter, e.g. `After`. */
  readonly parameter: string;
  readonly cursor: string;
  /** Parameters to add where the client sent none, e.g. the limit and the selected version. */
  readonly defaults?: Readonly<Record<string, string>>;
};

/**
 * Builds the absolute URL of another page: the client's query in its order and spelling, the defaults, and the cursor last. A cursor in the
 * query is replaced, whatever the letter case of its name.
 */
export const buildPageUrl = (requestUrl: string, { parameter, cursor, defaults = {} }: PageLink): string => {
  const mark = requestUrl.indexOf('?');
  const base = mark === -1 ? requestUrl : requestUrl.slice(0, mark);
  const sent = mark === -1 ? [] : parseSharedParts(requestUrl.slice(mark + 1));
  const defaultNames = new Set(Object.keys(defaults).map((name) => name.toLowerCase()));
  const replaced = parameter.toLowerCase();
  const remaining = sent.filter(({ name, isEmpty }) => name !== replaced && !(isEmpty && defaultNames.has(name)));
  const missing = Object.entries(defaults).filter(
    ([name]) => !remaining.some((part) => part.name === name.toLowerCase()),
  );
  const added = [...missing, [parameter, cursor] as const].map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${base}?${[...remaining.map(({ text }) => text), ...added].join('&')}`;
};

export type PageInfo = {
  readonly limit: number;
  readonly totalCount: number;
  /** Absolute URLs; undefined where there is no such page. */
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
};

const start = Buffer.from('{"data":[');
const comma = Buffer.from(',');

/** JSON text, whole or in parts that follow each other. */
export type JsonText = Buffer | readonly Buffer[];

/** Renders the JSON text of one page. `rows` are copied once, into the page; only the paging object is serialized. */
export const renderPage = (rows: readonly JsonText[], { limit, totalCount, next, previous }: PageInfo): Buffer => {
  const paging = { limit, totalCount, totalPages: Math.ceil(totalCount / limit), next, previous };
  const pieces: Buffer[] = [];
  for (const row of rows) {
    pieces.push(pieces.length === 0 ? start : comma);
    if (Buffer.isBuffer(row)) pieces.push(row);
    else pieces.push(...row);
  }
  if (pieces.length === 0) pieces.push(start);
  pieces.push(Buffer.from(`],"paging":${JSON.stringify(paging)}}`));
  return Buffer.concat(pieces);
};
