import { buildKeyIndex, matchKeys, findPositions, type KeyIndex, type EntryMask } from './key-index.ts';

/** Codes in capitals, and the systems they are meant in, which go with them; undefined does not narrow. */
export type CodeCriteria<System extends string> = {
  readonly codes?: readonly string[] | undefined;
  readonly systems?: readonly System[] | undefined;
};

/** The entries of a list by their codes in each of several systems. */
export type CodeIndex<System extends string> = {
  /** The places of the entries with a code, ascending. */
  readonly findPositions: (system: System, code: string) => readonly number[];
  /** Marks the entries with any of some codes in any of some systems; without codes, those with any code in any of the systems. */
  readonly match: (asked: CodeCriteria<System>) => EntryMask | undefined;
};

/** An index of entries by the codes they have, which are '' where they have none. */
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
  const places = (system: System, code: string): readonly number[] => {
    const index = bySystem.get(system);
    return index ? [...findPositions(index, code)] : [];
  };
  const mark = ({ codes, systems: spoken }: CodeCriteria<System>): EntryMask | undefined => {
    if (!codes) return spoken && matchKeys(inSystem, spoken);
    const marks = new Uint8Array(entries.length);
    for (const system of spoken ?? [])
      for (const code of codes) for (const place of places(system, code)) marks[place] = 1;
    return marks;
  };
  return { findPositions: places, match: mark };
};
