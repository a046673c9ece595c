import { engineTypes, type EquipmentFacts } from '../../../domain/master-data/master-data-facts.ts';
import { suitableServiceTypes, type EquipmentUse } from '../../../domain/schedule/suitable-service-types.ts';
import { cabinBody } from '../../../feeds/master-data/join/equipment/cabin-bodies.ts';
import { equipmentName } from '../../../feeds/master-data/sources/manufacturers.ts';
import { provenanceOf } from '../../../feeds/master-data/join/equipment/provenance-of.ts';
import type { EquipmentRecord } from '../../../store/master-data/equipment.ts';

type DemoEquipment = {
  readonly iata: string;
  readonly icao: string;
  readonly maker: string;
  readonly model: string;
  /** Number and type of its engines, wake category, IATA code of its family; '' for what keeps to the ground. */
  readonly built: string;
  readonly use: EquipmentUse;
  readonly cargoTonnes: number | undefined;
};

/** A type of the demo world with its facts, all of this service's own knowledge. */
export const describeEquipment = (type: DemoEquipment): Required<EquipmentRecord> => {
  const { iata, icao, maker, model, built, use, cargoTonnes } = type;
  const [count = '', engine = '', wakeTurbulence = '', group = ''] = built.split(' ');
  const name = equipmentName(maker, model);
  const facts: Omit<EquipmentFacts, 'provenance'> = {
    category: built === '' ? 'SurfaceVehicle' : 'LandPlane',
    engine: {
      type: engineTypes.find((known) => known === engine) ?? '',
      count: count === '' ? undefined : Number(count),
    },
    body: cabinBody(icao),
    manufacturer: maker,
    group,
    icaoTypes: icao === '' ? [] : [icao],
    faa: icao,
    wakeTurbulence,
    serviceTypes: suitableServiceTypes(use),
  };
  const provenance = provenanceOf({ iata, icao, name, cargoTonnes, facts }, () => 'own');
  return { iata, icao, name, cargoTonnes, facts: { ...facts, provenance } };
};
