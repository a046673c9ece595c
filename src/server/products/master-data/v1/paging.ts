import type { LocalDate } from '#domain/time/dates.ts';
import type { SearchResult } from '#domain/master-data/search-result.ts';
import { createListCursors, cursorGoneProblem, type ListCursors } from '#http/handler/cursor.ts';
import type { RequestVariables } from '#http/context/env.ts';
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
  readonly cursors: ListCursors;
};

/** Returns the parameters that a cursor is bound to: all filters, without paging, content and version. */
const cursorFilters = ({ After: _a, Limit: _l, Content: _c, version: _v, ...filters }: AnyQuery): object => filters;

/** Parses the paging parameters. A cursor continues on the day of its first page; a cursor of another list is rejected. */
export const parsePageRequest = (
  query: AnyQuery,
  asOf: LocalDate,
  { context, secret }: { readonly context: RequestVariables; readonly secret: Deps['cursorSecret'] },
): PageRequest => {
  const limit = query.Limit;
  // The three searches share parameters, so the path is one of the filters.
  const filters = { path: context.publicPath, ...cursorFilters(query) };
  const cursors = createListCursors(context, { secret, filters, limit });
  const cursor = cursors.decode(query.After);
  if (!cursor) return { day: asOf, after: undefined, limit, cursors };
  const { position, totalCount } = cursor;
  const day = position.readInt32BE(0) as LocalDate;
  return { day, after: { id: position.readInt32BE(4), totalCount }, limit, cursors };
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
  { day, after, limit, cursors }: PageRequest,
  getId: (entry: Entry) => number,
) => {
  const page = matches.page(limit, after?.id);
  if (!page) throw cursorGoneProblem();
  const totalCount = after?.totalCount ?? matches.count;
  const last = page.entries.at(-1);
  const next =
    !page.isLast && last !== undefined
      ? cursors.buildUrl({ position: encodePosition(day, getId(last)), totalCount })
      : undefined;
  return {
    entries: page.entries,
    paging: { limit, totalCount, totalPages: Math.ceil(totalCount / limit), ...(next !== undefined && { next }) },
  };
};
