import type { SourceId } from '../../../../domain/master-data/data-sources.ts';
import type { EquipmentFacts } from '../../../../domain/master-data/master-data-facts.ts';
import { listAddedEquipment, listEquipmentCorrections } from '../../overrides/equipment-overrides.ts';
import type { ListedAircraft } from '../../sources/aircraft.ts';

/** What all of them say; undefined when they differ or there are none. */
export const agreed = <Item>(items: readonly Item[]): Item | undefined => {
  const [first, ...others] = new Set(items);
  return others.length === 0 ? first : undefined;
};

/** Returns manufacturer and model as one name; a model that already begins with its manufacturer names it once. */
export const formatEquipmentName = (manufacturer: string, model: string): string =>
  manufacturer === '' || model.toLowerCase().startsWith(manufacturer.toLowerCase())
    ? model
    : [manufacturer, model].filter((part) => part !== '').join(' ');

/** A type by its IATA code, names and codes settled. */
export type NamedEquipment = {
  readonly iata: string;
  readonly icao: string;
  readonly icaoTypes: readonly string[];
  readonly manufacturer: string;
  readonly name: string;
  readonly group: string;
  readonly listed: ListedAircraft | undefined;
  /** Its engines by the own list, for the few that no other list describes. */
  readonly ownEngine: EquipmentFacts['engine'] | undefined;
  /** Where the codes, the family and the rest of the name come from. */
  readonly from: Readonly<Record<'iata' | 'icao' | 'name' | 'group', SourceId>>;
};

const source = (isOwn: boolean): SourceId => (isOwn ? 'own' : 'optd-aircraft');

const nameType = (iata: string, listed: ListedAircraft | undefined): NamedEquipment => {
  const added = listed ? undefined : listAddedEquipment().get(iata);
  const own = added ?? listEquipmentCorrections().get(iata);
  const manufacturer = own?.manufacturer ?? listed?.manufacturer ?? '';
  const icao = own?.icao ?? listed?.icao ?? '';
  return {
    iata,
    icao,
    icaoTypes: own?.icaoTypes ?? (icao === '' ? [] : [icao]),
    manufacturer,
    name: formatEquipmentName(manufacturer, own?.model ?? listed?.model ?? ''),
    group: own?.group ?? listed?.group ?? '',
    listed,
    ownEngine: listEquipmentCorrections().get(iata)?.engine,
    from: {
      iata: source(added !== undefined),
      icao: source(own?.icao !== undefined && own.icao !== listed?.icao),
      name: source(own?.model !== undefined),
      group: source(own?.group !== undefined),
    },
  };
};

/** A family is flown under the designators of its members; one that they all share is the family's own. */
export const completeFamilies = (types: readonly NamedEquipment[]): readonly NamedEquipment[] => {
  const members = Map.groupBy(types, ({ group }) => group);
  return types.map((type) => {
    const ofMembers = members.get(type.iata)?.flatMap(({ icaoTypes }) => icaoTypes) ?? [];
    if (ofMembers.length === 0) return type;
    const icaoTypes = [...new Set([...type.icaoTypes, ...ofMembers])].toSorted();
    const icao = type.icao || (agreed(icaoTypes) ?? '');
    return { ...type, icao, icaoTypes, from: { ...type.from, icao: 'own' } };
  });
};

/** Every type of the list of aircraft and of this service's own, by IATA code, with its codes and names settled. */
export const nameEquipment = (aircraft: ReadonlyMap<string, ListedAircraft>): readonly NamedEquipment[] =>
  [...new Set([...aircraft.keys(), ...listAddedEquipment().keys()])]
    .toSorted()
    .map((iata) => nameType(iata, aircraft.get(iata)));
