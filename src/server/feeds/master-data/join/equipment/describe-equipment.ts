import type { SourceId } from '#domain/master-data/data-sources.ts';
import type { EquipmentFacts, Provenance } from '#domain/master-data/master-data-facts.ts';
import type { Equipment } from '#domain/master-data/master-data.ts';
import { listSuitableServiceTypes } from '#domain/schedule/service-types.ts';
import { findCabinBody, listCargoTonnes } from '#feeds/master-data/overrides/equipment-overrides.ts';
import type { IcaoTypeDesignator } from '#feeds/master-data/sources/model-types.ts';
import { findEquipmentUse } from './equipment-use.ts';
import { findCommonValue, formatEquipmentName, type NamedEquipment } from './name-equipment.ts';

/** Properties of equipment, by their names in the contract. */
type EquipmentField =
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

/** Returns the source of every fact that a type has; calls `sourceOf` only for these. */
export const listEquipmentProvenance = (
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

export type DescribedEquipment = Equipment & { readonly facts: EquipmentFacts };

type EquipmentKind = Pick<EquipmentFacts, 'category' | 'engine'>;

/** Wake category J is newer than the list of model types; only this designator has it. */
const superHeavy = new Set(['A388']);

/** Describes a type with an IATA code. `freighters` are the designators for which a freighter has a code. */
export const describeType = (
  type: NamedEquipment,
  {
    designators,
    freighters,
  }: { readonly designators: ReadonlyMap<string, IcaoTypeDesignator>; readonly freighters: ReadonlySet<string> },
): DescribedEquipment => {
  const { iata, icao, icaoTypes, manufacturer, name, group, listed, engineOverride, sources } = type;
  const knownDesignators = icaoTypes
    .map((code) => designators.get(code))
    .filter((described) => described !== undefined);
  const isSurface = listed?.category === 'SurfaceVehicle' || group === 'TRN';
  // Facts of the designators win: their list is maintained with care, and each designator is one type.
  const selectFact = <Fact>(getFact: (described: EquipmentKind) => Fact, fallback: Fact): Fact => {
    if (knownDesignators.length > 0) return findCommonValue(knownDesignators.map(getFact)) ?? fallback;
    if (engineOverride) return getFact({ category: 'LandPlane', engine: engineOverride });
    return listed ? getFact(listed) : fallback;
  };
  const category = isSurface ? 'SurfaceVehicle' : selectFact((described) => described.category, '');
  const engine = {
    type: selectFact((described) => described.engine.type, ''),
    count: selectFact((described) => described.engine.count, undefined),
  };
  const isSuper = icaoTypes.some((code) => superHeavy.has(code));
  const isLight =
    knownDesignators.length > 0 && knownDesignators.every((described) => described.wakeTurbulence.startsWith('L'));
  const hasFreighterCode = icaoTypes.every((code) => freighters.has(code));
  const use = findEquipmentUse({ iata, name, category, isJet: engine.type === 'Jet', isLight, hasFreighterCode });
  const facts = {
    category,
    engine,
    body: findCommonValue(icaoTypes.map(findCabinBody)) ?? '',
    manufacturer,
    group,
    icaoTypes,
    faa: designators.get(icao)?.isInForce ? icao : '',
    wakeTurbulence: isSuper
      ? 'J'
      : (findCommonValue(knownDesignators.map((described) => described.wakeTurbulence)) ?? ''),
    serviceTypes: use === undefined ? [] : listSuitableServiceTypes(use),
  };
  const kindSource: SourceId =
    knownDesignators.length > 0 ? 'vrs-types' : engineOverride || !listed ? 'own' : 'optd-aircraft';
  const sourceByField: Partial<Record<EquipmentField, SourceId>> = {
    'code.iata': sources.iata,
    'code.icao': sources.icao,
    icaoTypes: sources.icao,
    name: sources.name,
    category: isSurface ? sources.iata : kindSource,
    'engine.type': kindSource,
    'engine.count': kindSource,
    manufacturer: sources.iata,
    'group.iata': sources.group,
    wakeTurbulence: isSuper ? 'own' : 'vrs-types',
  };
  const described = { iata, icao, name, cargoTonnes: listCargoTonnes().get(iata) };
  const provenance = listEquipmentProvenance({ ...described, facts }, (field) => sourceByField[field] ?? 'own');
  return { ...described, facts: { ...facts, provenance } };
};

/** Properties that this service derives for a designator of the list of model types. */
const derivedFields: ReadonlySet<EquipmentField> = new Set(['code.faa', 'body', 'group.iata']);

/** Describes a type without an IATA code of its own. No schedule can contain it, so it has no service types. */
export const describeDesignator = (designator: IcaoTypeDesignator, group: string): DescribedEquipment => {
  const { icao, manufacturer, model, category, engine, wakeTurbulence } = designator;
  const facts = {
    category,
    engine,
    body: findCabinBody(icao),
    manufacturer,
    group,
    icaoTypes: [icao],
    faa: icao,
    wakeTurbulence,
    serviceTypes: [],
  };
  const described = { iata: '', icao, name: formatEquipmentName(manufacturer, model), cargoTonnes: undefined };
  const provenance = listEquipmentProvenance({ ...described, facts }, (field) =>
    derivedFields.has(field) ? 'own' : 'vrs-types',
  );
  return { ...described, facts: { ...facts, provenance } };
};
