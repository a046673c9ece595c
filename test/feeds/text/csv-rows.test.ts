import { expect, test } from 'vitest';
import { FeedError } from '#feeds/feed-error.ts';
import { createLoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';
import { createFeedFile } from '../master-data/feed-file.ts';

const read = async (file: FeedFile, separator: ',' | '^' = ',') => {
  const report = createLoadReport('test');
  const rows: object[] = [];
  for await (const row of readCsvRows(file, { columns: ['code', 'name'], separator, report })) rows.push(row);
  return { rows, entries: report.entries };
};
const toRows = (rows: Readonly<Record<number, readonly [string, string]>>) =>
  Object.entries(rows).map(([line, [code, name]]) => ({ line: Number(line), values: { code, name } }));
const createTowns = (...lines: readonly string[]): FeedFile => createFeedFile('towns.csv', ...lines);

test('finds columns by name in any order, quoted or not, with a byte order mark, and keeps non-ASCII text', async () => {
  const lines = ['\uFEFF"name","extra",code', '"Chişinău, east",1,KIV', '', ' "Say ""hi""" ,2, AAA '];
  const { rows } = await read(createTowns(...lines));

  expect(rows).toEqual(toRows({ 2: ['KIV', 'Chişinău, east'], 4: ['AAA', 'Say "hi"'] }));
});

test('in tables separated by ^ a quote is an ordinary character', async () => {
  const { rows } = await read(createTowns('code^name', 'KIV^"Old" town'), '^');
  expect(rows).toEqual(toRows({ 2: ['KIV', '"Old" town'] }));
});

test('a row with too few or too many cells is quarantined with its line, and the other rows are accepted', async () => {
  const { rows, entries } = await read(createTowns('code,name', 'AAA,One', 'BBB', 'CCC,Three,3', 'DDD,Four'));
  expect(rows).toEqual(toRows({ 2: ['AAA', 'One'], 5: ['DDD', 'Four'] }));

  const entry = { severity: 'quarantined', field: 'towns.csv', reason: 'cells-of-row' };
  expect(entries).toEqual([
    { ...entry, line: 3, value: 'BBB', message: 'The row has 1 cells, but the header of towns.csv has 2.' },
    { ...entry, line: 4, value: 'CCC,Three,3', message: 'The row has 3 cells, but the header of towns.csv has 2.' },
  ]);
});

test('omits and counts incomplete placeholder rows', async () => {
  const { rows, entries } = await read(createTowns('code,name', 'AAA,One', 'TODO:BBB', 'TODO:CCC,a,b,c'));
  expect(rows).toEqual(toRows({ 2: ['AAA', 'One'] }));
  const message = '2 rows of towns.csv are marked as unfinished and were ignored.';
  expect(entries).toEqual([{ severity: 'notice', field: 'towns.csv', value: '2', reason: 'unwritten-row', message }]);
});

const failing = async function* (): AsyncGenerator<Uint8Array> {
  yield Buffer.from('code,name\nAAA,One\n');
  throw new Error('the disk is gone');
};

test.each<[string, FeedFile, string]>([
  ['has another header', createTowns('code,title', 'AAA,One'), 'towns.csv has no column name'],
  ['is empty', { name: 'towns.csv', bytes: (async function* () {})() }, 'towns.csv has no rows'],
  ['is only a header', createTowns('code,name'), 'towns.csv has no rows'],
  ['breaks off within quotes', createTowns('code,name', 'AAA,"One'), 'towns.csv is not a valid CSV file: '],
  ['is unreadable', { name: 'towns.csv', bytes: failing() }, 'towns.csv is not a valid CSV file: the disk is gone'],
])('a file that %s is rejected, and the error names it', async (_what, file, message) => {
  const error = await read(file).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FeedError);
  expect(String(error)).toContain(message);
});
