import { escapeUriText } from '../response/uri-text.ts';

const decoded = (text: string): string => {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

type Piece = { readonly text: string; readonly name: string; readonly isEmpty: boolean };

const pieceOf = (text: string): Piece => {
  const end = text.indexOf('=');
  const name = decoded(end === -1 ? text : text.slice(0, end)).toLowerCase();
  return { text, name, isEmpty: end === -1 || decoded(text.slice(end + 1)).trim() === '' };
};

export type PageLink = {
  /** Name of the cursor parameter, e.g. `After`. */
  readonly parameter: string;
  readonly cursor: string;
  /** What a page depends on beside its filters, e.g. the limit and the version that answered: added where the caller was silent. */
  readonly settled?: Readonly<Record<string, string>>;
};

// Where a key is sent in the query by mistake, it must not go on from page to page: links are passed on and logged.
const secretName = /(?:(?:subscription|api)[-_]?key|token|secret|password)$/i;

/**
 * The absolute URL of another page: the caller's query in the caller's order and spelling, what was settled for him, and the
 * cursor last. A cursor the caller sent, under any letter case of its name, is replaced; what no URL may hold is escaped.
 */
export const pageUrl = (requestUrl: string, { parameter, cursor, settled = {} }: PageLink): string => {
  const mark = requestUrl.indexOf('?');
  const base = mark === -1 ? requestUrl : requestUrl.slice(0, mark);
  const sent =
    mark === -1
      ? []
      : requestUrl
          .slice(mark + 1)
          .split('&')
          .filter(Boolean)
          .map(pieceOf);
  const settledNames = new Map(Object.keys(settled).map((name) => [name.toLowerCase(), name]));
  const kept = sent.filter(
    ({ name, isEmpty }) =>
      name !== parameter.toLowerCase() && !(isEmpty && settledNames.has(name)) && !secretName.test(name),
  );
  const silent = Object.entries(settled).filter(([name]) => !kept.some((piece) => piece.name === name.toLowerCase()));
  const added = [...silent, [parameter, cursor] as const].map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${base}?${[...kept.map(({ text }) => escapeUriText(text)), ...added].join('&')}`;
};

export type PageInfo = {
  readonly limit: number;
  readonly totalCount: number;
  /** Absolute URLs; undefined where there is no such page. */
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
};

const head = Buffer.from('{"data":[');
const comma = Buffer.from(',');

/** The JSON text of one page. `rows` are JSON texts themselves and are copied as they are: nothing is parsed or written but the paging. */
export const renderPage = (rows: readonly Buffer[], { limit, totalCount, next, previous }: PageInfo): Buffer => {
  const paging = { limit, totalCount, totalPages: Math.ceil(totalCount / limit), next, previous };
  const pieces: Buffer[] = [];
  for (const row of rows) pieces.push(pieces.length === 0 ? head : comma, row);
  if (pieces.length === 0) pieces.push(head);
  pieces.push(Buffer.from(`],"paging":${JSON.stringify(paging)}}`));
  return Buffer.concat(pieces);
};
