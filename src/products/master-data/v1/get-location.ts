import type { Location } from '../../../../generated/master-data/v1/types.gen.ts';
import { minuteOfInstant } from '../../../domain/time/dates.ts';
import { answer } from '../../../http/response/rendered.ts';
import { findByCode } from './find-by-code.ts';
import { parseCodeTypes } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { freshnessHeaders } from './freshness-headers.ts';
import { renderRecord } from './text-cache.ts';
import { recordNotFound } from './record-not-found.ts';
import type { LocationInput } from './routes.ts';
import { clockOf, renderLocation } from './to-location.ts';

/** GET /locations/{code}: the location that answers to a code on a day. */
export const getLocation = async ({ params, query }: LocationInput, deps: Deps) => {
  const records = deps.masterRecords();
  const { owners } = records.locations;
  const [code, systems] = [params.code.toUpperCase(), parseCodeTypes(query.CodeType)];
  const { entry, day } = findByCode({ code, systems, asOf: query.AsOf, now: deps.clock() }, owners);
  if (!entry)
    throw recordNotFound({
      noun: 'location',
      code,
      systems,
      day,
      allSystems: ['iata', 'icao', 'faa'],
      owners: (system, on) => owners(system, code, on).map(({ facts }) => facts.validity),
    });
  const now = minuteOfInstant(deps.clock());
  const shown = renderRecord<Location>(renderLocation(entry, { day, now, content: query.Content, records }));
  const since = clockOf(entry.location, now)?.since;
  const clockChanges = since === undefined ? [] : [since];
  return answer(200, shown, freshnessHeaders(deps, { dependsOnDay: query.AsOf === undefined, clockChanges }));
};
