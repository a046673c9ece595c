import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { parseChoice, readCsvTable } from '#lib/csv-table.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const folder = createTemporaryFolder();
const write = (text: string): URL => pathToFileURL(folder.write('table.csv', text));

test('reads rows by column, with empty and quoted cells, and skips comments', () => {
  const file = write('# Two rows.\ncode,name\nA,"Quoted, with a comma"\n# Between rows.\nB#,\n');
  const expected = [
    { code: 'A', name: 'Quoted, with a comma' },
    { code: 'B#', name: '' },
  ];
  expect(readCsvTable(file, 'code,name')).toEqual(expected);
});

test('rejects a table with other columns', () => {
  expect(() => readCsvTable(write('name,code\nx,A\n'), 'code,name')).toThrow('table.csv has the columns name,code');
});

test('rejects a row with another number of cells than the header', () => {
  expect(() => readCsvTable(write('code,name\nA\n'), 'code,name')).toThrow('Invalid Record Length');
});

test('returns one of the values of a column, and rejects others', () => {
  expect(parseChoice('Y', ['Y', 'N'])).toBe('Y');
  expect(() => parseChoice('y', ['Y', 'N'])).toThrow("'y' is not one of Y, N");
});
