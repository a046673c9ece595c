import type { Location } from '../../../../generated/master-data/v1/types.gen.ts';
import { minuteOfInstant } from '../../../domain/time/dates.ts';
import { answer } from '../../../http/response/rendered.ts';
import { findAnswering } from './list-page.ts';
import { systemsAsked } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { freshness } from './freshness.ts';
import { renderRecord } from './cached-texts.ts';
import { noSuchRecord } from './record-not-found.ts';
import type { LocationInput } from './routes.ts';
import { clockOf, showLocation } from './to-location.ts';

/** GET /locations/{code}: the location that answers to a code on a day. */
export const getLocation = async ({ params, query }: LocationInput, deps: Deps) => {
  const records = deps.masterRecords();
  const { owners } = records.locations;
  const [code, systems] = [params.code.toUpperCase(), systemsAsked(query.CodeType)];
  const { entry, day } = findAnswering({ code, systems, asOf: query.AsOf, now: deps.clock() }, owners);
  if (!entry)
    throw noSuchRecord({
      noun: 'location',
      code,
      systems,
      day,
      allSystems: ['iata', 'icao', 'faa'],
      owners: (system, on) => owners(system, code, on).map(({ facts }) => facts.validity),
    });
  const now = minuteOfInstant(deps.clock());
  const shown = renderRecord<Location>(showLocation(entry, { day, now, content: query.Content, records }));
  const since = clockOf(entry.location, now)?.since;
  const clockChanges = since === undefined ? [] : [since];
  return answer(200, shown, freshness(deps, { dependsOnDay: query.AsOf === undefined, clockChanges }));
};
