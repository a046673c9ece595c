import type { LocalDate } from '#domain/time/dates.ts';
import type { SearchResult } from '#domain/master-data/search-result.ts';
import { createListCursors, cursorGoneProblem, type ListCursors } from '#http/handler/cursor.ts';
import { decodeInt32s, encodeInt32s } from '#lib/int32-bytes.ts';
import type { RequestVariables } from '#http/context/env.ts';
import type { Deps } from './deps.ts';

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

/** Parses the paging parameters. A cursor continues on the day of its first page; a cursor of another list is rejected. */
export const parsePageRequest = (
  query: AnyQuery,
  asOf: LocalDate,
  { variables, secret }: { readonly variables: RequestVariables; readonly secret: Deps['cursorSecret'] },
): PageRequest => {
  const limit = query.Limit;
  // The three searches share parameters, so the path is one of the filters.
  const filters = { path: variables.publicPath, ...query };
  const cursors = createListCursors(variables, { secret, filters, limit });
  const cursor = cursors.decode(query.After);
  if (!cursor) return { day: asOf, after: undefined, limit, cursors };
  const [day = 0, id = 0] = decodeInt32s(cursor.position);
  return { day: day as LocalDate, after: { id, totalCount: cursor.totalCount }, limit, cursors };
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
      ? cursors.buildUrl({ position: encodeInt32s([day, getId(last)]), totalCount })
      : undefined;
  return {
    entries: page.entries,
    paging: { limit, totalCount, totalPages: Math.ceil(totalCount / limit), ...(next !== undefined && { next }) },
  };
};
