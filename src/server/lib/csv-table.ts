import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** The rows of a table: the text of each cell by the name of its column, '' for an empty cell. */
export type CsvTable<Column extends string> = readonly Readonly<Record<Column, string>>[];

/** The names of the columns of a header such as `code,name`. */
export type ColumnOf<Header extends string> = Header extends `${infer First},${infer Rest}`
  ? First | ColumnOf<Rest>
  : Header;

/**
 * Reads a CSV file that ships with the program: a header line, then rows. Lines that begin with `#` are comments.
 * Throws an Error when the first line is not exactly `header`.
 */
export const readCsvTable = <Header extends string>(file: URL, header: Header): CsvTable<ColumnOf<Header>> => {
  const [columns = [], ...rows] = parse(readFileSync(file, 'utf8'), { comment: '#', comment_no_infix: true });
  if (columns.join() !== header) throw new Error(`${file.pathname} has the columns ${columns.join()}`);
  return rows.map((row) => {
    const cells = columns.map((column, index) => [column, row[index] ?? '']);
    // Object.fromEntries loses the literal types of the keys.
    return Object.fromEntries(cells) as Record<ColumnOf<Header>, string>;
  });
};

/** Returns the text of a cell as one of the values that its column may have; throws a RangeError for any other text. */
export const parseChoice = <Choice extends string>(text: string, choices: readonly Choice[]): Choice => {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new RangeError(`'${text}' is not one of ${choices.join(', ')}`);
  return choice;
};
