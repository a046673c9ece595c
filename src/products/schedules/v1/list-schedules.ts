import type { SchedulePage } from '../../../../generated/schedules/v1/types.gen.ts';
import { cursorGone, hashQuery, openCursor, sealCursor } from '../../../http/handler/cursor.ts';
import { envelope, pageUrl } from '../../../http/handler/paging.ts';
import { rendered, type Rendered } from '../../../http/response/rendered.ts';
import type { RequestContext } from '../../../http/request/request-context.ts';
import {
  countScheduleRecords,
  listScheduleRecords,
  type ListedRecord,
  type RecordPlace,
} from '../../../store/schedules/schedule-records.ts';
import { parseQuery } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { decodePosition, encodePosition, type CursorPosition } from './cursor-position.ts';
import { renderRecords } from './to-schedule-record.ts';
import type { ListQuery } from './routes.ts';

const PARAMETER = 'cursor';

const isSame = (a: RecordPlace, b: RecordPlace): boolean =>
  a.keyOrder === b.keyOrder &&
  a.legOrder === b.legOrder &&
  a.from === b.from &&
  a.flightNumber === b.flightNumber &&
  a.designator === b.designator;

/** What a cursor is bound to: everything that narrows the list, and nothing that only dresses it. */
const cursorFilters = ({
  cursor: _cursor,
  Limit: _limit,
  Content: _content,
  version: _version,
  ...filters
}: ListQuery): object => filters;

const isBackwards = ({ side }: CursorPosition): boolean => side === 'before' || side === 'upTo';

type PageWindow = {
  readonly records: readonly ListedRecord[];
  readonly previous?: CursorPosition;
  readonly next?: CursorPosition;
};

/**
 * The records of a page and the marks of its neighbours. `found` runs away from the mark and has one record more than the page
 * where there is one; with a mark it begins with the record that is marked, which is there still.
 */
const buildWindow = (found: readonly ListedRecord[], mark: CursorPosition | undefined, limit: number): PageWindow => {
  const backwards = mark !== undefined && isBackwards(mark);
  const holdsMark = mark?.side === 'from' || mark?.side === 'upTo';
  const beyond = mark && !holdsMark ? found.slice(1) : found;
  const away = beyond.slice(0, limit);
  const shown = backwards ? away.toReversed() : away;
  const [first] = shown;
  const last = shown.at(-1);
  if (!first || !last) return mark ? emptyWindow(mark) : { records: shown };
  const hasMore = beyond.length > limit;
  const comesFromMark = mark !== undefined && !holdsMark;
  return {
    records: shown,
    ...((backwards ? hasMore : comesFromMark) && { previous: { side: 'before', record: first.place } }),
    ...((backwards ? comesFromMark : hasMore) && { next: { side: 'after', record: last.place } }),
  };
};

/** A page that has lost all its records still knows where the rest of the list is. */
const emptyWindow = (mark: CursorPosition): PageWindow =>
  isBackwards(mark)
    ? { records: [], next: { side: 'from', record: mark.record } }
    : { records: [], previous: { side: 'upTo', record: mark.record } };

/** GET /flights: one page, from the start or to either side of a cursor. */
export const listSchedules = async (
  query: ListQuery,
  { requestUrl, product, version }: RequestContext,
  { sql, directory, cursorSecret }: Deps,
): Promise<Rendered<SchedulePage>> => {
  const wanted = parseQuery(query, directory());
  const scope = { product: `${product}/${version}`, queryHash: hashQuery(cursorFilters(query)) };
  const cursor =
    query.cursor === undefined ? undefined : openCursor(cursorSecret, { ...scope, parameter: PARAMETER }, query.cursor);
  const mark = cursor && decodePosition(cursor.position);
  const limit = query.Limit;
  const withSeats = query.Content?.includes('Seats') ?? false;
  // The marked record is read again, to see that it is still there; one more tells whether a page follows.
  const [found, totalCount] = await Promise.all([
    listScheduleRecords(sql, wanted, {
      from: mark?.record,
      backwards: mark && isBackwards(mark),
      limit: limit + (mark ? 2 : 1),
      withSeats,
    }),
    cursor ? cursor.totalCount : countScheduleRecords(sql, wanted),
  ]);
  if (mark && (!found[0] || !isSame(found[0].place, mark.record))) throw cursorGone(PARAMETER);
  const { records: shown, previous, next } = buildWindow(found, mark, limit);
  const urlOf = (to: CursorPosition | undefined): string | undefined =>
    to &&
    pageUrl(requestUrl, {
      parameter: PARAMETER,
      cursor: sealCursor(cursorSecret, { ...scope, position: encodePosition(to), totalCount }),
      settled: { Limit: String(limit), version },
    });
  const rows = await renderRecords(sql, shown);
  return rendered(envelope(rows, { limit, totalCount, next: urlOf(next), previous: urlOf(previous) }));
};
