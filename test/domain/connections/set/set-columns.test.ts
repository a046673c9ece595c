import { expect, test } from 'vitest';
import { drain } from '#lib/drain.ts';
import { toBytes, columnNames, toColumn, readColumns } from '#domain/connections/set/set-columns.ts';
import type { SetColumns } from '#domain/connections/set/set-columns.ts';

const readAll = (columns: Readonly<Record<string, Uint8Array>>): SetColumns =>
  drain(readColumns({ header: '', columns }));

test('rejects bytes that lack a column, by its name', () => {
  expect(() => readAll({})).toThrow('the connection set has no column recordBoard');
});

test('a column returns the numbers that were written to it', () => {
  const values = [0, 1, 65_535];
  const none = Object.fromEntries(columnNames.map((name) => [name, new Uint8Array()]));
  const read = readAll({ ...none, recordEquipment: toBytes(toColumn('recordEquipment', values)) });
  expect([...read.recordEquipment]).toEqual(values);
  expect([...read.recordSuffix]).toEqual([]);
});

test.each([
  ['recordEquipment', 65_536],
  ['recordSuffix', 256],
  ['unitArrival', 32_768],
  ['unitArrival', -32_769],
] as const)('the column %s rejects %i, which it cannot hold', (name, value) => {
  expect(() => toColumn(name, [0, value])).toThrow(`the column ${name} of a connection set cannot store ${value}`);
});
