import { expect, test } from 'vitest';
import type { MctRecord } from '#domain/connections/mct/mct-record.ts';
import { mct, formatMctFile, formatRecord, side, type MctFields } from '#test/support/mct-lines.ts';
import { readMctText } from './read-mct-lines.ts';

const standard = { 1: '2', 2: 'LHR', 5: '0100', 9: 'II', 11: 'LHR' };
const exception = { ...standard, 14: 'XX', 19: 'XX', 87: 'N' };

const read = async (...layers: readonly MctFields[]): Promise<MctRecord | undefined> => {
  // Another record prevents the rejection of the file when this one is quarantined.
  const other = formatRecord({ 1: '2', 2: 'ZRH', 5: '0040', 9: 'DD', 11: 'ZRH' });
  const { records } = await readMctText(formatMctFile(formatRecord(...layers), other));
  return records.find(({ line }) => line === 2);
};

test('reads a station standard with all its blank fields', async () => {
  expect(await read(standard)).toStrictEqual(mct());
});

// The test of files that are read as they were written has every field; these are values it does not have.
test.each<readonly [string, MctFields, Partial<MctRecord>]>([
  ['no arrival station', { 2: '   ' }, { arrivalStation: '' }],
  ['the longest time', { 5: '9959' }, { minutes: 5999 }],
  ['no time at all between flights', { 5: '0000' }, { minutes: 0 }],
  ['the Schengen area', { 69: 'SCH' }, { departure: side({ carrier: 'XX', region: 'SCH' }) }],
  ['an action that adds', { 104: 'A' }, {}],
  ['a filing date, which is ignored', { 97: '01JAN26' }, {}],
])('reads a carrier exception with %s', async (_, bytes, expected) => {
  const carriers = { arrival: side({ carrier: 'XX' }), departure: side({ carrier: 'XX' }) };
  expect(await read(exception, bytes)).toStrictEqual(mct({ ...carriers, suppression: 'N', ...expected }));
});

test('a suppression that is lifted may have a time or none', async () => {
  expect(await read(exception, { 5: '0130' })).toMatchObject({ suppression: 'N', minutes: 90 });
  expect(await read(exception, { 5: '    ' })).toMatchObject({ suppression: 'N', minutes: undefined });
});

test("a suppression is lifted by a carrier's record that leaves the indicator blank", async () => {
  expect(await read(exception, { 87: ' ' })).toMatchObject({ suppression: 'N', minutes: 60 });
  expect(await read(standard, { 17: 'XX' })).toMatchObject({ suppression: 'N', minutes: 60 });
});

test('a suppression does not apply to a station standard', async () => {
  expect(await read(standard)).toMatchObject({ suppression: '', minutes: 60 });
});

