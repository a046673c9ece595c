import type { getLocationRoute } from '#generated/master-data/v1/routes.gen.ts';
import type { Location } from '#generated/master-data/v1/types.gen.ts';
import { toUtcMinute } from '#domain/time/dates.ts';
import { findByCode } from './find-by-code.ts';
import { parseCodeTypes } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { createFreshnessHeaders } from './freshness-headers.ts';
import { sendRendered } from '#http/context/body.ts';
import type { OperationContext } from '#http/context/env.ts';
import { getLocationClock, renderLocation } from './to-location.ts';

/** GET /locations/{code}: the location that owns a code on a day. */
export const getLocation = async (c: OperationContext<typeof getLocationRoute>, deps: Deps) => {
  const { code } = c.req.valid('param');
  const query = c.req.valid('query');
  const records = deps.masterRecords();
  const systems = parseCodeTypes(query.CodeType);
  const { entry, day } = findByCode(
    { noun: 'location', code, systems, allSystems: ['iata', 'icao', 'faa'], asOf: query.AsOf, now: deps.clock() },
    (...owned) => records.locations.listOwners(...owned),
  );
  const now = toUtcMinute(deps.clock());
  const text = renderLocation(entry, { day, now, content: query.Content, records });
  const since = getLocationClock(entry.location, now)?.since;
  const clockChanges = since === undefined ? [] : [since];
  return sendRendered<Location>(
    c,
    Buffer.from(text),
    createFreshnessHeaders(deps, { dependsOnDay: query.AsOf === undefined, clockChanges }),
  );
};
