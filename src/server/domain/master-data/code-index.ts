import { buildKeyIndex, matchKeys, findPositions, type KeyIndex, type EntryMask } from './key-index.ts';

/** Codes in capitals and the systems they belong to; an undefined member does not filter. */
export type CodeCriteria<System extends string> = {
  readonly codes?: readonly string[] | undefined;
  readonly systems?: readonly System[] | undefined;
};

/** An index of entries by the codes they have. */
export type CodeIndex<System extends string> = {
  /** Returns the positions of the entries with a code, ascending. */
  readonly findPositions: (system: System, code: string) => readonly number[];
  /** Matches entries with any of some codes in any of some systems; without codes, entries with any code in any of the systems. */
  readonly match: (criteria: CodeCriteria<System>) => EntryMask | undefined;
};

/** Builds an index of entries by their codes; '' is no code. */
export const buildCodeIndex = <T, System extends string>(
  entries: readonly T[],
  systems: readonly System[],
  codesOf: (entry: T, system: System) => readonly string[],
): CodeIndex<System> => {
  const bySystem = new Map<System, KeyIndex>(
    systems.map((system) => [system, buildKeyIndex(entries, (entry) => codesOf(entry, system))]),
  );
  const inSystem = buildKeyIndex(entries, (entry) =>
    systems.filter((system) => codesOf(entry, system).some((code) => code !== '')),
  );
  const findByCode = (system: System, code: string): readonly number[] => {
    const index = bySystem.get(system);
    return index ? [...findPositions(index, code)] : [];
  };
  const match = ({ codes, systems }: CodeCriteria<System>): EntryMask | undefined => {
    if (!codes) return systems && matchKeys(inSystem, systems);
    const mask = new Uint8Array(entries.length);
    for (const system of systems ?? [])
      for (const code of codes) for (const position of findByCode(system, code)) mask[position] = 1;
    return mask;
  };
  return { findPositions: findByCode, match };
};
