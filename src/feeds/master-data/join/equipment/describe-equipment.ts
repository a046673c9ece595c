import type { SourceId } from '../../../../domain/master-data/data-sources.ts';
import type { EquipmentFacts, Provenance } from '../../../../domain/master-data/master-data-facts.ts';
import type { Equipment } from '../../../../domain/master-data/master-data.ts';
import { suitableServiceTypes } from '../../../../domain/schedule/suitable-service-types.ts';
import { findCabinBody, listCargoTonnes } from '../../overrides/equipment-overrides.ts';
import type { Designator } from '../../sources/model-types.ts';
import { equipmentUse } from './equipment-use.ts';
import { agreed, formatEquipmentName, type NamedEquipment } from './name-equipment.ts';

/** Fields of equipment as the contract spells them. */
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

export type DescribedEquipment = Equipment & { readonly facts: EquipmentFacts };

type Kind = Pick<EquipmentFacts, 'category' | 'engine'>;

/** Wake category J is younger than the list of model types; only this designator has it. */
const superHeavy = new Set(['A388']);

/** A type with an IATA code. `freighters` are the designators for which a freighter has a code. */
export const describeType = (
  type: NamedEquipment,
  {
    designators,
    freighters,
  }: { readonly designators: ReadonlyMap<string, Designator>; readonly freighters: ReadonlySet<string> },
): DescribedEquipment => {
  const { iata, icao, icaoTypes, manufacturer, name, group, listed, ownEngine, from } = type;
  const flown = icaoTypes.map((code) => designators.get(code)).filter((known) => known !== undefined);
  const isSurface = listed?.category === 'SurfaceVehicle' || group === 'TRN';
  // What the designators say wins: they are kept with care, and each is one type.
  const tell = <Fact>(of: (known: Kind) => Fact, nothing: Fact): Fact => {
    if (flown.length > 0) return agreed(flown.map(of)) ?? nothing;
    if (ownEngine) return of({ category: 'LandPlane', engine: ownEngine });
    return listed ? of(listed) : nothing;
  };
  const category = isSurface ? 'SurfaceVehicle' : tell((known) => known.category, '');
  const engine = {
    type: tell((known) => known.engine.type, ''),
    count: tell((known) => known.engine.count, undefined),
  };
  const isSuper = icaoTypes.some((code) => superHeavy.has(code));
  const isLight = flown.length > 0 && flown.every((known) => known.wakeTurbulence.startsWith('L'));
  const hasFreighterCode = icaoTypes.every((code) => freighters.has(code));
  const use = equipmentUse({ iata, name, category, isJet: engine.type === 'Jet', isLight, hasFreighterCode });
  const facts = {
    category,
    engine,
    body: agreed(icaoTypes.map(findCabinBody)) ?? '',
    manufacturer,
    group,
    icaoTypes,
    faa: designators.get(icao)?.isInForce ? icao : '',
    wakeTurbulence: isSuper ? 'J' : (agreed(flown.map((known) => known.wakeTurbulence)) ?? ''),
    serviceTypes: use === undefined ? [] : suitableServiceTypes(use),
  };
  const fromKind: SourceId = flown.length > 0 ? 'vrs-types' : ownEngine || !listed ? 'own' : 'optd-aircraft';
  const sources: Partial<Record<EquipmentField, SourceId>> = {
    'code.iata': from.iata,
    'code.icao': from.icao,
    icaoTypes: from.icao,
    name: from.name,
    category: isSurface ? from.iata : fromKind,
    'engine.type': fromKind,
    'engine.count': fromKind,
    manufacturer: from.iata,
    'group.iata': from.group,
    wakeTurbulence: isSuper ? 'own' : 'vrs-types',
  };
  const known = { iata, icao, name, cargoTonnes: listCargoTonnes().get(iata) };
  const provenance = provenanceOf({ ...known, facts }, (field) => sources[field] ?? 'own');
  return { ...known, facts: { ...facts, provenance } };
};

/** What this service derives by its own rules of a designator that the list of model types describes. */
const ownOfDesignator: ReadonlySet<EquipmentField> = new Set(['code.faa', 'body', 'group.iata']);

/** A type that no IATA code stands for alone. No schedule can file it, so that it has no service types. */
export const describeDesignator = (designator: Designator, group: string): DescribedEquipment => {
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
  const known = { iata: '', icao, name: formatEquipmentName(manufacturer, model), cargoTonnes: undefined };
  const provenance = provenanceOf({ ...known, facts }, (field) => (ownOfDesignator.has(field) ? 'own' : 'vrs-types'));
  return { ...known, facts: { ...facts, provenance } };
};
