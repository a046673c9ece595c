import { engineTypes, type EquipmentFacts } from '#domain/master-data/master-data-facts.ts';
import { equipmentUses, listSuitableServiceTypes } from '#domain/schedule/service-types.ts';
import { findCabinBody } from '#feeds/master-data/overrides/equipment-overrides.ts';
import { listEquipmentProvenance } from '#feeds/master-data/join/equipment/describe-equipment.ts';
import { formatEquipmentName } from '#feeds/master-data/join/equipment/name-equipment.ts';
import { parseChoice, readCsvTable } from '#lib/csv-table.ts';
import type { EquipmentUpdate } from '#store/master-data/equipment.ts';

const rows = readCsvTable(
  new URL('data/equipment.csv', import.meta.url),
  'iata,icao,manufacturer,model,engines,engine_type,wake,family,use,cargo_tonnes',
);

const toNumber = (text: string): number | undefined => (text === '' ? undefined : Number(text));

const toRecord = (row: (typeof rows)[number]): Required<EquipmentUpdate> => {
  const { iata, icao, manufacturer, model, family, wake } = row;
  const name = formatEquipmentName(manufacturer, model);
  const cargoTonnes = toNumber(row.cargo_tonnes);
  const facts: Omit<EquipmentFacts, 'provenance'> = {
    category: row.engines === '' ? 'SurfaceVehicle' : 'LandPlane',
    engine: { type: parseChoice(row.engine_type, [...engineTypes, '']), count: toNumber(row.engines) },
    body: findCabinBody(icao),
    manufacturer,
    group: family,
    icaoTypes: icao === '' ? [] : [icao],
    faa: icao,
    wakeTurbulence: wake,
    serviceTypes: listSuitableServiceTypes(parseChoice(row.use, equipmentUses)),
  };
  const provenance = listEquipmentProvenance({ iata, icao, name, cargoTonnes, facts }, () => 'own');
  return { iata, icao, name, cargoTonnes, facts: { ...facts, provenance } };
};

/** The equipment of the demo world. */
export const equipment: readonly Required<EquipmentUpdate>[] = rows.map(toRecord);

const vehicles = new Set(equipment.flatMap(({ iata, facts }) => (facts.category === 'SurfaceVehicle' ? iata : [])));

/** Returns whether a type is a bus, truck or train. */
export const isSurface = (iata: string): boolean => vehicles.has(iata);
