import { engineTypes, type EquipmentFacts } from '#domain/master-data/master-data-facts.ts';
import { createOverrideTable } from './override-table.ts';

/** Corrections to a type of the list of aircraft; undefined keeps what the list has. */
export type EquipmentOverride = {
  readonly manufacturer?: string;
  readonly model?: string;
  /** IATA code of the family. */
  readonly group?: string;
  /** The one designator of the type, '' when it has none of its own: a code for several variants. */
  readonly icao?: string;
  readonly icaoTypes?: readonly string[];
  readonly engine?: EquipmentFacts['engine'];
};

const splitCodes = (text: string): readonly string[] => text.split(' ').filter((code) => code !== '');

/** Returns the types that the list of aircraft lacks, by IATA code. Families have no designators here, because their members have. */
export const listAddedEquipment = createOverrideTable(
  'added-equipment',
  'iata,manufacturer,model,family,icao,icao_types',
  (rows): ReadonlyMap<string, Required<Omit<EquipmentOverride, 'engine'>>> =>
    new Map(
      rows.map(({ iata, manufacturer, model, family, icao, icao_types: icaoTypes }) => [
        iata,
        { manufacturer, model, group: family, icao, icaoTypes: splitCodes(icaoTypes) },
      ]),
    ),
);

/**
 * Returns what the list of aircraft lacks, cuts off, misspells or mistakes, by IATA code; a blank cell corrects nothing.
 * Designators are corrected together: `icao_types` are those flown under the code, `icao` is the type's own, if it has one.
 * Engines are those of types that no list describes, most of them never delivered.
 */
export const listEquipmentCorrections = createOverrideTable(
  'corrected-equipment',
  'iata,model,family,icao,icao_types,engine_count,engine_type',
  (rows): ReadonlyMap<string, EquipmentOverride> =>
    new Map(
      rows.map(({ iata, model, family, icao, icao_types: icaoTypes, engine_count: count, engine_type: type }) => [
        iata,
        {
          ...(model === '' ? {} : { model }),
          ...(family === '' ? {} : { group: family }),
          ...(icaoTypes === '' ? {} : { icao, icaoTypes: splitCodes(icaoTypes) }),
          ...(count === ''
            ? {}
            : { engine: { count: Number(count), type: engineTypes.find((known) => known === type) ?? '' } }),
        },
      ]),
    ),
);

/** Wide is at least 4.7 m inside, room for two aisles; narrow is less, made for 20 passengers or more or for freight. */
const bodies = createOverrideTable(
  'cabin-bodies',
  'icao,body',
  (rows): ReadonlyMap<string, EquipmentFacts['body']> =>
    new Map(rows.map(({ icao, body }) => [icao, body === 'Wide' ? 'Wide' : 'Narrow'])),
);

/** Returns the body of an ICAO designator; '' for small aircraft, helicopters and all that is no transport aircraft. */
export const findCabinBody = (icao: string): EquipmentFacts['body'] => bodies().get(icao) ?? '';

/**
 * Returns the usual cargo of types by IATA code, metric tonnes: what a passenger flight has room for besides bags, or the payload
 * of a freighter. Round figures of common knowledge, no limits: airfields, winds and configurations change them by a third and more.
 */
export const listCargoTonnes = createOverrideTable(
  'cargo-tonnes',
  'iata,tonnes',
  (rows): ReadonlyMap<string, number> => new Map(rows.map((row) => [row.iata, Number(row.tonnes)])),
);

const manufacturers = createOverrideTable(
  'manufacturer-names',
  'listed,name',
  (rows): ReadonlyMap<string, string> => new Map(rows.map(({ listed, name }) => [listed, name])),
);

/** Returns the one name of a manufacturer, whatever spelling a list has; '' for words that are no manufacturer. */
export const normalizeManufacturer = (listed: string): string => manufacturers().get(listed) ?? listed;
