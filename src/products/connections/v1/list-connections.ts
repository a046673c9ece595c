import { setImmediate } from 'node:timers/promises';
import type { ConnectionPage } from '../../../../generated/connections/v1/types.gen.ts';
import { newConnectionWalk, type ConnectionWalk } from '../../../domain/connections/connection-walk.ts';
import type { FoundConnection } from '../../../domain/connections/found-connection.ts';
import type { PublishedConnections } from '../../../domain/connections/published-connections.ts';
import { lastModified } from '../../../http/response/conditional.ts';
import { hashQuery, openCursor, sealCursor } from '../../../http/handler/cursor.ts';
import { envelope, pageUrl } from '../../../http/handler/paging.ts';
import { answer, rendered, type Answer } from '../../../http/response/rendered.ts';
import type { RequestContext } from '../../../http/router/request-context.ts';
import { ask } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { readMark, writeMark } from './cursor-position.ts';
import type { ListQuery } from './routes.ts';
import { servedSet, setHeaders, setOfWalk } from './current-set.ts';
import { showConnection } from './to-connection.ts';

const PARAMETER = 'Cursor';

/** A search can look at millions of pairs: others get their turn in between, every ten milliseconds or so. */
const PAIRS_A_TURN = 20_000;
const ROWS_A_TURN = 50;

/** What a cursor is bound to: everything that narrows the list, and nothing that only dresses it. */
const boundQuery = ({ Cursor: _cursor, Limit: _limit, version: _version, ...filters }: ListQuery): object => filters;

const finish = async (walk: ConnectionWalk): Promise<void> => {
  while (!walk.advance(PAIRS_A_TURN)) await setImmediate();
};

const render = async (
  found: readonly FoundConnection[],
  { set }: PublishedConnections,
  { directory }: Pick<Deps, 'directory'>,
): Promise<readonly Buffer[]> => {
  const rows: Buffer[] = [];
  for (const [index, one] of found.entries()) {
    if (index > 0 && index % ROWS_A_TURN === 0) await setImmediate();
    rows.push(Buffer.from(JSON.stringify(showConnection(one, set, directory()))));
  }
  return rows;
};

/** An answer is as it is since its set was taken up, and the master data it shows codes from were read. */
const freshness = ({ loadedAt }: PublishedConnections, { masterRecords, clock }: Deps) =>
  lastModified(Math.max(loadedAt.getTime(), masterRecords().readAt.getTime()), clock());

/** GET /flight-connections: one page of the set that is served now or, after a cursor, of the set that the walk began in. */
export const listConnections = async (
  query: ListQuery,
  { requestUrl, product, version }: RequestContext,
  deps: Deps,
): Promise<Answer<200, ConnectionPage>> => {
  const wanted = ask(query, deps.directory());
  const scope = { product: `${product}/${version}`, queryHash: hashQuery(boundQuery(query)) };
  const { cursorSecret } = deps;
  const cursor =
    query.Cursor === undefined ? undefined : openCursor(cursorSecret, { ...scope, parameter: PARAMETER }, query.Cursor);
  const mark = cursor && readMark(cursor.position);
  const published = mark ? setOfWalk(mark.setId, deps, PARAMETER) : servedSet(deps);
  const limit = query.Limit;
  const walk = newConnectionWalk(published.set, wanted, {
    ...(mark && { after: mark.place }),
    limit,
    count: cursor === undefined,
  });
  await finish(walk);
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
            position: writeMark({ setId: published.id, place: last.place }),
            totalCount,
          }),
          settled: { Limit: String(limit), version },
        })
      : undefined;
  const page = envelope(await render(shown, published, deps), { limit, totalCount, next });
  return answer(200, rendered<ConnectionPage>(page), { ...setHeaders(published), ...freshness(published, deps) });
};
