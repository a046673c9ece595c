import type { FlightInstancePage } from '../../../../generated/flight-info/v2/types.gen.ts';
import type { LocalMinute } from '../../../domain/time/dates.ts';
import { cursorGone, hashQuery, openCursor, sealCursor } from '../../../http/handler/cursor.ts';
import { envelope, pageUrl } from '../../../http/handler/paging.ts';
import { rendered, type Rendered } from '../../../http/response/rendered.ts';
import type { RequestContext } from '../../../http/request/request-context.ts';
import { boundDepartures, listInstances, placeOf, type Place } from '../../../store/flights/flight-instances.ts';
import { parseContent, parseQuery } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { describePage } from './describe-page.ts';
import { renderRows } from './render-rows.ts';
import type { ListQuery } from './routes.ts';

const POSITION_BYTES = 12;

const encodePosition = ({ departsAt, keyOrder }: Place): Buffer => {
  const bytes = Buffer.alloc(POSITION_BYTES);
  bytes.writeInt32BE(departsAt, 0);
  bytes.writeBigInt64BE(keyOrder, 4);
  return bytes;
};

const decodePosition = (bytes: Buffer): Place => ({
  departsAt: bytes.readInt32BE(0) as LocalMinute,
  keyOrder: bytes.readBigInt64BE(4),
});

const isSame = (a: Place, b: Place): boolean => a.departsAt === b.departsAt && a.keyOrder === b.keyOrder;

/** What a cursor is bound to: everything that narrows the list, and nothing that only dresses it. */
const cursorFilters = ({
  After: _after,
  Limit: _limit,
  Content: _content,
  version: _version,
  ...filters
}: ListQuery): object => filters;

/** GET /flight-instances: one page, from the start or from a cursor on. */
export const listFlightInstances = async (
  query: ListQuery,
  context: RequestContext,
  deps: Deps,
): Promise<Rendered<FlightInstancePage>> => {
  const { requestUrl, product, version } = context;
  const { sql, directory, cursorSecret } = deps;
  const wanted = await boundDepartures(sql, parseQuery(query, directory()));
  const scope = { product: `${product}/${version}`, queryHash: hashQuery(cursorFilters(query)) };
  const cursor = query.After === undefined ? undefined : openCursor(cursorSecret, scope, query.After);
  const from = cursor && decodePosition(cursor.position);
  const limit = query.Limit;
  const content = parseContent(query.Content);
  const { withSeats } = content;
  const withStatus = content.status !== undefined || content.withMap;
  // The item of the cursor is read again, to see that it is still there; one more tells whether a page follows.
  const { instances: found, count } = await listInstances(sql, wanted, {
    from,
    limit: limit + (from ? 2 : 1),
    withCount: cursor === undefined,
    withSeats,
    withStatus,
  });
  const totalCount = cursor?.totalCount ?? count ?? 0;
  if (from && (!found[0] || !isSame(placeOf(found[0]), from))) throw cursorGone();
  const following = from ? found.slice(1) : found;
  const shown = following.slice(0, limit);
  const last = shown.at(-1);
  const next =
    following.length > limit && last
      ? pageUrl(requestUrl, {
          parameter: 'After',
          cursor: sealCursor(cursorSecret, { ...scope, position: encodePosition(placeOf(last)), totalCount }),
          settled: { Limit: String(limit), version },
        })
      : undefined;
  const rows = await renderRows(shown, content, { context, deps });
  if (context.page) context.page.shows = describePage(following, { query, wanted, content });
  return rendered(envelope(rows, { limit, totalCount, next }));
};
