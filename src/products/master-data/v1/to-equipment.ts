import type { Equipment as WireEquipment } from '../../../../generated/master-data/v1/types.gen.ts';
import type { EquipmentEntry } from '../../../domain/master-data/equipment-records.ts';
import { newKeptTexts, provenanceText } from './cached-texts.ts';
import { showCodes } from './to-common.ts';

type Wake = NonNullable<WireEquipment['wakeTurbulence']>;

const isWake = (text: string): text is Wake => ['L', 'L/M', 'M', 'H', 'J'].includes(text);

const showUndressed = ({ iata, icao, name, cargoTonnes, facts }: EquipmentEntry): Omit<WireEquipment, 'provenance'> => {
  const { category, engine, body, manufacturer, group, icaoTypes, faa, wakeTurbulence, serviceTypes } = facts;
  return {
    code: showCodes({ iata, icao, faa }),
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

const openTextOf = newKeptTexts<EquipmentEntry>();

/** The JSON text of a type of equipment as the contract has it. */
export const showEquipment = (entry: EquipmentEntry, content: readonly 'Provenance'[] | undefined): string =>
  `${openTextOf(entry, {}, () => showUndressed(entry))}${provenanceText(entry.facts.provenance, content)}}`;
