import type { getEquipmentRoute } from '#generated/master-data/v1/routes.gen.ts';
import type { Equipment } from '#generated/master-data/v1/types.gen.ts';
import { parseCodeTypes } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { createFreshnessHeaders } from './freshness-headers.ts';
import { sendRendered } from '#http/context/body.ts';
import type { OperationContext } from '#http/context/env.ts';
import { recordNotFoundProblem } from './record-not-found.ts';
import { renderEquipment } from './to-equipment.ts';

/** GET /equipment/{code}: the type that owns a code. */
export const getEquipment = async (c: OperationContext<typeof getEquipmentRoute>, deps: Deps) => {
  const params = c.req.valid('param');
  const query = c.req.valid('query');
  const { listOwners } = deps.masterRecords().equipment;
  const [code, systems] = [params.code.toUpperCase(), parseCodeTypes(query.CodeType)];
  const entry = systems.flatMap((system) => listOwners(system, code))[0];
  if (!entry)
    throw recordNotFoundProblem({
      noun: 'equipment',
      code,
      systems,
      allSystems: ['iata', 'icao', 'faa'],
      owners: (system) => listOwners(system, code).map(() => ({ from: '', to: '' })),
    });
  const text = renderEquipment(entry, query.Content);
  return sendRendered<Equipment>(c, Buffer.from(text), createFreshnessHeaders(deps, { dependsOnDay: false }));
};
