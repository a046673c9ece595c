import type { Location } from '../../../../generated/master-data/v1/types.gen.ts';
import { toUtcMinute } from '../../../domain/time/dates.ts';
import type { LocationRecords } from '../../../domain/master-data/location-records.ts';
import { findByCode } from './find-by-code.ts';
import { parseCodeTypes } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { createFreshnessHeaders } from './freshness-headers.ts';
import { renderRecord } from './text-cache.ts';
import { recordNotFoundProblem } from './record-not-found.ts';
import type { LocationInput } from './routes.ts';
import { getLocationClock, renderLocation } from './to-location.ts';

/** GET /locations/{code}: the location that owns a code on a day. */
export const getLocation = async ({ params, query }: LocationInput, deps: Deps) => {
  const records = deps.masterRecords();
  const listOwners: LocationRecords['listOwners'] = (system, ownedCode, on) =>
    records.locations.listOwners(system, ownedCode, on);
  const [code, systems] = [params.code.toUpperCase(), parseCodeTypes(query.CodeType)];
  const { entry, day } = findByCode({ code, systems, asOf: query.AsOf, now: deps.clock() }, listOwners);
  if (!entry)
    throw recordNotFoundProblem({
      noun: 'location',
      code,
      systems,
      day,
      allSystems: ['iata', 'icao', 'faa'],
      owners: (system, on) => listOwners(system, code, on).map(({ facts }) => facts.validity),
    });
  const now = toUtcMinute(deps.clock());
  const text = renderLocation(entry, { day, now, content: query.Content, records });
  const since = getLocationClock(entry.location, now)?.since;
  const clockChanges = since === undefined ? [] : [since];
  return renderRecord<Location>(
    text,
    createFreshnessHeaders(deps, { dependsOnDay: query.AsOf === undefined, clockChanges }),
  );
};
