import type { listFlightInstancesRoute } from '#generated/flight-info/v2/routes.gen.ts';
import type { OperationContext, RequestVariables } from '#http/context/env.ts';
import { readFromReplica } from '#http/middleware/replica-reads.ts';
import type { FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import type { LocalMinute } from '#domain/time/dates.ts';
import { createListCursors, cursorGoneProblem } from '#http/handler/cursor.ts';
import { renderPage } from '#http/handler/paging.ts';
import { sendRendered } from '#http/context/body.ts';
import { listInstances, readListPosition, type InstancePosition } from '#store/flights/flight-instances.ts';
import { addDepartureBounds } from '#store/flights/instance-filter.ts';
import { parseContent, parseQuery, type ListQuery } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { listPageDependencies } from './list-page-dependencies.ts';
import { renderRows } from './render-rows.ts';

const POSITION_BYTES = 12;

const encodePosition = ({ departsAt, keyOrder }: InstancePosition): Buffer => {
  const bytes = Buffer.alloc(POSITION_BYTES);
  bytes.writeInt32BE(departsAt, 0);
  bytes.writeBigInt64BE(keyOrder, 4);
  return bytes;
};

const decodePosition = (bytes: Buffer): InstancePosition => ({
  departsAt: bytes.readInt32BE(0) as LocalMinute,
  keyOrder: bytes.readBigInt64BE(4),
});

const isSamePosition = (a: InstancePosition, b: InstancePosition): boolean =>
  a.departsAt === b.departsAt && a.keyOrder === b.keyOrder;

/** Renders a page of flights, from the start or after a cursor. */
export const renderFlightPage = async (query: ListQuery, variables: RequestVariables, deps: Deps): Promise<Buffer> => {
  const { sql, masterDataIndex, cursorSecret } = deps;
  const filter = await addDepartureBounds(sql, parseQuery(query, masterDataIndex()));
  const limit = query.Limit;
  const cursors = createListCursors(variables, { secret: cursorSecret, filters: query, limit });
  const cursor = cursors.decode(query.After);
  const from = cursor && decodePosition(cursor.position);
  const content = parseContent(query.Content);
  const { withSeats } = content;
  const withStatus = content.status !== undefined || content.withMap;
  // Also reads the cursor's item, to check that it still exists, and one more to know whether a page follows. By latest time, the item can have
  // moved.
  const includesStart = from !== undefined && !filter.latest;
  const { instances: found, count } = await listInstances(sql, filter, {
    from,
    limit: limit + (includesStart ? 2 : 1),
    withCount: cursor === undefined,
    withSeats,
    withStatus,
  });
  const totalCount = cursor?.totalCount ?? count ?? 0;
  if (includesStart && (!found[0] || !isSamePosition(readListPosition(found[0]), from))) throw cursorGoneProblem();
  const following = includesStart ? found.slice(1) : found;
  const instances = following.slice(0, limit);
  const last = instances.at(-1);
  const next =
    following.length > limit && last
      ? cursors.buildUrl({ position: encodePosition(readListPosition(last)), totalCount })
      : undefined;
  const rows = await renderRows(instances, content, { variables, deps });
  if (variables.cacheHint) variables.cacheHint.contents = listPageDependencies(following, { query, filter, content });
  return renderPage(rows, { limit, totalCount, next });
};

/** GET /flight-instances: one page, from the start or after a cursor. */
export const listFlightInstances = async (c: OperationContext<typeof listFlightInstancesRoute>, deps: Deps) => {
  const query = c.req.valid('query');
  const page = await readFromReplica(c, deps.sql, (sql) => renderFlightPage(query, c.var, { ...deps, sql }));
  return sendRendered<FlightInstancePage>(c, page);
};
