import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** The rows of a table: the text of each cell by the name of its column, '' for an empty cell. */
export type CsvTable<Column extends string> = readonly Readonly<Record<Column, string>>[];

/**
 * Reads a CSV file that ships with the program: a header line, then rows. Lines that begin with `#` are comments.
 * Throws an Error when the header is not exactly `columns`, in this order.
 */
export const readCsvTable = <Column extends string>(file: URL, columns: readonly Column[]): CsvTable<Column> => {
  const [header = [], ...rows] = parse(readFileSync(file, 'utf8'), { comment: '#', comment_no_infix: true });
  if (header.join() !== columns.join()) throw new Error(`${file.pathname} has the columns ${header.join()}`);
  return rows.map((row) => {
    const cells = columns.map((column, index) => [column, row[index] ?? '']);
    // Object.fromEntries loses the literal types of the keys.
    return Object.fromEntries(cells) as Record<Column, string>;
  });
};

/** Returns the text of a cell as one of the values that its column may have; throws a RangeError for any other text. */
export const parseChoice = <Choice extends string>(text: string, choices: readonly Choice[]): Choice => {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new RangeError(`'${text}' is not one of ${choices.join(', ')}`);
  return choice;
};
