import { expect, test } from 'vitest';
import type { MctRecord } from '#domain/connections/mct/mct-record.ts';
import { localDate, type LocalDate } from '#domain/time/dates.ts';
import { mct, formatMctFile, formatMctLine, side } from '#test/support/mct-lines.ts';
import { readMctText } from './read-mct-lines.ts';

type Range = readonly [from: number, to: number];
const ofXx = (...[from, to]: Range) => side({ carrier: 'XX', flights: { from, to } });
const arriving = (...range: Range): Partial<MctRecord> => ({ arrival: ofXx(...range), suppression: 'N' });
const departing = (...range: Range): Partial<MctRecord> => ({ departure: ofXx(...range), suppression: 'N' });
const both = (arrival: Range, departure: Range) => ({ ...arriving(...arrival), ...departing(...departure) });
const date = (day: string): LocalDate | undefined => (day === '' ? undefined : localDate(`2026-${day}`));
const dated = (from: string, to: string): Partial<MctRecord> => ({ from: date(from), to: date(to) });
const [inJune, inJuly] = [dated('06-01', '06-30'), dated('07-01', '07-31')];
const exceptionOfXx = { arrival: side({ carrier: 'XX' }) };
const forbidden: Partial<MctRecord> = { ...exceptionOfXx, suppression: 'Y', minutes: undefined };

const remarksOf = async (one: Partial<MctRecord>, other: Partial<MctRecord>): Promise<readonly string[]> =>
  (await readMctText(formatMctFile(formatMctLine(mct(one)), formatMctLine(mct({ minutes: 75, ...other }))))).remarks;

test.each<readonly [string, Partial<MctRecord>, Partial<MctRecord>, string]>([
  ['the same twice', {}, { minutes: 60 }, 'duplicate'],
  ['with two times', {}, {}, 'duplicate'],
  ['of two senders', {}, { submittedBy: 'XX' }, 'duplicate'],
  ['one that forbids and one that lifts', forbidden, { ...exceptionOfXx, suppression: 'N' }, 'duplicate'],
  ['of the same flights', arriving(1, 99), arriving(1, 99), 'duplicate'],
  ['of the same dates', dated('06-01', '06-30'), dated('06-01', '06-30'), 'duplicate'],
  ['with one day in common', dated('06-01', '06-30'), dated('06-30', '07-31'), 'overlapping-dates'],
  ['of dates within others', dated('06-01', '06-30'), dated('06-10', '06-20'), 'overlapping-dates'],
  ['from two dates on', dated('06-01', ''), dated('07-01', ''), 'overlapping-dates'],
  ['of flights that overlap in part', arriving(1000, 2000), arriving(1500, 2500), 'overlapping-flights'],
  ['of departures that overlap in part', departing(1000, 2000), departing(2000, 2500), 'overlapping-flights'],
  ['in part on one side', both([1000, 2000], [1, 99]), both([1500, 2500], [10, 20]), 'overlapping-flights'],
])('of two conflicting records the later is quarantined %s', async (_, one, other, reason) => {
  expect(await remarksOf(one, other)).toEqual([`quarantined ${reason} 3`]);
});

test.each<readonly [string, Partial<MctRecord>, Partial<MctRecord>]>([
  ['for other flights', arriving(1000, 2000), arriving(2001, 2500)],
  ['for flights within those of another', arriving(1000, 2000), arriving(1000, 1500)],
  ['for a single flight', departing(1, 9999), departing(17, 17)],
  ['narrower on one side, wider on the other', both([1, 99], [1, 9]), both([10, 20], [1, 99])],
  ['overlapping on one side, apart on the other', both([1000, 2000], [1, 9]), both([1500, 2500], [10, 99])],
  ['for all flights and for some', { ...exceptionOfXx, suppression: 'N' }, arriving(1, 99)],
  ['for other dates', dated('06-01', '06-30'), dated('07-01', '07-31')],
  ['for all dates and for some', {}, dated('06-01', '06-30')],
  ['from a date on, and until another', dated('06-01', ''), dated('06-01', '06-30')],
  ['until a date, and from another', dated('', '06-30'), dated('06-01', '06-30')],
  ['for another status', {}, { status: 'DD' }],
  ['for another station', {}, { departureStation: 'LGW' }],
  ['for another terminal', {}, { arrival: side({ terminal: '5' }) }],
  ['on other dates', { ...arriving(1000, 2000), ...inJune }, { ...arriving(1500, 2500), ...inJuly }],
])('records do not conflict %s', async (_, one, other) => {
  expect(await remarksOf(one, other)).toEqual([]);
});

test('a quarantined record names the conflicting line, and conflicts with no other record', async () => {
  const ranges = [arriving(1000, 2000), arriving(1500, 2500), arriving(2400, 2600)];
  const { records, report } = await readMctText(formatMctFile(...ranges.map((range) => formatMctLine(mct(range)))));
  expect(records.map(({ line }) => line)).toEqual([2, 4]);
  const message =
    'The record in line 2 applies to some of the same flights, and neither flight range contains the other; the earlier record was used.';
  const entry = { line: 3, bytes: [1, 194], value: 'line 2', reason: 'overlapping-flights', message };
  expect(report.entries).toStrictEqual([{ severity: 'quarantined', ...entry }]);
});
