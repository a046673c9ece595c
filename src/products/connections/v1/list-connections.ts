import { setImmediate } from 'node:timers/promises';
import type { ConnectionPage } from '../../../../generated/connections/v1/types.gen.ts';
import { createConnectionSearch, type ConnectionSearch } from '../../../domain/connections/search/connection-search.ts';
import type { ConnectionMatch } from '../../../domain/connections/search/connection-dates.ts';
import type { PublishedConnections } from '../../../domain/connections/set/connection-set.ts';
import { lastModified } from '../../../http/response/conditional.ts';
import { hashQuery, openCursor, sealCursor } from '../../../http/handler/cursor.ts';
import { envelope, pageUrl } from '../../../http/handler/paging.ts';
import { answer, rendered, type Answer } from '../../../http/response/rendered.ts';
import type { RequestContext } from '../../../http/request/request-context.ts';
import { parseQuery } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { decodePosition, encodePosition } from './cursor-position.ts';
import type { ListQuery } from './routes.ts';
import { getCurrentSet, setHeaders, getSetOfCursor } from './current-set.ts';
import { toConnection } from './to-connection.ts';

const PARAMETER = 'Cursor';

/** A search can look at millions of pairs: others get their turn in between, every ten milliseconds or so. */
const PAIRS_PER_SLICE = 20_000;
const ROWS_PER_SLICE = 50;

/** What a cursor is bound to: everything that narrows the list, and nothing that only dresses it. */
const cursorFilters = ({ Cursor: _cursor, Limit: _limit, version: _version, ...filters }: ListQuery): object => filters;

const runToEnd = async (walk: ConnectionSearch): Promise<void> => {
  while (!walk.advance(PAIRS_PER_SLICE)) await setImmediate();
};

const renderRows = async (
  found: readonly ConnectionMatch[],
  { set }: PublishedConnections,
  { directory }: Pick<Deps, 'directory'>,
): Promise<readonly Buffer[]> => {
  const rows: Buffer[] = [];
  for (const [index, one] of found.entries()) {
    if (index > 0 && index % ROWS_PER_SLICE === 0) await setImmediate();
    rows.push(Buffer.from(JSON.stringify(toConnection(one, set, directory()))));
  }
  return rows;
};

/** An answer is as it is since its set was taken up, and the master data it shows codes from were read. */
const freshnessHeaders = ({ loadedAt }: PublishedConnections, { masterRecords, clock }: Deps) =>
  lastModified(Math.max(loadedAt.getTime(), masterRecords().readAt.getTime()), clock());

/** GET /flight-connections: one page of the set that is served now or, after a cursor, of the set that the walk began in. */
export const listConnections = async (
  query: ListQuery,
  { requestUrl, product, version }: RequestContext,
  deps: Deps,
): Promise<Answer<200, ConnectionPage>> => {
  const wanted = parseQuery(query, deps.directory());
  const scope = { product: `${product}/${version}`, queryHash: hashQuery(cursorFilters(query)) };
  const { cursorSecret } = deps;
  const cursor =
    query.Cursor === undefined ? undefined : openCursor(cursorSecret, { ...scope, parameter: PARAMETER }, query.Cursor);
  const mark = cursor && decodePosition(cursor.position);
  const published = mark ? getSetOfCursor(mark.setId, deps, PARAMETER) : getCurrentSet(deps);
  const limit = query.Limit;
  const walk = createConnectionSearch(published.set, wanted, {
    ...(mark && { after: mark.connection }),
    limit,
    count: cursor === undefined,
  });
  await runToEnd(walk);
  const found = walk.found();
  const totalCount = cursor ? cursor.totalCount : walk.total();
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const next =
    found.length > limit && last
      ? pageUrl(requestUrl, {
          parameter: PARAMETER,
          cursor: sealCursor(cursorSecret, {
            ...scope,
            position: encodePosition({ setId: published.id, connection: last.position }),
            totalCount,
          }),
          settled: { Limit: String(limit), version },
        })
      : undefined;
  const page = envelope(await renderRows(shown, published, deps), { limit, totalCount, next });
  return answer(200, rendered<ConnectionPage>(page), {
    ...setHeaders(published),
    ...freshnessHeaders(published, deps),
  });
};
