import type { LocalDate } from '../../../domain/time/dates.ts';
import type { Found } from '../../../domain/master-data/found.ts';
import { cursorGone, hashQuery, openCursor, sealCursor, type CursorScope } from '../../../http/handler/cursor.ts';
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

/** A list on its way: the day whose records it shows, and the record that ended the page before. */
export type PageRequest = {
  readonly day: LocalDate;
  readonly after: { readonly id: number; readonly totalCount: number } | undefined;
  readonly limit: number;
  readonly scope: CursorScope;
};

/** What the cursors of a walk are made with. */
type CursorDeps = { readonly context: RequestContext; readonly secret: Deps['cursorSecret'] };

/** What a cursor is bound to: everything that narrows the list, and nothing that only dresses it. */
const cursorFilters = ({ After: _a, Limit: _l, Content: _c, version: _v, ...filters }: AnyQuery): object => filters;

/** Begins a walk on the day asked for, or goes on with one on the day it began with. The cursor of another list is refused. */
export const parsePageRequest = (
  query: AnyQuery,
  asked: LocalDate,
  { context: { product, version, path }, secret }: CursorDeps,
): PageRequest => {
  // The three searches share parameters: the path is a part of the question.
  const scope = { product: `${product}/${version}`, queryHash: hashQuery({ path, ...cursorFilters(query) }) };
  if (query.After === undefined) return { day: asked, after: undefined, limit: query.Limit, scope };
  const { position, totalCount } = openCursor(secret, scope, query.After);
  const day = position.readInt32BE(0) as LocalDate;
  return { day, after: { id: position.readInt32BE(4), totalCount }, limit: query.Limit, scope };
};

const encodePosition = (day: LocalDate, id: number): Buffer => {
  const bytes = Buffer.alloc(POSITION_BYTES);
  bytes.writeInt32BE(day, 0);
  bytes.writeInt32BE(id, 4);
  return bytes;
};

/** The page of a walk over what was found, and where it stands. Throws `cursor-gone` when the record of the cursor is no longer among it. */
export const buildPage = <Entry>(
  found: Found<Entry>,
  { day, after, limit, scope }: PageRequest,
  { context, secret, idOf }: CursorDeps & { readonly idOf: (entry: Entry) => number },
) => {
  const page = found.page(limit, after?.id);
  if (!page) throw cursorGone();
  const totalCount = after?.totalCount ?? found.count;
  const last = page.entries.at(-1);
  const next =
    !page.isLast && last !== undefined
      ? pageUrl(context.requestUrl, {
          parameter: 'After',
          cursor: sealCursor(secret, { ...scope, position: encodePosition(day, idOf(last)), totalCount }),
          settled: { Limit: String(limit), version: context.version },
        })
      : undefined;
  return {
    shown: page.entries,
    paging: { limit, totalCount, totalPages: Math.ceil(totalCount / limit), ...(next !== undefined && { next }) },
  };
};
