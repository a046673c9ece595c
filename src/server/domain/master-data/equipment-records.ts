import type { CodeSystem } from './master-data-index.ts';
import type { EquipmentFacts } from './master-data-facts.ts';
import { buildCodeIndex } from './code-index.ts';
import { createSearchResult, listPositions, type SearchResult } from './search-result.ts';
import { buildKeyIndex, matchKeys } from './key-index.ts';
import { matchNames, listWords } from './name-words.ts';

/** A type of equipment with its facts; missing codes are ''. */
export type EquipmentEntry = {
  /** Stable over loads. */
  readonly id: number;
  readonly iata: string;
  readonly icao: string;
  readonly name: string;
  /** Metric tonnes; undefined when unknown. */
  readonly cargoTonnes: number | undefined;
  readonly facts: EquipmentFacts;
};

/** Criteria for equipment; an undefined member does not filter. Codes are in capitals. */
export type EquipmentFilter = {
  readonly codes?: readonly string[] | undefined;
  readonly systems?: readonly CodeSystem[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly bodies?: readonly string[] | undefined;
  readonly manufacturers?: readonly string[] | undefined;
};

/** All equipment in memory, indexed for searches. */
export type EquipmentRecords = {
  /** Finds the matching entries, by code. */
  readonly find: (filter: EquipmentFilter) => SearchResult<EquipmentEntry>;
  /** Lists the owners of a code: the type with that code as its own first, then those of its family. */
  readonly listOwners: (system: CodeSystem, code: string) => readonly EquipmentEntry[];
};

/** The facts of a type that is known only from schedules. */
export const noEquipmentFacts: EquipmentFacts = {
  category: '',
  engine: { type: '', count: undefined },
  body: '',
  manufacturer: '',
  group: '',
  icaoTypes: [],
  faa: '',
  wakeTurbulence: '',
  serviceTypes: [],
  provenance: {},
};

const systems = ['iata', 'icao', 'faa'] as const;

/** A type matches its own ICAO designator and those of its family. */
const listCodes = ({ iata, icao, facts }: EquipmentEntry, system: CodeSystem): readonly string[] => {
  if (system === 'icao') return [...new Set([icao, ...facts.icaoTypes])];
  return [system === 'iata' ? iata : facts.faa];
};

const sortText = ({ iata, icao }: EquipmentEntry): string => (iata === '' ? `1${icao}` : `0${iata}`);

/** Creates the index of equipment. */
export const createEquipmentRecords = (types: readonly EquipmentEntry[]): EquipmentRecords => {
  const entries = types.toSorted((left, right) => (sortText(left) < sortText(right) ? -1 : 1));
  const count = entries.length;
  const codes = buildCodeIndex(entries, systems, listCodes);
  const categories = buildKeyIndex(entries, ({ facts }) => [facts.category]);
  const bodies = buildKeyIndex(entries, ({ facts }) => [facts.body]);
  const manufacturers = buildKeyIndex(entries, ({ facts }) => listWords(facts.manufacturer));

  const owners = (system: CodeSystem, code: string): readonly EquipmentEntry[] => {
    const owners = codes.findPositions(system, code).flatMap((position) => entries[position] ?? []);
    const isOwn = ({ icao }: EquipmentEntry): boolean => system !== 'icao' || icao === code;
    return [...owners.filter(isOwn), ...owners.filter((entry) => !isOwn(entry))];
  };
  const find = (filter: EquipmentFilter): SearchResult<EquipmentEntry> => {
    const filters = [
      codes.match(filter),
      filter.categories && matchKeys(categories, filter.categories),
      filter.bodies && matchKeys(bodies, filter.bodies),
      filter.manufacturers && matchNames(manufacturers, filter.manufacturers),
    ].filter((marks) => marks !== undefined);
    return createSearchResult(entries, listPositions(count, filters), ({ id }) => id);
  };
  return { find, listOwners: owners };
};
