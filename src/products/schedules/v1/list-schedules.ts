import type { SchedulePage } from '../../../../generated/schedules/v1/types.gen.ts';
import { cursorGone, hashQuery, openCursor, sealCursor } from '../../../http/handler/cursor.ts';
import { envelope, pageUrl } from '../../../http/handler/paging.ts';
import { rendered, type Rendered } from '../../../http/response/rendered.ts';
import type { RequestContext } from '../../../http/router/request-context.ts';
import {
  countScheduleRecords,
  listScheduleRecords,
  type ListedRecord,
  type RecordPlace,
} from '../../../store/schedules/schedule-records.ts';
import { ask } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { readMark, writeMark, type Mark } from './cursor-position.ts';
import { renderRecords } from './render-records.ts';
import type { ListQuery } from './routes.ts';

const PARAMETER = 'cursor';

const isSame = (a: RecordPlace, b: RecordPlace): boolean =>
  a.keyOrder === b.keyOrder &&
  a.legOrder === b.legOrder &&
  a.from === b.from &&
  a.flightNumber === b.flightNumber &&
  a.designator === b.designator;

/** What a cursor is bound to: everything that narrows the list, and nothing that only dresses it. */
const boundQuery = ({
  cursor: _cursor,
  Limit: _limit,
  Content: _content,
  version: _version,
  ...filters
}: ListQuery): object => filters;

const isBackwards = ({ side }: Mark): boolean => side === 'before' || side === 'upTo';

type Window = { readonly shown: readonly ListedRecord[]; readonly previous?: Mark; readonly next?: Mark };

/**
 * The records of a page and the marks of its neighbours. `found` runs away from the mark and has one record more than the page
 * where there is one; with a mark it begins with the record that is marked, which is there still.
 */
const windowOf = (found: readonly ListedRecord[], mark: Mark | undefined, limit: number): Window => {
  const backwards = mark !== undefined && isBackwards(mark);
  const holdsMark = mark?.side === 'from' || mark?.side === 'upTo';
  const beyond = mark && !holdsMark ? found.slice(1) : found;
  const away = beyond.slice(0, limit);
  const shown = backwards ? away.toReversed() : away;
  const [first] = shown;
  const last = shown.at(-1);
  if (!first || !last) return mark ? leadBack(mark) : { shown };
  const hasMore = beyond.length > limit;
  const comesFromMark = mark !== undefined && !holdsMark;
  return {
    shown,
    ...((backwards ? hasMore : comesFromMark) && { previous: { side: 'before', place: first.place } }),
    ...((backwards ? comesFromMark : hasMore) && { next: { side: 'after', place: last.place } }),
  };
};

/** A page that has lost all its records still knows where the rest of the list is. */
const leadBack = (mark: Mark): Window =>
  isBackwards(mark)
    ? { shown: [], next: { side: 'from', place: mark.place } }
    : { shown: [], previous: { side: 'upTo', place: mark.place } };

/** GET /flights: one page, from the start or to either side of a cursor. */
export const listSchedules = async (
  query: ListQuery,
  { requestUrl, product, version }: RequestContext,
  { sql, directory, cursorSecret }: Deps,
): Promise<Rendered<SchedulePage>> => {
  const wanted = ask(query, directory());
  const scope = { product: `${product}/${version}`, queryHash: hashQuery(boundQuery(query)) };
  const cursor =
    query.cursor === undefined ? undefined : openCursor(cursorSecret, { ...scope, parameter: PARAMETER }, query.cursor);
  const mark = cursor && readMark(cursor.position);
  const limit = query.Limit;
  const withSeats = query.Content?.includes('Seats') ?? false;
  // The marked record is read again, to see that it is still there; one more tells whether a page follows.
  const [found, totalCount] = await Promise.all([
    listScheduleRecords(sql, wanted, {
      from: mark?.place,
      backwards: mark && isBackwards(mark),
      limit: limit + (mark ? 2 : 1),
      withSeats,
    }),
    cursor ? cursor.totalCount : countScheduleRecords(sql, wanted),
  ]);
  if (mark && (!found[0] || !isSame(found[0].place, mark.place))) throw cursorGone(PARAMETER);
  const { shown, previous, next } = windowOf(found, mark, limit);
  const urlOf = (to: Mark | undefined): string | undefined =>
    to &&
    pageUrl(requestUrl, {
      parameter: PARAMETER,
      cursor: sealCursor(cursorSecret, { ...scope, position: writeMark(to), totalCount }),
      settled: { Limit: String(limit), version },
    });
  const rows = await renderRecords(sql, shown);
  return rendered(envelope(rows, { limit, totalCount, next: urlOf(next), previous: urlOf(previous) }));
};
