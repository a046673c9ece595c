import type { Carrier } from '../../../../generated/master-data/v1/types.gen.ts';
import { answer } from '../../../http/response/rendered.ts';
import { findAnswering } from './list-page.ts';
import { systemsAsked } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { freshness } from './freshness.ts';
import { renderRecord } from './cached-texts.ts';
import { noSuchRecord } from './record-not-found.ts';
import type { CarrierInput } from './routes.ts';
import { showCarrier } from './to-carrier.ts';

/** GET /carriers/{code}: the carrier that answers to a code on a day. */
export const getCarrier = async ({ params, query }: CarrierInput, deps: Deps) => {
  const records = deps.masterRecords();
  const { owners } = records.carriers;
  const [code, systems] = [params.code.toUpperCase(), systemsAsked(query.CodeType)];
  const { entry, day } = findAnswering({ code, systems, asOf: query.AsOf, now: deps.clock() }, owners);
  if (!entry)
    throw noSuchRecord({
      noun: 'carrier',
      code,
      systems,
      day,
      allSystems: ['iata', 'icao'],
      owners: (system, on) => owners(system, code, on).map(({ facts }) => facts.validity),
    });
  const shown = renderRecord<Carrier>(showCarrier(entry, { day, content: query.Content, records }));
  return answer(200, shown, freshness(deps, { dependsOnDay: query.AsOf === undefined }));
};
