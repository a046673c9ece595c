import type { listConnectionsRoute } from '#generated/connections/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { setImmediate } from 'node:timers/promises';
import type { ConnectionPage } from '#generated/connections/v1/types.gen.ts';
import { createConnectionSearch, type ConnectionSearch } from '#domain/connections/search/connection-search.ts';
import { createElapsedSearch } from '#domain/connections/search/elapsed-search.ts';
import { findElapsedMinutes, type ConnectionMatch } from '#domain/connections/search/connection-dates.ts';
import type { PublishedConnections } from '#domain/connections/set/connection-set.ts';
import { mapInTurns } from '#lib/map-in-turns.ts';
import { toLastModifiedHeader } from '#http/response/conditional.ts';
import { createListCursors } from '#http/handler/cursor.ts';
import { renderPage } from '#http/handler/paging.ts';
import { sendRendered } from '#http/context/body.ts';
import { parseQuery } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { decodePosition, encodePosition } from './cursor-position.ts';
import { getCurrentSet, createSetHeaders, getSetOfCursor } from './current-set.ts';
import { toConnection } from './to-connection.ts';

const PARAMETER = 'Cursor';

/** A search can examine millions of pairs: it yields to the event loop about every ten milliseconds. */
const PAIRS_PER_SLICE = 20_000;

const runToEnd = async (search: ConnectionSearch): Promise<void> => {
  while (!search.advance(PAIRS_PER_SLICE)) await setImmediate();
};

const renderRows = (
  connections: readonly ConnectionMatch[],
  { set }: PublishedConnections,
  { masterDataIndex }: Pick<Deps, 'masterDataIndex'>,
): Promise<readonly Buffer[]> =>
  mapInTurns(connections, (connection) =>
    Buffer.from(JSON.stringify(toConnection(connection, set, masterDataIndex()))),
  );

/** A response last changed when its set or the master data of its codes was loaded. */
const createFreshnessHeaders = ({ loadedAt }: PublishedConnections, { masterRecords, clock }: Deps) =>
  toLastModifiedHeader(Math.max(loadedAt.getTime(), masterRecords().readAt.getTime()), clock());

/** GET /flight-connections: one page of the current set or, with a cursor, of the set of the first page. */
export const listConnections = async (c: OperationContext<typeof listConnectionsRoute>, deps: Deps) => {
  const query = c.req.valid('query');
  const variables = c.var;
  const filter = parseQuery(query, deps.masterDataIndex());
  const limit = query.Limit;
  const cursors = createListCursors(variables, {
    secret: deps.cursorSecret,
    filters: query,
    limit,
    parameter: PARAMETER,
  });
  const cursor = cursors.decode(query.Cursor);
  const position = cursor && decodePosition(cursor.position);
  const published = position ? getSetOfCursor(position.setId, deps, PARAMETER) : getCurrentSet(deps);
  const isByElapsedTime = query.Sort === 'elapsedTime';
  const search = isByElapsedTime
    ? createElapsedSearch(published.set, filter, {
        after: position && { position: position.connection, elapsedMinutes: position.elapsedMinutes ?? 0 },
        limit,
      })
    : createConnectionSearch(published.set, filter, {
        ...(position && { after: position.connection }),
        limit,
        count: cursor === undefined,
      });
  await runToEnd(search);
  const matches = search.matches();
  const totalCount = cursor ? cursor.totalCount : search.total();
  const connections = matches.slice(0, limit);
  const last = connections.at(-1);
  const next =
    matches.length > limit && last
      ? cursors.buildUrl({
          position: encodePosition({
            setId: published.id,
            connection: last.position,
            elapsedMinutes: isByElapsedTime ? findElapsedMinutes(published.set, last) : undefined,
          }),
          totalCount,
        })
      : undefined;
  const page = renderPage(await renderRows(connections, published, deps), { limit, totalCount, next });
  return sendRendered<ConnectionPage>(c, page, {
    ...createSetHeaders(published),
    ...createFreshnessHeaders(published, deps),
  });
};