test.each<readonly [MctFields, string, readonly [number, number], string, string]>([
  [{ 2: 'LH1' }, 'arrival station', [2, 4], 'LH1', 'bad-station'],
  [{ 2: 'LH ' }, 'arrival station', [2, 4], 'LH ', 'bad-station'],
  [{ 2: '***' }, 'arrival station', [2, 4], '***', 'default-of-all-stations'],
  [{ 11: '***' }, 'departure station', [11, 13], '***', 'default-of-all-stations'],
  [{ 5: '0060' }, 'time', [5, 8], '0060', 'bad-time'],
  [{ 5: ' 100' }, 'time', [5, 8], ' 100', 'bad-time'],
  [{ 5: '1a30' }, 'time', [5, 8], '1a30', 'bad-time'],
  [{ 5: '+100' }, 'time', [5, 8], '+100', 'bad-time'],
  [{ 5: '999 ' }, 'time', [5, 8], '999 ', 'old-suppression'],
  [{ 5: ' 999' }, 'time', [5, 8], ' 999', 'old-suppression'],
  [{ 5: '1959' }, 'time', [5, 8], '1959', 'old-suppression'],
  [{ 5: '1959', 87: 'Y' }, 'time', [5, 8], '1959', 'old-suppression'],
  [{ 5: '0100', 87: 'Y' }, 'time', [5, 8], '0100', 'time-of-suppression'],
  [{ 5: '    ', 87: ' ' }, 'time', [5, 8], '    ', 'no-time'],
  [{ 5: '    ', 14: '  ', 19: '  ', 87: 'Y' }, 'suppression', [87, 87], 'Y', 'suppression-without-carrier'],
  [{ 9: 'DX' }, 'status', [9, 10], 'DX', 'bad-status'],
  [{ 9: '  ' }, 'status', [9, 10], '  ', 'bad-status'],
  [{ 14: 'X ' }, 'arrival carrier', [14, 15], 'X ', 'bad-carrier'],
  [{ 14: '99' }, 'arrival carrier', [14, 15], '99', 'bad-carrier'],
  [{ 16: 'N' }, 'arrival codeshare flag', [16, 16], 'N', 'bad-flag'],
  [{ 17: 'yy' }, 'arrival operator', [17, 18], 'yy', 'bad-carrier'],
  [{ 19: 'X ' }, 'departure carrier', [19, 20], 'X ', 'bad-carrier'],
  [{ 21: 'X' }, 'departure codeshare flag', [21, 21], 'X', 'bad-flag'],
  [{ 22: '12' }, 'departure operator', [22, 23], '12', 'bad-carrier'],
  [{ 24: '73 ' }, 'arrival aircraft type', [24, 26], '73 ', 'bad-equipment'],
  [{ 27: 'X' }, 'arrival aircraft body', [27, 27], 'X', 'bad-body'],
  [{ 24: '73H', 27: 'N' }, 'arrival aircraft body', [27, 27], 'N', 'type-and-body'],
  [{ 28: '789', 31: 'W' }, 'departure aircraft body', [31, 31], 'W', 'type-and-body'],
  [{ 32: ' 5' }, 'arrival terminal', [32, 33], ' 5', 'bad-terminal'],
  [{ 34: '5-' }, 'departure terminal', [34, 35], '5-', 'bad-terminal'],
  [{ 36: 'U1' }, 'previous country', [36, 37], 'U1', 'bad-country'],
  [{ 41: 'A ' }, 'next country', [41, 42], 'A ', 'bad-country'],
  [{ 36: 'US', 38: 'JFK' }, 'previous station', [38, 40], 'JFK', 'two-places'],
  [{ 43: 'JFK', 69: 'EUR' }, 'next station', [43, 45], 'JFK', 'two-places'],
  [{ 36: 'FR', 66: 'EUR' }, 'previous region', [66, 68], 'EUR', 'two-places'],
  [{ 46: '0001' }, 'arrival last flight', [50, 53], '    ', 'half-range'],
  [{ 58: '0001' }, 'departure first flight', [54, 57], '    ', 'half-range'],
  [{ 46: '   1', 50: '   9' }, 'arrival first flight', [46, 49], '   1', 'bad-flight-number'],
  [{ 54: '0100', 58: '0099' }, 'departure last flight', [58, 61], '0099', 'bad-range'],
  [{ 62: 'NY' }, 'previous state', [62, 63], 'NY', 'state-without-country'],
  [{ 64: 'N1', 41: 'US' }, 'next state', [64, 65], 'N1', 'bad-state'],
  [{ 66: 'XYZ' }, 'previous region', [66, 68], 'XYZ', 'unknown-region'],
  [{ 69: 'eur' }, 'next region', [69, 71], 'eur', 'unknown-region'],
  [{ 72: '31FEB26' }, 'first date', [72, 78], '31FEB26', 'bad-date'],
  [{ 79: '00XXX00' }, 'last date', [79, 85], '00XXX00', 'bad-date'],
  [{ 72: '02JUN26', 79: '01JUN26' }, 'last date', [79, 85], '01JUN26', 'bad-dates'],
  [{ 87: 'X' }, 'suppression', [87, 87], 'X', 'bad-suppression'],
  [{ 88: 'ZZZ' }, 'suppression region', [88, 90], 'ZZZ', 'unknown-region'],
  [{ 91: 'C1' }, 'suppression country', [91, 92], 'C1', 'bad-country'],
  [{ 93: 'NY' }, 'suppression state', [93, 94], 'NY', 'state-without-country'],
  [{ 95: 'X ' }, 'submitting carrier', [95, 96], 'X ', 'bad-carrier'],
  [{ 104: 'D' }, 'action', [104, 104], 'D', 'bad-action'],
])('a record is quarantined with its line, bytes, field and value %j', async (bytes, field, columns, value, reason) => {
  const good = formatRecord({ 1: '2', 2: 'ZRH', 5: '0040', 9: 'DD', 11: 'ZRH' });
  const { records, report } = await readMctText(formatMctFile(good, formatRecord(exception, bytes)));
  expect(records).toHaveLength(1);
  const entry = { severity: 'quarantined', line: 3, bytes: columns, field, value, reason };
  expect(report.entries).toStrictEqual([{ ...entry, message: expect.any(String) }]);
});

test('an obsolete suppression is quarantined with the form that replaces it', async () => {
  const { report } = await readMctText(formatMctFile(formatRecord(standard), formatRecord(exception, { 5: '999 ' })));
  expect(report.entries[0]?.message).toBe(
    "'999 ' is an obsolete form of suppression; a suppression has the indicator Y and no time.",
  );
});
