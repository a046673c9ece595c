import type { CarrierPage } from '../../../../generated/master-data/v1/types.gen.ts';
import { answer } from '../../../http/response/rendered.ts';
import type { RequestContext } from '../../../http/router/request-context.ts';
import { askCarriers, dayAsked } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { freshness } from './freshness.ts';
import { renderPage } from './cached-texts.ts';
import type { CarriersQuery } from './routes.ts';
import { showCarrier } from './to-carrier.ts';
import { cutPage, openWalk } from './walk.ts';

/** GET /carriers: one page, from the start or from a cursor on. */
export const listCarriers = async (query: CarriersQuery, context: RequestContext, deps: Deps) => {
  const way = { context, secret: deps.cursorSecret };
  const walk = openWalk(query, dayAsked(query.AsOf, deps.clock()), way);
  const records = deps.masterRecords();
  const found = records.carriers.find(askCarriers(query), walk.day);
  const { shown, paging } = cutPage(found, walk, { ...way, idOf: ({ carrier }) => carrier.id });
  const view = { day: walk.day, content: query.Content, records };
  const texts = shown.map((entry) => showCarrier(entry, view));
  return answer(
    200,
    renderPage<CarrierPage>(texts, paging),
    freshness(deps, { dependsOnDay: query.AsOf === undefined && query.After === undefined }),
  );
};
