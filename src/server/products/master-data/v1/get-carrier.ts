import type { getCarrierRoute } from '#generated/master-data/v1/routes.gen.ts';
import type { Carrier } from '#generated/master-data/v1/types.gen.ts';
import { findByCode } from './find-by-code.ts';
import { parseCodeTypes } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { createFreshnessHeaders } from './freshness-headers.ts';
import { sendRendered } from '#http/context/body.ts';
import type { OperationContext } from '#http/context/env.ts';
import { renderCarrier } from './to-carrier.ts';

/** GET /carriers/{code}: the carrier that owns a code on a day. */
export const getCarrier = async (c: OperationContext<typeof getCarrierRoute>, deps: Deps) => {
  const { code } = c.req.valid('param');
  const query = c.req.valid('query');
  const records = deps.masterRecords();
  const systems = parseCodeTypes(query.CodeType);
  const { entry, day } = findByCode(
    { noun: 'carrier', code, systems, allSystems: ['iata', 'icao'], asOf: query.AsOf, now: deps.clock() },
    (...owned) => records.carriers.listOwners(...owned),
  );
  const text = renderCarrier(entry, { day, content: query.Content, records });
  return sendRendered<Carrier>(
    c,
    Buffer.from(text),
    createFreshnessHeaders(deps, { dependsOnDay: query.AsOf === undefined }),
  );
};
