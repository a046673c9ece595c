import { describe, expect, test } from 'vitest';
import { formatDate } from '../../../src/domain/time/dates.ts';
import { listDepartureDates } from '../../../src/domain/time/period.ts';
import type { ScheduleLeg } from '../../../src/domain/schedule/schedule.ts';
import {
  buildCarrier,
  buildLeg,
  buildTrailer,
  buildWholeFile,
  header,
  readFileText,
  readOneLeg,
  type RecordBytes,
} from './build-file.ts';

const datesOf = (each: ScheduleLeg | undefined): readonly string[] =>
  each === undefined ? [] : [...listDepartureDates(each.period)].map(formatDate);

describe('times of a leg', () => {
  test.each<readonly [string, RecordBytes, string, number]>([
    ['must not be zero', { 58: '0600', 62: '0600' }, '00', 0],
    ['must not be a day', { 48: '+0000', 58: '1100', 62: '1100', 66: '+0000' }, '01', 1440],
    ['must not be negative where a date is written', { 58: '0559', 62: '0559' }, '00', -1],
    ['must not exceed a day where a date is written', {}, '01', 480 + 1440],
  ])('the duration of a leg %s', async (_, bytes, dates, minutes) => {
    const { leg: read, entries } = await readOneLeg({ ...bytes, 193: dates });
    expect(read).toBeUndefined();
    expect(entries.map(({ reason, message }) => [reason, message])).toEqual([
      [
        'impossible-elapsed-time',
        `The leg would last ${minutes} minutes for the aircraft; it must last more than 0 and less than 1440.`,
      ],
    ]);
  });

  test.each<readonly [string, RecordBytes, number]>([
    ['the next day', { 40: '2200', 44: '2200', 48: '-0400', 58: '1000', 62: '1000', 66: '+0100' }, 1],
    ['two days later', { 40: '2230', 44: '2230', 48: '-0700', 58: '0630', 62: '0630', 66: '+1000' }, 2],
    ['the day before', { 40: '0900', 44: '0900', 48: '+1200', 58: '1945', 62: '1945', 66: '-1000' }, -1],
  ])(
    'a blank date variation becomes %s where only that is possible, which is a reported correction',
    async (_, bytes, day) => {
      const { leg: read, remarks } = await readOneLeg({ ...bytes, 193: '  ' });
      expect([read?.departure.dateVariation, read?.arrival.dateVariation]).toEqual([0, day]);
      expect(remarks).toEqual(['corrected arrival-date-inferred 4']);
    },
  );

  test.each([
    ['0A', -1],
    ['01', 1],
    ['02', 2],
    ['  ', 0],
  ])('date variation "%s" counts days from the origin date', async (text, day) => {
    const times: Record<string, RecordBytes> = {
      '0A': { 40: '0900', 44: '0900', 48: '+1200', 58: '1945', 62: '1945', 66: '-1000' },
      '01': { 40: '2200', 44: '2200', 58: '0900', 62: '0900', 66: '+0100' },
      '02': { 40: '2230', 44: '2230', 48: '-0700', 58: '0630', 62: '0630', 66: '+1000' },
      '  ': {},
    };
    const { leg: read, remarks } = await readOneLeg({ ...times[text], 193: text });
    expect(read?.arrival.dateVariation).toBe(day);
    expect(remarks).toEqual([]);
  });

  test('2400 is the end of the arrival day', async () => {
    const { leg: read, remarks } = await readOneLeg({ 40: '2300', 44: '2300', 58: '2400', 62: '2400', 66: '+0100' });
    expect([read?.arrival.passengerMinutes, read?.arrival.aircraftMinutes]).toEqual([1440, 1440]);
    expect(remarks).toEqual([]);
  });

  test('an arrival at 0000 is accepted with a notice', async () => {
    const { leg: read, remarks } = await readOneLeg({
      40: '2300',
      44: '2300',
      58: '0000',
      62: '0000',
      66: '+0100',
      193: '01',
    });
    expect([read?.arrival.aircraftMinutes, read?.arrival.dateVariation]).toEqual([0, 1]);
    expect(remarks).toEqual(['notice arrival-at-0000 4']);
  });

  test('reports passengers and aircraft on two sides of midnight', async () => {
    const { remarks } = await readOneLeg({ 40: '2355', 44: '0005', 58: '0300', 62: '0300' });
    expect(remarks).toEqual(['notice passenger-time-another-day 4']);
  });

  test('passengers need a positive time of their own', async () => {
    const { leg: read, entries } = await readOneLeg({
      40: '1500',
      44: '1100',
      48: '+0000',
      58: '1200',
      62: '1200',
      66: '+0000',
    });
    expect(read).toBeUndefined();
    expect(entries.map(({ reason, message }) => [reason, message])).toEqual([
      [
        'impossible-elapsed-time',
        'The leg would last -180 minutes for passengers; it must last more than 0 and less than 1440.',
      ],
    ]);
  });

  test('in UTC mode the variations do not affect the duration of a leg', async () => {
    const bytes = {
      3: 'WW',
      29: '1234567',
      37: 'AKL',
      40: '1300',
      44: '1300',
      48: '+1200',
      55: 'SIN',
      58: '0030',
      62: '0030',
      66: '+0800',
    };
    const { itineraries, remarks } = await readFileText(
      buildWholeFile(
        header,
        buildCarrier({ 1: '2U', 3: 'WW' }),
        buildLeg({ ...bytes, 193: '01' }),
        buildLeg({ ...bytes, 6: '0102', 193: '  ' }),
        buildTrailer('E', 'WW'),
      ),
    );
    expect(itineraries.map(({ legs: [first] }) => [first.timeMode, first.arrival.dateVariation])).toEqual([
      ['utc', 1],
      ['utc', 1],
    ]);
    expect(remarks).toEqual(['corrected arrival-date-inferred 4']);
  });

  test.each([
    ['+1400', 840],
    ['-1200', -720],
    ['+0545', 345],
    ['+0000', 0],
    ['-0000', 0],
  ])('UTC variation %s is %i minutes', async (text, minutes) => {
    const { leg: read } = await readOneLeg({ 40: '1200', 44: '1200', 48: text, 58: '1300', 62: '1300', 66: text });
    expect(read?.departure.utcVariationMinutes).toBe(minutes);
  });
});

