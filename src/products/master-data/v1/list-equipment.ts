import type { EquipmentPage } from '../../../../generated/master-data/v1/types.gen.ts';
import { localDate } from '../../../domain/time/dates.ts';
import { answer } from '../../../http/response/rendered.ts';
import type { RequestContext } from '../../../http/router/request-context.ts';
import { askEquipment } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { freshness } from './freshness.ts';
import { renderPage } from './cached-texts.ts';
import type { EquipmentQuery } from './routes.ts';
import { showEquipment } from './to-equipment.ts';
import { cutPage, openWalk } from './walk.ts';

/** Types of equipment hold on every day: the day of a walk over them means nothing. */
const EVERY_DAY = localDate('1970-01-01');

/** GET /equipment: one page, from the start or from a cursor on. */
export const listEquipment = async (query: EquipmentQuery, context: RequestContext, deps: Deps) => {
  const way = { context, secret: deps.cursorSecret };
  const walk = openWalk(query, EVERY_DAY, way);
  const found = deps.masterRecords().equipment.find(askEquipment(query));
  const { shown, paging } = cutPage(found, walk, { ...way, idOf: ({ id }) => id });
  const texts = shown.map((entry) => showEquipment(entry, query.Content));
  return answer(200, renderPage<EquipmentPage>(texts, paging), freshness(deps, { dependsOnDay: false }));
};
