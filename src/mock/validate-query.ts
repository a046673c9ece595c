import { listConnectionsRoute } from '#generated/connections/v1/routes.gen.ts';
import { listFlightInstancesRoute as listFlightInstancesV1Route } from '#generated/flight-info/v1/routes.gen.ts';
import { listFlightInstancesRoute } from '#generated/flight-info/v2/routes.gen.ts';
import { listCarriersRoute, listLocationsRoute } from '#generated/master-data/v1/routes.gen.ts';
import { listSchedulesRoute } from '#generated/schedules/v1/routes.gen.ts';
import type { RouteConfig } from '@hono/zod-openapi';
import { createMasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { parseQuery as parseConnectionsQuery } from '#products/connections/v1/parse-query.ts';
import { toOwnError } from '#products/flight-info/v1/to-own-error.ts';
import { toNextQuery } from '#products/flight-info/v1/parse-query.ts';
import { parseQuery as parseFlightsQuery } from '#products/flight-info/v2/parse-query.ts';
import { parseAsOf, parseLocationsQuery } from '#products/master-data/v1/parse-query.ts';
import { parseQuery as parseSchedulesQuery } from '#products/schedules/v1/parse-query.ts';

/** A query as the schemas of routes read it: each name with all its values. */
export type RawQuery = Readonly<Record<string, readonly string[]>>;

/** Reads a query without the version, which has been selected already. */
export const readRawQuery = (query: string): RawQuery => {
  const raw: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query))
    if (name.toLowerCase() !== 'version') (raw[name] ??= []).push(value);
  return raw;
};

/** No code is known: the rules about parameters need none. */
const masterDataIndex = createMasterDataIndex({
  locations: [],
  carriers: [],
  equipment: [],
  inUse: { carriers: new Set(), locations: new Set() },
});

/** The parsers of the service by route. They check what a schema cannot: dates of the calendar, ranges, and rules about several parameters. */
const parsers = new Map<RouteConfig, (raw: RawQuery, now: Date) => unknown>([
  [
    listFlightInstancesRoute,
    (raw) => parseFlightsQuery(listFlightInstancesRoute.request.query.parse(raw), masterDataIndex),
  ],
  [
    listFlightInstancesV1Route,
    (raw) => {
      try {
        return parseFlightsQuery(toNextQuery(listFlightInstancesV1Route.request.query.parse(raw)), masterDataIndex);
      } catch (error) {
        throw toOwnError(error);
      }
    },
  ],
  [
    listConnectionsRoute,
    (raw) => parseConnectionsQuery(listConnectionsRoute.request.query.parse(raw), masterDataIndex),
  ],
  [listSchedulesRoute, (raw) => parseSchedulesQuery(listSchedulesRoute.request.query.parse(raw), masterDataIndex)],
  [
    listLocationsRoute,
    (raw, now) => {
      const query = listLocationsRoute.request.query.parse(raw);
      return [parseLocationsQuery(query), parseAsOf(query.AsOf, now)];
    },
  ],
  [listCarriersRoute, (raw, now) => parseAsOf(listCarriersRoute.request.query.parse(raw).AsOf, now)],
]);

/** Throws the Problem of a query that the service would reject after its schema accepted it. */
export const validateQuery = (route: RouteConfig, query: string, now: Date): void => {
  parsers.get(route)?.(readRawQuery(query), now);
};
