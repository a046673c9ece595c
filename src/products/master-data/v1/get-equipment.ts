import type { Equipment } from '../../../../generated/master-data/v1/types.gen.ts';
import { answer } from '../../../http/response/rendered.ts';
import { parseCodeTypes } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { freshnessHeaders } from './freshness-headers.ts';
import { renderRecord } from './text-cache.ts';
import { recordNotFound } from './record-not-found.ts';
import type { EquipmentInput } from './routes.ts';
import { renderEquipment } from './to-equipment.ts';

/** GET /equipment/{code}: the type that answers to a code. */
export const getEquipment = async ({ params, query }: EquipmentInput, deps: Deps) => {
  const { owners } = deps.masterRecords().equipment;
  const [code, systems] = [params.code.toUpperCase(), parseCodeTypes(query.CodeType)];
  const entry = systems.flatMap((system) => owners(system, code))[0];
  if (!entry)
    throw recordNotFound({
      noun: 'equipment',
      code,
      systems,
      allSystems: ['iata', 'icao', 'faa'],
      owners: (system) => owners(system, code).map(() => ({ from: '', to: '' })),
    });
  const shown = renderRecord<Equipment>(renderEquipment(entry, query.Content));
  return answer(200, shown, freshnessHeaders(deps, { dependsOnDay: false }));
};
