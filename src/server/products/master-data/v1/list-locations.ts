import type { listLocationsRoute } from '#generated/master-data/v1/routes.gen.ts';
import type { LocationPage } from '#generated/master-data/v1/types.gen.ts';
import { toUtcMinute } from '#domain/time/dates.ts';
import { sendRendered } from '#http/context/body.ts';
import type { OperationContext } from '#http/context/env.ts';
import { parseLocationsQuery, parseAsOf } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { createFreshnessHeaders } from './freshness-headers.ts';
import { renderPage } from './text-cache.ts';
import { getLocationClock, renderLocation } from './to-location.ts';
import { buildPage, parsePageRequest } from './paging.ts';

/** GET /locations: one page, from the start or after a cursor. */
export const listLocations = async (c: OperationContext<typeof listLocationsRoute>, deps: Deps) => {
  const query = c.req.valid('query');
  const variables = c.var;
  const filter = parseLocationsQuery(query);
  const page = parsePageRequest(query, parseAsOf(query.AsOf, deps.clock()), { variables, secret: deps.cursorSecret });
  const records = deps.masterRecords();
  const now = toUtcMinute(deps.clock());
  const matches = records.locations.find(filter, page.day);
  const { entries, paging } = buildPage(matches, page, ({ location }) => location.id);
  const options = { day: page.day, now, near: filter.near?.point, content: query.Content, records };
  const texts = entries.map((entry) => renderLocation(entry, options));
  const clockChanges = entries.flatMap(({ location }) => getLocationClock(location, now)?.since ?? []);
  return sendRendered<LocationPage>(
    c,
    renderPage(texts, paging),
    createFreshnessHeaders(deps, { dependsOnDay: query.AsOf === undefined && query.After === undefined, clockChanges }),
  );
};
