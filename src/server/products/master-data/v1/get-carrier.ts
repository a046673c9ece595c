import type { getCarrierRoute } from '#generated/master-data/v1/routes.gen.ts';
import type { Carrier } from '#generated/master-data/v1/types.gen.ts';
import type { CarrierRecords } from '#domain/master-data/carrier-records.ts';
import { findByCode } from './find-by-code.ts';
import { parseCodeTypes } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { createFreshnessHeaders } from './freshness-headers.ts';
import { sendRendered } from '#http/context/body.ts';
import type { OperationContext } from '#http/context/env.ts';
import { recordNotFoundProblem } from './record-not-found.ts';
import { renderCarrier } from './to-carrier.ts';

/** GET /carriers/{code}: the carrier that owns a code on a day. */
export const getCarrier = async (c: OperationContext<typeof getCarrierRoute>, deps: Deps) => {
  const params = c.req.valid('param');
  const query = c.req.valid('query');
  const records = deps.masterRecords();
  const listOwners: CarrierRecords['listOwners'] = (system, ownedCode, on) =>
    records.carriers.listOwners(system, ownedCode, on);
  const [code, systems] = [params.code.toUpperCase(), parseCodeTypes(query.CodeType)];
  const { entry, day } = findByCode({ code, systems, asOf: query.AsOf, now: deps.clock() }, listOwners);
  if (!entry)
    throw recordNotFoundProblem({
      noun: 'carrier',
      code,
      systems,
      day,
      allSystems: ['iata', 'icao'],
      owners: (system, on) => listOwners(system, code, on).map(({ facts }) => facts.validity),
    });
  const text = renderCarrier(entry, { day, content: query.Content, records });
  return sendRendered<Carrier>(
    c,
    Buffer.from(text),
    createFreshnessHeaders(deps, { dependsOnDay: query.AsOf === undefined }),
  );
};
