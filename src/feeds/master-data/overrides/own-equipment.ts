import type { EquipmentFacts } from '../../../domain/master-data/master-data-facts.ts';

/** What this service's own list says of a type; undefined leaves what the list of aircraft has. */
export type OwnEquipment = {
  readonly manufacturer?: string;
  readonly model?: string;
  readonly group?: string;
  /** The one designator of the type, '' when it has none of its own. */
  readonly icao?: string;
  readonly icaoTypes?: readonly string[];
  readonly engine?: EquipmentFacts['engine'];
};

/** The lines of a list that have something in them. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The words of a line. */
export const wordsOf = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

/** The cells of a line separated by bars. */
export const cellsOf = (line: string): readonly string[] => line.split('|').map((cell) => cell.trim());

/** Designators as the lists write them: the type's own comes first, or `-` where it has none. */
export const readDesignators = (words: readonly string[]): Pick<OwnEquipment, 'icao' | 'icaoTypes'> => {
  const [first = '', ...others] = words;
  const icao = first === '-' ? '' : first;
  return { icao, icaoTypes: [icao, ...others].filter((code) => code !== '').toSorted() };
};
