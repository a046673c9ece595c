import type { Equipment } from '../../../../generated/master-data/v1/types.gen.ts';
import { answer } from '../../../http/response/rendered.ts';
import { systemsAsked } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { freshness } from './freshness.ts';
import { renderRecord } from './cached-texts.ts';
import { noSuchRecord } from './record-not-found.ts';
import type { EquipmentInput } from './routes.ts';
import { showEquipment } from './to-equipment.ts';

/** GET /equipment/{code}: the type that answers to a code. */
export const getEquipment = async ({ params, query }: EquipmentInput, deps: Deps) => {
  const { owners } = deps.masterRecords().equipment;
  const [code, systems] = [params.code.toUpperCase(), systemsAsked(query.CodeType)];
  const entry = systems.flatMap((system) => owners(system, code))[0];
  if (!entry)
    throw noSuchRecord({
      noun: 'equipment',
      code,
      systems,
      allSystems: ['iata', 'icao', 'faa'],
      owners: (system) => owners(system, code).map(() => ({ from: '', to: '' })),
    });
  const shown = renderRecord<Equipment>(showEquipment(entry, query.Content));
  return answer(200, shown, freshness(deps, { dependsOnDay: false }));
};
