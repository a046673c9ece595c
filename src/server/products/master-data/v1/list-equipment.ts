import type { listEquipmentRoute } from '#generated/master-data/v1/routes.gen.ts';
import type { EquipmentPage } from '#generated/master-data/v1/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { sendRendered } from '#http/context/body.ts';
import type { OperationContext } from '#http/context/env.ts';
import { parseEquipmentQuery } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { createFreshnessHeaders } from './freshness-headers.ts';
import { renderPage } from './text-cache.ts';
import { renderEquipment } from './to-equipment.ts';
import { buildPage, parsePageRequest } from './paging.ts';

/** Equipment types have no validity dates; the day in their cursors is a constant. */
const EVERY_DAY = localDate('1970-01-01');

/** GET /equipment: one page, from the start or after a cursor. */
export const listEquipment = async (c: OperationContext<typeof listEquipmentRoute>, deps: Deps) => {
  const query = c.req.valid('query');
  const variables = c.var;
  const page = parsePageRequest(query, EVERY_DAY, { variables, secret: deps.cursorSecret });
  const matches = deps.masterRecords().equipment.find(parseEquipmentQuery(query));
  const { entries, paging } = buildPage(matches, page, ({ id }) => id);
  const texts = entries.map((entry) => renderEquipment(entry, query.Content));
  return sendRendered<EquipmentPage>(
    c,
    renderPage(texts, paging),
    createFreshnessHeaders(deps, { dependsOnDay: false }),
  );
};
