import type { SourceId } from '#domain/master-data/data-sources.ts';
import type { EquipmentFacts } from '#domain/master-data/master-data-facts.ts';
import { listAddedEquipment, listEquipmentCorrections } from '#feeds/master-data/overrides/equipment-overrides.ts';
import type { ListedAircraft } from '#feeds/master-data/sources/aircraft.ts';

/** Returns the value that all items have, undefined when they differ or there are none. */
export const findCommonValue = <Item>(items: readonly Item[]): Item | undefined => {
  const [first, ...others] = new Set(items);
  return others.length === 0 ? first : undefined;
};

/** Returns manufacturer and model as one name; a model that already begins with its manufacturer names it once. */
export const formatEquipmentName = (manufacturer: string, model: string): string =>
  manufacturer === '' || model.toLowerCase().startsWith(manufacturer.toLowerCase())
    ? model
    : [manufacturer, model].filter((part) => part !== '').join(' ');

/** A type by its IATA code, with its final names and codes. */
export type NamedEquipment = {
  readonly iata: string;
  readonly icao: string;
  readonly icaoTypes: readonly string[];
  readonly manufacturer: string;
  readonly name: string;
  readonly group: string;
  readonly listed: ListedAircraft | undefined;
  /** Engines of the few types that no list describes. */
  readonly engineOverride: EquipmentFacts['engine'] | undefined;

  readonly sources: Readonly<Record<'iata' | 'icao' | 'name' | 'group', SourceId>>;
};

const toSource = (isOwn: boolean): SourceId => (isOwn ? 'own' : 'optd-aircraft');

const nameType = (iata: string, listed: ListedAircraft | undefined): NamedEquipment => {
  const added = listed ? undefined : listAddedEquipment().get(iata);
  const override = added ?? listEquipmentCorrections().get(iata);
  const manufacturer = override?.manufacturer ?? listed?.manufacturer ?? '';
  const icao = override?.icao ?? listed?.icao ?? '';
  return {
    iata,
    icao,
    icaoTypes: override?.icaoTypes ?? (icao === '' ? [] : [icao]),
    manufacturer,
    name: formatEquipmentName(manufacturer, override?.model ?? listed?.model ?? ''),
    group: override?.group ?? listed?.group ?? '',
    listed,
    engineOverride: listEquipmentCorrections().get(iata)?.engine,
    sources: {
      iata: toSource(added !== undefined),
      icao: toSource(override?.icao !== undefined && override.icao !== listed?.icao),
      name: toSource(override?.model !== undefined),
      group: toSource(override?.group !== undefined),
    },
  };
};

/** Gives families the designators of their members; one that all members share is the family's own. */
export const completeFamilies = (types: readonly NamedEquipment[]): readonly NamedEquipment[] => {
  const members = Map.groupBy(types, ({ group }) => group);
  return types.map((type) => {
    const memberDesignators = members.get(type.iata)?.flatMap(({ icaoTypes }) => icaoTypes) ?? [];
    if (memberDesignators.length === 0) return type;
    const icaoTypes = [...new Set([...type.icaoTypes, ...memberDesignators])].toSorted();
    const icao = type.icao || (findCommonValue(icaoTypes) ?? '');
    return { ...type, icao, icaoTypes, sources: { ...type.sources, icao: 'own' } };
  });
};

/** Returns every type of the list of aircraft and of the overrides, by IATA code, with its final codes and names. */
export const nameEquipment = (aircraft: ReadonlyMap<string, ListedAircraft>): readonly NamedEquipment[] =>
  [...new Set([...aircraft.keys(), ...listAddedEquipment().keys()])]
    .toSorted()
    .map((iata) => nameType(iata, aircraft.get(iata)));
