import type { LocationPage } from '../../../../generated/master-data/v1/types.gen.ts';
import { minuteOfInstant } from '../../../domain/time/dates.ts';
import { answer } from '../../../http/response/rendered.ts';
import type { RequestContext } from '../../../http/request/request-context.ts';
import { parseLocationsQuery, parseAsOf } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { freshnessHeaders } from './freshness-headers.ts';
import { renderPage } from './text-cache.ts';
import type { LocationsQuery } from './routes.ts';
import { clockOf, renderLocation } from './to-location.ts';
import { buildPage, parsePageRequest } from './paging.ts';

/** GET /locations: one page, from the start or from a cursor on. */
export const listLocations = async (query: LocationsQuery, context: RequestContext, deps: Deps) => {
  const wanted = parseLocationsQuery(query);
  const way = { context, secret: deps.cursorSecret };
  const walk = parsePageRequest(query, parseAsOf(query.AsOf, deps.clock()), way);
  const records = deps.masterRecords();
  const now = minuteOfInstant(deps.clock());
  const found = records.locations.find(wanted, walk.day);
  const { shown, paging } = buildPage(found, walk, { ...way, idOf: ({ location }) => location.id });
  const view = { day: walk.day, now, near: wanted.near?.point, content: query.Content, records };
  const texts = shown.map((entry) => renderLocation(entry, view));
  const clockChanges = shown.flatMap(({ location }) => clockOf(location, now)?.since ?? []);
  return answer(
    200,
    renderPage<LocationPage>(texts, paging),
    freshnessHeaders(deps, { dependsOnDay: query.AsOf === undefined && query.After === undefined, clockChanges }),
  );
};
