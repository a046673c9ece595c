import type { SourceId } from '../../../../domain/master-data/data-sources.ts';
import type { EquipmentFacts, Provenance } from '../../../../domain/master-data/master-data-facts.ts';
import type { Equipment } from '../../../../domain/master-data/master-data.ts';

/** Fields of equipment as the contract spells them. */
export type EquipmentField =
  | 'code.iata'
  | 'code.icao'
  | 'code.faa'
  | 'icaoTypes'
  | 'name'
  | 'category'
  | 'engine.type'
  | 'engine.count'
  | 'body'
  | 'manufacturer'
  | 'group.iata'
  | 'wakeTurbulence'
  | 'cargoTonnage'
  | 'serviceTypes';

/** The source of every fact that a type has; `sourceOf` is asked for these alone. */
export const provenanceOf = (
  type: Equipment & { readonly facts: Omit<EquipmentFacts, 'provenance'> },
  sourceOf: (field: EquipmentField) => SourceId,
): Provenance => {
  const { iata, icao, name, cargoTonnes, facts } = type;
  const values: readonly (readonly [field: EquipmentField, value: string | number | undefined])[] = [
    ['code.iata', iata],
    ['code.icao', icao],
    ['code.faa', facts.faa],
    ['icaoTypes', facts.icaoTypes.join(' ')],
    ['name', name],
    ['category', facts.category],
    ['engine.type', facts.engine.type],
    ['engine.count', facts.engine.count],
    ['body', facts.body],
    ['manufacturer', facts.manufacturer],
    ['group.iata', facts.group],
    ['wakeTurbulence', facts.wakeTurbulence],
    ['cargoTonnage', cargoTonnes],
    ['serviceTypes', facts.serviceTypes.join('')],
  ];
  return Object.fromEntries(
    values
      .filter(([, value]) => value !== '' && value !== undefined)
      .map(([field]): [string, SourceId] => [field, sourceOf(field)]),
  );
};
