import type { Equipment as WireEquipment } from '#generated/master-data/v1/types.gen.ts';
import type { EquipmentEntry } from '#domain/master-data/equipment-records.ts';
import { createTextCache, renderProvenance } from './text-cache.ts';
import { toCodes } from './to-common.ts';

type Wake = NonNullable<WireEquipment['wakeTurbulence']>;

const isWake = (text: string): text is Wake => ['L', 'L/M', 'M', 'H', 'J'].includes(text);

const toEquipment = ({ iata, icao, name, cargoTonnes, facts }: EquipmentEntry): Omit<WireEquipment, 'provenance'> => {
  const { category, engine, body, manufacturer, group, icaoTypes, faa, wakeTurbulence, serviceTypes } = facts;
  return {
    code: toCodes({ iata, icao, faa }),
    icaoTypes: [...icaoTypes],
    ...(name && { name }),
    ...(category && { category }),
    ...((engine.type || engine.count !== undefined) && {
      engine: { ...(engine.type && { type: engine.type }), ...(engine.count !== undefined && { count: engine.count }) },
    }),
    ...(body && { body }),
    ...(manufacturer && { manufacturer }),
    ...(group && { group: { iata: group } }),
    ...(isWake(wakeTurbulence) && { wakeTurbulence }),
    ...(cargoTonnes !== undefined && { cargoTonnage: cargoTonnes }),
    serviceTypes: [...serviceTypes],
  };
};

const cachedText = createTextCache<EquipmentEntry>();

/** Renders an equipment type as JSON text. */
export const renderEquipment = (entry: EquipmentEntry, content: readonly 'Provenance'[] | undefined): string =>
  `${cachedText(entry, {}, () => toEquipment(entry))}${renderProvenance(entry.facts.provenance, content)}}`;
