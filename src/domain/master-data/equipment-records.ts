import type { CodeSystem } from './directory.ts';
import type { EquipmentFacts } from './master-data-facts.ts';
import { indexCodes } from './code-index.ts';
import { foundAt, placesMarked, type Found } from './search-result.ts';
import { indexKeys, markKeys } from './key-index.ts';
import { markNamed, wordsOf } from './name-words.ts';

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
export type EquipmentWanted = {
  readonly codes?: readonly string[] | undefined;
  readonly systems?: readonly CodeSystem[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly bodies?: readonly string[] | undefined;
  readonly manufacturers?: readonly string[] | undefined;
};

/** All equipment in memory, made to be searched. */
export type EquipmentRecords = {
  /** The entries that fit, by code. */
  readonly find: (wanted: EquipmentWanted) => Found<EquipmentEntry>;
  /** The entries that have a code, the one that answers first: that whose own code it is, then those of its family. */
  readonly owners: (system: CodeSystem, code: string) => readonly EquipmentEntry[];
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
const codesIn = ({ iata, icao, facts }: EquipmentEntry, system: CodeSystem): readonly string[] => {
  if (system === 'icao') return [...new Set([icao, ...facts.icaoTypes])];
  return [system === 'iata' ? iata : facts.faa];
};

const sortText = ({ iata, icao }: EquipmentEntry): string => (iata === '' ? `1${icao}` : `0${iata}`);

/** Makes equipment searchable. */
export const newEquipmentRecords = (types: readonly EquipmentEntry[]): EquipmentRecords => {
  const entries = types.toSorted((left, right) => (sortText(left) < sortText(right) ? -1 : 1));
  const count = entries.length;
  const codes = indexCodes(entries, systems, codesIn);
  const categories = indexKeys(entries, ({ facts }) => [facts.category]);
  const bodies = indexKeys(entries, ({ facts }) => [facts.body]);
  const manufacturers = indexKeys(entries, ({ facts }) => wordsOf(facts.manufacturer));

  const owners = (system: CodeSystem, code: string): readonly EquipmentEntry[] => {
    const found = codes.places(system, code).flatMap((place) => entries[place] ?? []);
    const isOwn = ({ icao }: EquipmentEntry): boolean => system !== 'icao' || icao === code;
    return [...found.filter(isOwn), ...found.filter((entry) => !isOwn(entry))];
  };
  const find = (wanted: EquipmentWanted): Found<EquipmentEntry> => {
    const filters = [
      codes.mark(wanted),
      wanted.categories && markKeys(categories, wanted.categories),
      wanted.bodies && markKeys(bodies, wanted.bodies),
      wanted.manufacturers && markNamed(manufacturers, wanted.manufacturers),
    ].filter((marks) => marks !== undefined);
    return foundAt(entries, placesMarked(count, filters), ({ id }) => id);
  };
  return { find, owners };
};
