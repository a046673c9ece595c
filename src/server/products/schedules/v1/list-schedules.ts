import type { listSchedulesRoute } from '#generated/schedules/v1/routes.gen.ts';
import type { OperationContext, RequestVariables } from '#http/context/env.ts';
import { readFromReplica } from '#http/middleware/replica-reads.ts';
import type { SchedulePage } from '#generated/schedules/v1/types.gen.ts';
import { createListCursors, cursorGoneProblem } from '#http/handler/cursor.ts';
import { renderPage } from '#http/handler/paging.ts';
import { sendRendered } from '#http/context/body.ts';
import {
  countScheduleRecords,
  listScheduleRecords,
  type ListedRecord,
  type RecordPosition,
} from '#store/schedules/schedule-records.ts';
import { parseQuery, type ListQuery } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { decodePosition, encodePosition, type CursorPosition } from './cursor-position.ts';
import { renderRecords } from './to-schedule-record.ts';

const PARAMETER = 'cursor';

const isSameRecord = (a: RecordPosition, b: RecordPosition): boolean =>
  a.keyOrder === b.keyOrder &&
  a.legOrder === b.legOrder &&
  a.from === b.from &&
  a.flightNumber === b.flightNumber &&
  a.designator === b.designator;

const isBackwards = ({ side }: CursorPosition): boolean => side === 'before' || side === 'upTo';

type PageWindow = {
  readonly records: readonly ListedRecord[];
  readonly previous?: CursorPosition;
  readonly next?: CursorPosition;
};

/**
 * Returns the records of a page and the positions of its neighbours. `rows` are in the direction of the page and include
 * one more record if there is one; with a position they start with the record of that position.
 */
const buildWindow = (
  rows: readonly ListedRecord[],
  position: CursorPosition | undefined,
  limit: number,
): PageWindow => {
  const backwards = position !== undefined && isBackwards(position);
  const includesRecord = position?.side === 'from' || position?.side === 'upTo';
  const beyond = position && !includesRecord ? rows.slice(1) : rows;
  const pageRows = beyond.slice(0, limit);
  const records = backwards ? pageRows.toReversed() : pageRows;
  const [first] = records;
  const last = records.at(-1);
  if (!first || !last) return position ? emptyWindow(position) : { records };
  const hasMore = beyond.length > limit;
  const hasOrigin = position !== undefined && !includesRecord;
  return {
    records,
    ...((backwards ? hasMore : hasOrigin) && { previous: { side: 'before', record: first.position } }),
    ...((backwards ? hasOrigin : hasMore) && { next: { side: 'after', record: last.position } }),
  };
};

/** A page whose records were all removed links back to the rest of the list. */
const emptyWindow = (position: CursorPosition): PageWindow =>
  isBackwards(position)
    ? { records: [], next: { side: 'from', record: position.record } }
    : { records: [], previous: { side: 'upTo', record: position.record } };

const renderSchedulePage = async (
  query: ListQuery,
  variables: RequestVariables,
  { sql, masterDataIndex, cursorSecret }: Deps,
): Promise<Buffer> => {
  const filter = parseQuery(query, masterDataIndex());
  const limit = query.Limit;
  const cursors = createListCursors(variables, { secret: cursorSecret, filters: query, limit, parameter: PARAMETER });
  const cursor = cursors.decode(query.cursor);
  const position = cursor && decodePosition(cursor.position);
  const withSeats = query.Content?.includes('Seats') ?? false;
  // Also reads the cursor's record, to check that it still exists, and one more to know whether a page follows.
  const [rows, totalCount] = await Promise.all([
    listScheduleRecords(sql, filter, {
      from: position?.record,
      backwards: position && isBackwards(position),
      limit: limit + (position ? 2 : 1),
      withSeats,
    }),
    cursor ? cursor.totalCount : countScheduleRecords(sql, filter),
  ]);
  if (position && (!rows[0] || !isSameRecord(rows[0].position, position.record))) throw cursorGoneProblem(PARAMETER);
  const { records, previous, next } = buildWindow(rows, position, limit);
  const toUrl = (to: CursorPosition | undefined): string | undefined =>
    to && cursors.buildUrl({ position: encodePosition(to), totalCount });
  const texts = await renderRecords(sql, records);
  return renderPage(texts, { limit, totalCount, next: toUrl(next), previous: toUrl(previous) });
};

/** GET /flights: one page, from the start or on either side of a cursor. */
export const listSchedules = async (c: OperationContext<typeof listSchedulesRoute>, deps: Deps) => {
  const query = c.req.valid('query');
  const page = await readFromReplica(c, deps.sql, (sql) => renderSchedulePage(query, c.var, { ...deps, sql }));
  return sendRendered<SchedulePage>(c, page);
};
