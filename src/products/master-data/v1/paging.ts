import type { LocalDate } from '../../../domain/time/dates.ts';
import type { SearchResult } from '../../../domain/master-data/search-result.ts';
import {
  cursorGoneProblem,
  hashQuery,
  decodeCursor,
  encodeCursor,
  type CursorScope,
} from '../../../http/handler/cursor.ts';
import { pageUrl } from '../../../http/handler/paging.ts';
import type { RequestContext } from '../../../http/request/request-context.ts';
import type { Deps } from './deps.ts';

const POSITION_BYTES = 8;

type AnyQuery = {
  readonly After?: string | undefined;
  readonly Limit: number;
  readonly Content?: unknown;
  readonly version?: unknown;
};

/** A page to build: the day whose records it lists, and the last record of the page before. */
export type PageRequest = {
  readonly day: LocalDate;
  readonly after: { readonly id: number; readonly totalCount: number } | undefined;
  readonly limit: number;
  readonly scope: CursorScope;
};

/** Dependencies of encoding and decoding cursors. */
type CursorDeps = { readonly context: RequestContext; readonly secret: Deps['cursorSecret'] };

/** Returns the parameters that a cursor is bound to: all filters, without paging, content and version. */
const cursorFilters = ({ After: _a, Limit: _l, Content: _c, version: _v, ...filters }: AnyQuery): object => filters;

/** Parses the paging parameters. A cursor continues on the day of its first page; a cursor of another list is rejected. */
export const parsePageRequest = (
  query: AnyQuery,
  asOf: LocalDate,
  { context: { product, version, path }, secret }: CursorDeps,
): PageRequest => {
  // The three searches share parameters, so the path is part of the hash.
  const scope = { product: `${product}/${version}`, queryHash: hashQuery({ path, ...cursorFilters(query) }) };
  if (query.After === undefined) return { day: asOf, after: undefined, limit: query.Limit, scope };
  const { position, totalCount } = decodeCursor(secret, scope, query.After);
  const day = position.readInt32BE(0) as LocalDate;
  return { day, after: { id: position.readInt32BE(4), totalCount }, limit: query.Limit, scope };
};

const encodePosition = (day: LocalDate, id: number): Buffer => {
  const bytes = Buffer.alloc(POSITION_BYTES);
  bytes.writeInt32BE(day, 0);
  bytes.writeInt32BE(id, 4);
  return bytes;
};

/** Returns the entries of a page and its paging. Throws `cursor-gone` if the matches no longer contain the cursor's record. */
export const buildPage = <Entry>(
  matches: SearchResult<Entry>,
  { day, after, limit, scope }: PageRequest,
  { context, secret, idOf }: CursorDeps & { readonly idOf: (entry: Entry) => number },
) => {
  const page = matches.page(limit, after?.id);
  if (!page) throw cursorGoneProblem();
  const totalCount = after?.totalCount ?? matches.count;
  const last = page.entries.at(-1);
  const next =
    !page.isLast && last !== undefined
      ? pageUrl(context.requestUrl, {
          parameter: 'After',
          cursor: encodeCursor(secret, { ...scope, position: encodePosition(day, idOf(last)), totalCount }),
          defaults: { Limit: String(limit), version: context.version },
        })
      : undefined;
  return {
    entries: page.entries,
    paging: { limit, totalCount, totalPages: Math.ceil(totalCount / limit), ...(next !== undefined && { next }) },
  };
};
