import { readCsvTable, type CsvTable } from '../../../lib/csv-table.ts';

/** Returns a function that reads `<name>.csv` beside this file on its first call, builds its value from the rows, and keeps it. */
export const createOverrideTable = <Column extends string, Value>(
  name: string,
  columns: readonly Column[],
  build: (rows: CsvTable<Column>) => Value,
): (() => Value) => {
  let loaded: { readonly value: Value } | undefined;
  return () => {
    loaded ??= { value: build(readCsvTable(new URL(`./${name}.csv`, import.meta.url), columns)) };
    return loaded.value;
  };
};
