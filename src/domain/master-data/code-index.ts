import { indexKeys, markKeys, placesOf, type KeyIndex, type Marks } from './key-index.ts';

/** Codes in capitals, and the systems they are meant in, which go with them; undefined does not narrow. */
export type CodesAsked<System extends string> = {
  readonly codes?: readonly string[] | undefined;
  readonly systems?: readonly System[] | undefined;
};

/** The entries of a list by their codes in each of several systems. */
export type CodeIndex<System extends string> = {
  /** The places of the entries with a code, ascending. */
  readonly places: (system: System, code: string) => readonly number[];
  /** Marks the entries with any of some codes in any of some systems; without codes, those with any code in any of the systems. */
  readonly mark: (asked: CodesAsked<System>) => Marks | undefined;
};

/** An index of entries by the codes they have, which are '' where they have none. */
export const indexCodes = <T, System extends string>(
  entries: readonly T[],
  systems: readonly System[],
  codesOf: (entry: T, system: System) => readonly string[],
): CodeIndex<System> => {
  const bySystem = new Map<System, KeyIndex>(
    systems.map((system) => [system, indexKeys(entries, (entry) => codesOf(entry, system))]),
  );
  const inSystem = indexKeys(entries, (entry) =>
    systems.filter((system) => codesOf(entry, system).some((code) => code !== '')),
  );
  const places = (system: System, code: string): readonly number[] => {
    const index = bySystem.get(system);
    return index ? [...placesOf(index, code)] : [];
  };
  const mark = ({ codes, systems: spoken }: CodesAsked<System>): Marks | undefined => {
    if (!codes) return spoken && markKeys(inSystem, spoken);
    const marks = new Uint8Array(entries.length);
    for (const system of spoken ?? [])
      for (const code of codes) for (const place of places(system, code)) marks[place] = 1;
    return marks;
  };
  return { places, mark };
};