describe('the period of a leg', () => {
  test('includes both ends and only the days of operation', async () => {
    const { leg: read } = await readOneLeg({ 15: '01JUN26', 22: '15JUN26', 29: '1  4   ' });
    expect(datesOf(read)).toEqual(['2026-06-01', '2026-06-04', '2026-06-08', '2026-06-11', '2026-06-15']);
  });

  test('every other week is counted from the first date', async () => {
    const { leg: read, remarks } = await readOneLeg({ 15: '05JUN26', 22: '31JUL26', 29: '    5  ', 36: '2' });
    expect(datesOf(read)).toEqual(['2026-06-05', '2026-06-19', '2026-07-03', '2026-07-17', '2026-07-31']);
    expect(remarks).toEqual([]);
  });

  test('every other week from a date without operation is kept and reported', async () => {
    const { leg: read, remarks } = await readOneLeg({ 15: '01JUN26', 22: '30JUN26', 29: '    5  ', 36: '2' });
    expect(datesOf(read)).toEqual(['2026-06-05', '2026-06-19']);
    expect(remarks).toEqual(['notice fortnight-start 4']);
  });

  test('00XXX00 is the end of the validity of the carrier, on either side', async () => {
    const { leg: read, remarks } = await readOneLeg({ 15: '00XXX00', 22: '00XXX00', 29: '1      ' });
    const dates = datesOf(read);
    expect([dates[0], dates.at(-1), dates.length]).toEqual(['2026-01-05', '2026-12-28', 52]);
    expect(remarks).toEqual([]);
  });

  test('an open end requires a carrier with an end of validity', async () => {
    const file = buildWholeFile(
      header,
      buildCarrier({ 22: '00XXX00' }),
      buildLeg(),
      buildLeg({ 6: '0102', 22: '00XXX00' }),
      buildTrailer('E'),
    );
    const { schedules, remarks } = await readFileText(file);
    expect(remarks).toEqual(['quarantined no-end 4']);
    expect(schedules.map(({ from, to }) => [formatDate(from), formatDate(to)])).toEqual([['2026-01-01', '2026-06-30']]);
  });

  test('years up to 69 are of this century, later ones of the last', async () => {
    const file = buildWholeFile(
      header,
      buildCarrier({ 15: '01JAN99', 22: '31DEC69' }),
      buildLeg({ 15: '31DEC99', 22: '01JAN00' }),
      buildTrailer('E'),
    );
    const { itineraries } = await readFileText(file);
    expect(datesOf(itineraries[0]?.legs[0])).toEqual(['1999-12-31', '2000-01-01']);
  });
});
