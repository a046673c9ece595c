import type { EquipmentPage } from '../../../../generated/master-data/v1/types.gen.ts';
import { localDate } from '../../../domain/time/dates.ts';
import type { RequestContext } from '../../../http/request/request-context.ts';
import { parseEquipmentQuery } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { createFreshnessHeaders } from './freshness-headers.ts';
import { renderPage } from './text-cache.ts';
import type { EquipmentQuery } from './routes.ts';
import { renderEquipment } from './to-equipment.ts';
import { buildPage, parsePageRequest } from './paging.ts';

/** Equipment types have no validity dates; the day in their cursors is a constant. */
const EVERY_DAY = localDate('1970-01-01');

/** GET /equipment: one page, from the start or after a cursor. */
export const listEquipment = async (query: EquipmentQuery, context: RequestContext, deps: Deps) => {
  const page = parsePageRequest(query, EVERY_DAY, { context, secret: deps.cursorSecret });
  const matches = deps.masterRecords().equipment.find(parseEquipmentQuery(query));
  const { entries, paging } = buildPage(matches, page, ({ id }) => id);
  const texts = entries.map((entry) => renderEquipment(entry, query.Content));
  return renderPage<EquipmentPage>(texts, paging, createFreshnessHeaders(deps, { dependsOnDay: false }));
};
