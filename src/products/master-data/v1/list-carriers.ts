import type { CarrierPage } from '../../../../generated/master-data/v1/types.gen.ts';
import { answer } from '../../../http/response/rendered.ts';
import type { RequestContext } from '../../../http/request/request-context.ts';
import { parseCarriersQuery, parseAsOf } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { freshnessHeaders } from './freshness-headers.ts';
import { renderPage } from './text-cache.ts';
import type { CarriersQuery } from './routes.ts';
import { renderCarrier } from './to-carrier.ts';
import { buildPage, parsePageRequest } from './paging.ts';

/** GET /carriers: one page, from the start or from a cursor on. */
export const listCarriers = async (query: CarriersQuery, context: RequestContext, deps: Deps) => {
  const way = { context, secret: deps.cursorSecret };
  const walk = parsePageRequest(query, parseAsOf(query.AsOf, deps.clock()), way);
  const records = deps.masterRecords();
  const found = records.carriers.find(parseCarriersQuery(query), walk.day);
  const { shown, paging } = buildPage(found, walk, { ...way, idOf: ({ carrier }) => carrier.id });
  const view = { day: walk.day, content: query.Content, records };
  const texts = shown.map((entry) => renderCarrier(entry, view));
  return answer(
    200,
    renderPage<CarrierPage>(texts, paging),
    freshnessHeaders(deps, { dependsOnDay: query.AsOf === undefined && query.After === undefined }),
  );
};
