import type { EquipmentPage } from '../../../../generated/master-data/v1/types.gen.ts';
import { localDate } from '../../../domain/time/dates.ts';
import { answer } from '../../../http/response/rendered.ts';
import type { RequestContext } from '../../../http/request/request-context.ts';
import { parseEquipmentQuery } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { freshnessHeaders } from './freshness-headers.ts';
import { renderPage } from './text-cache.ts';
import type { EquipmentQuery } from './routes.ts';
import { renderEquipment } from './to-equipment.ts';
import { buildPage, parsePageRequest } from './paging.ts';

/** Types of equipment hold on every day: the day of a walk over them means nothing. */
const EVERY_DAY = localDate('1970-01-01');

/** GET /equipment: one page, from the start or from a cursor on. */
export const listEquipment = async (query: EquipmentQuery, context: RequestContext, deps: Deps) => {
  const way = { context, secret: deps.cursorSecret };
  const walk = parsePageRequest(query, EVERY_DAY, way);
  const found = deps.masterRecords().equipment.find(parseEquipmentQuery(query));
  const { shown, paging } = buildPage(found, walk, { ...way, idOf: ({ id }) => id });
  const texts = shown.map((entry) => renderEquipment(entry, query.Content));
  return answer(200, renderPage<EquipmentPage>(texts, paging), freshnessHeaders(deps, { dependsOnDay: false }));
};
