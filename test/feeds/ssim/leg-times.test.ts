import { expect, test } from 'vitest';
import { formatDate } from '#domain/time/dates.ts';
import { listDepartureDates } from '#domain/time/period.ts';
import type { ScheduleLeg } from '#domain/schedule/schedule.ts';
import { buildCarrierFile, buildLeg, readFileText, readOneLeg, type RecordBytes, times } from './build-file.ts';

const datesOf = (each: ScheduleLeg | undefined): readonly string[] =>
  each === undefined ? [] : [...listDepartureDates(each.period)].map(formatDate);

const utc = { 48: '+0000', 66: '+0000' };
test.each<readonly [string, RecordBytes, string]>([
  ['zero', { ...times('1100', '0600'), 193: '00' }, '0 minutes for the aircraft'],
  ['a day', { ...times('1100', '1100'), ...utc, 193: '01' }, '1440 minutes for the aircraft'],
  ['negative where a date is written', { ...times('1100', '0559'), 193: '00' }, '-1 minutes for the aircraft'],
  ['over a day where a date is written', { 193: '01' }, '1920 minutes for the aircraft'],
  ['negative for passengers', { ...times('1500', '1200'), ...utc, 44: '1100' }, '-180 minutes for passengers'],
])('times of a leg: the duration of a leg must not be %s', async (_, bytes, duration) => {
  const { leg: read, entries } = await readOneLeg(bytes);
  expect(read).toBeUndefined();
  const message = `The leg takes ${duration}; it must take more than 0 and less than 1440.`;
  expect(entries.map((entry) => [entry.reason, entry.message])).toEqual([['impossible-elapsed-time', message]]);
});

const nextDay = { ...times('2200', '1000'), 48: '-0400', 66: '+0100' };
const twoDaysLater = { ...times('2230', '0630'), 48: '-0700', 66: '+1000' };
const dayBefore = { ...times('0900', '1945'), 48: '+1200', 66: '-1000' };
const late = { 66: '+0100' };
const inferred = ['corrected arrival-date-inferred 4'];
test.each<readonly [string, string, RecordBytes, number, number, readonly string[]]>([
  ['counts days from the origin date', '0A', dayBefore, -1, 1185, []],
  ['counts days from the origin date', '01', nextDay, 1, 600, []],
  ['counts days from the origin date', '02', twoDaysLater, 2, 390, []],
  ['is the same day', '  ', {}, 0, 840, []],
  ['is inferred where only one day is possible', '  ', nextDay, 1, 600, inferred],
  ['is inferred where only one day is possible', '  ', twoDaysLater, 2, 390, inferred],
  ['is inferred where only one day is possible', '  ', dayBefore, -1, 1185, inferred],
  ['of 2400 is that of the day that ends', '00', { ...times('2300', '2400'), ...late }, 0, 1440, []],
  ['of 0000 gets a notice', '01', { ...times('2300', '0000'), ...late }, 1, 0, ['notice arrival-at-0000 4']],
])('times of a leg: the date variation %s: "%s"', async (_, variation, bytes, days, minutes, expected) => {
  const { leg: read, remarks } = await readOneLeg(bytes, { 193: variation });
  expect(read?.departure.dateVariation).toBe(0);
  expect(read?.arrival).toMatchObject({ dateVariation: days, passengerMinutes: minutes, aircraftMinutes: minutes });
  expect(remarks).toEqual(expected);
});

test('times of a leg: reports passengers and aircraft on two sides of midnight', async () => {
  const { remarks } = await readOneLeg({ 40: '2355', 44: '0005', 58: '0300', 62: '0300' });
  expect(remarks).toEqual(['notice passenger-time-another-day 4']);
});

test('times of a leg: in UTC mode the variations do not affect the duration of a leg', async () => {
  const bytes = { ...times('1300', '0030'), 3: 'WW', 37: 'AKL', 48: '+1200', 55: 'SIN', 66: '+0800' };
  const legs = [buildLeg(bytes, { 193: '01' }), buildLeg(bytes, { 6: '0102', 193: '  ' })];
  const { itineraries, remarks } = await readFileText(buildCarrierFile({ 1: '2U', 3: 'WW' }, ...legs));
  const modes = itineraries.map(({ legs: [first] }) => `${first.timeMode} ${first.arrival.dateVariation}`);
  expect(modes).toEqual(['utc 1', 'utc 1']);
  expect(remarks).toEqual(['corrected arrival-date-inferred 4']);
});

test('times of a leg: a UTC variation is read in minutes', async () => {
  const variations = { '+1400': 840, '-1200': -720, '+0545': 345, '+0000': 0, '-0000': 0 };
  for (const [text, minutes] of Object.entries(variations)) {
    const { leg: read } = await readOneLeg(times('1200', '1300'), { 48: text, 66: text });
    expect(read?.departure.utcVariationMinutes, text).toBe(minutes);
  }
});

const friday = { 29: '    5  ' };
const fortnights = { ...friday, 15: '05JUN26', 22: '31JUL26', 36: '2' };
test.each<readonly [string, RecordBytes, string, readonly string[]]>([
  ['includes both ends and only its days', { 22: '15JUN26', 29: '1  4   ' }, '2026-06-01 06-04 06-08 06-11 06-15', []],
  ['of every other week counts from the first date', fortnights, '2026-06-05 06-19 07-03 07-17 07-31', []],
  ['may start without operation', { ...friday, 36: '2' }, '2026-06-05 06-19', ['notice fortnight-start 4']],
])('the period of a leg %s', async (_, bytes, dates, expected) => {
  const { leg: read, remarks } = await readOneLeg(bytes);
  expect(datesOf(read).join(' ').replaceAll(' 2026-', ' ')).toBe(dates);
  expect(remarks).toEqual(expected);
});

test('the period of a leg: 00XXX00 is the end of the validity of the carrier, on either side', async () => {
  const { leg: read, remarks } = await readOneLeg({ 15: '00XXX00', 22: '00XXX00', 29: '1      ' });
  const dates = datesOf(read);
  expect([dates[0], dates.at(-1), dates.length]).toEqual(['2026-01-05', '2026-12-28', 52]);
  expect(remarks).toEqual([]);
});

test('the period of a leg: an open end requires a carrier with an end of validity', async () => {
  const legs = [buildLeg(), buildLeg({ 6: '0102', 22: '00XXX00' })];
  const { schedules, remarks } = await readFileText(buildCarrierFile({ 22: '00XXX00' }, ...legs));
  expect(remarks).toEqual(['quarantined no-end 4']);
  expect(schedules.map(({ from, to }) => [formatDate(from), formatDate(to)])).toEqual([['2026-01-01', '2026-06-30']]);
});

test('the period of a leg: years up to 69 are of this century, later ones of the last', async () => {
  const validity = { 15: '01JAN99', 22: '31DEC69' };
  const { itineraries } = await readFileText(buildCarrierFile(validity, buildLeg({ 15: '31DEC99', 22: '01JAN00' })));
  expect(datesOf(itineraries[0]?.legs[0])).toEqual(['1999-12-31', '2000-01-01']);
});
