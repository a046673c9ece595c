import { readCsvTable, type ColumnOf, type CsvTable } from '#lib/csv-table.ts';

/** Returns a function that reads `<name>.csv` beside this file on its first call, builds its value from the rows, and keeps it. */
export const createOverrideTable = <Header extends string, Value>(
  name: string,
  header: Header,
  build: (rows: CsvTable<ColumnOf<Header>>) => Value,
): (() => Value) => {
  let loaded: { readonly value: Value } | undefined;
  return () => {
    loaded ??= { value: build(readCsvTable(new URL(`./${name}.csv`, import.meta.url), header)) };
    return loaded.value;
  };
};
