import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

type TableRow<Column extends string> = Readonly<Record<Column, string>>;

/**
 * Returns a function that reads `<name>.csv` beside this file on its first call, builds its value from the rows, and keeps it.
 * Blank cells are ''. The tables are part of the program, so a missing column is a programming error.
 */
export const createOverrideTable = <Column extends string, Value>(
  name: string,
  columns: readonly Column[],
  build: (rows: readonly TableRow<Column>[]) => Value,
): (() => Value) => {
  let loaded: { readonly value: Value } | undefined;
  return () => {
    if (loaded) return loaded.value;
    const text = readFileSync(new URL(`./${name}.csv`, import.meta.url));
    const rows = parse<TableRow<Column>>(text, { columns: true });
    const missing = columns.filter((column) => rows.some((row) => row[column] === undefined));
    if (missing.length > 0) throw new Error(`${name}.csv has no column ${missing.join(', ')}`);
    loaded = { value: build(rows) };
    return loaded.value;
  };
};
