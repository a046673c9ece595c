import type { CodeSystem } from './directory.ts';
import type { EquipmentFacts } from './master-data-facts.ts';
import { buildCodeIndex } from './code-index.ts';
import { createSearchResult, listPositions, type SearchResult } from './search-result.ts';
import { buildKeyIndex, matchKeys } from './key-index.ts';
import { matchNames, listWords } from './name-words.ts';

/** What is answered for types of equipment. Codes are '' where it has none. */
export type EquipmentEntry = {
  /** The same for as long as the entry is there, over every load. */
  readonly id: number;
  readonly iata: string;
  readonly icao: string;
  readonly name: string;
  /** Metric tonnes; undefined when unknown. */
  readonly cargoTonnes: number | undefined;
  readonly facts: EquipmentFacts;
};

/** What a search of equipment is narrowed by; undefined does not narrow. Codes are in capitals. */
export type EquipmentFilter = {
  readonly codes?: readonly string[] | undefined;
  readonly systems?: readonly CodeSystem[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly bodies?: readonly string[] | undefined;
  readonly manufacturers?: readonly string[] | undefined;
};

/** All equipment in memory, made to be searched. */
export type EquipmentRecords = {
  /** The entries that fit, by code. */
  readonly find: (wanted: EquipmentFilter) => SearchResult<EquipmentEntry>;
  /** The entries that have a code, the one that answers first: that whose own code it is, then those of its family. */
  readonly listOwners: (system: CodeSystem, code: string) => readonly EquipmentEntry[];
};

/** The facts of a type that only a schedule named. */
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

/** A type is found by its own ICAO designator and by those of the family it stands for. */
const listCodes = ({ iata, icao, facts }: EquipmentEntry, system: CodeSystem): readonly string[] => {
  if (system === 'icao') return [...new Set([icao, ...facts.icaoTypes])];
  return [system === 'iata' ? iata : facts.faa];
};

const sortText = ({ iata, icao }: EquipmentEntry): string => (iata === '' ? `1${icao}` : `0${iata}`);

/** Makes equipment searchable. */
export const createEquipmentRecords = (types: readonly EquipmentEntry[]): EquipmentRecords => {
  const entries = types.toSorted((left, right) => (sortText(left) < sortText(right) ? -1 : 1));
  const count = entries.length;
  const codes = buildCodeIndex(entries, systems, listCodes);
  const categories = buildKeyIndex(entries, ({ facts }) => [facts.category]);
  const bodies = buildKeyIndex(entries, ({ facts }) => [facts.body]);
  const manufacturers = buildKeyIndex(entries, ({ facts }) => listWords(facts.manufacturer));

  const owners = (system: CodeSystem, code: string): readonly EquipmentEntry[] => {
    const found = codes.findPositions(system, code).flatMap((place) => entries[place] ?? []);
    const isOwn = ({ icao }: EquipmentEntry): boolean => system !== 'icao' || icao === code;
    return [...found.filter(isOwn), ...found.filter((entry) => !isOwn(entry))];
  };
  const find = (wanted: EquipmentFilter): SearchResult<EquipmentEntry> => {
    const filters = [
      codes.match(wanted),
      wanted.categories && matchKeys(categories, wanted.categories),
      wanted.bodies && matchKeys(bodies, wanted.bodies),
      wanted.manufacturers && matchNames(manufacturers, wanted.manufacturers),
    ].filter((marks) => marks !== undefined);
    return createSearchResult(entries, listPositions(count, filters), ({ id }) => id);
  };
  return { find, listOwners: owners };
};
