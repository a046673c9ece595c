import type { listCarriersRoute } from '#generated/master-data/v1/routes.gen.ts';
import type { CarrierPage } from '#generated/master-data/v1/types.gen.ts';
import { sendRendered } from '#http/context/body.ts';
import type { OperationContext } from '#http/context/env.ts';
import { parseCarriersQuery, parseAsOf } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { createFreshnessHeaders } from './freshness-headers.ts';
import { renderPage } from './text-cache.ts';
import { renderCarrier } from './to-carrier.ts';
import { buildPage, parsePageRequest } from './paging.ts';

/** GET /carriers: one page, from the start or after a cursor. */
export const listCarriers = async (c: OperationContext<typeof listCarriersRoute>, deps: Deps) => {
  const query = c.req.valid('query');
  const variables = c.var;
  const page = parsePageRequest(query, parseAsOf(query.AsOf, deps.clock()), { variables, secret: deps.cursorSecret });
  const records = deps.masterRecords();
  const matches = records.carriers.find(parseCarriersQuery(query), page.day);
  const { entries, paging } = buildPage(matches, page, ({ carrier }) => carrier.id);
  const options = { day: page.day, content: query.Content, records };
  const texts = entries.map((entry) => renderCarrier(entry, options));
  return sendRendered<CarrierPage>(
    c,
    renderPage(texts, paging),
    createFreshnessHeaders(deps, { dependsOnDay: query.AsOf === undefined && query.After === undefined }),
  );
};
