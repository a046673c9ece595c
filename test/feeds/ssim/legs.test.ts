import { describe, expect, test } from 'vitest';
import { formatDate } from '../../../src/domain/dates.ts';
import { departureDates } from '../../../src/domain/period.ts';
import type { ScheduleLeg } from '../../../src/domain/schedule.ts';
import { carrier, fileOf, header, leg, load, trailer, wholeFile, type Bytes } from './build-file.ts';

/** Reads one leg beside a good one, so that the file stands whatever becomes of it. */
const readOne = async (bytes: Bytes) => {
  const { itineraries, report, remarks } = await load(fileOf(leg({ 6: '9999' }), leg(bytes)));
  const legs = itineraries.flatMap((itinerary) => itinerary.legs).filter(({ flightNumber }) => flightNumber !== 9999);
  return { leg: legs[0], entries: report.entries, remarks };
};

const datesOf = (each: ScheduleLeg | undefined): readonly string[] =>
  each === undefined ? [] : [...departureDates(each.period)].map(formatDate);

test('a leg record is read from its columns', async () => {
  const { leg: read, remarks } = await readOne({
    2: 'Z',
    6: ' 123',
    10: '05',
    14: 'G',
    15: '05JUN26',
    22: '26JUN26',
    29: '    5  ',
    40: '1100',
    44: '1110',
    53: '5A',
    58: '1400',
    62: '1415',
    71: '8',
    76: 'FJCY',
    96: 'N',
    101: 'L D S',
    111: 'AA BB CCC',
    120: 'DI',
    122: 'S',
    128: '1',
    129: 'OWNCOKCAB',
    149: 'S',
    150: ' K',
    173: 'F10J10Y200',
  });
  expect(remarks).toEqual([]);
  expect(read).toEqual({
    carrier: 'XX',
    flightNumber: 123,
    suffix: 'Z',
    line: 4,
    itinerary: 105,
    sequence: 1,
    serviceType: 'G',
    timeMode: 'local',
    period: { from: 20609, to: 20630, days: 16, everyWeeks: 1 },
    departure: {
      station: 'LHR',
      passengerMinutes: 660,
      aircraftMinutes: 670,
      utcVariationMinutes: 60,
      dateVariation: 0,
      terminal: '5A',
      mctStatus: 'D',
    },
    arrival: {
      station: 'JFK',
      passengerMinutes: 855,
      aircraftMinutes: 840,
      utcVariationMinutes: -240,
      dateVariation: 0,
      terminal: '8',
      mctStatus: 'I',
    },
    equipment: '789',
    bookingClasses: 'FJCY',
    bookingModifiers: 'N',
    meals: 'L D S',
    jointOperators: ['AA', 'BB', 'CCC'],
    secureFlight: 'S',
    aircraftOwner: { code: 'OWN', name: '' },
    cockpitCrew: { code: 'COK', name: '' },
    cabinCrew: { code: 'CAB', name: '' },
    disclosure: 'S',
    trafficRestrictions: ' K',
    configuration: 'F10J10Y200',
    electronicTicketing: undefined,
    inFlightServices: [],
  });
});

test.each<readonly [string, Bytes, string, readonly [number, number], string]>([
  ['a day its month does not have', { 15: '31FEB26' }, 'bad-date', [15, 21], '31FEB26'],
  ['a day no month has', { 15: '99JAN26' }, 'bad-date', [15, 21], '99JAN26'],
  ['a leap day of a common year', { 22: '29FEB26' }, 'bad-date', [22, 28], '29FEB26'],
  ['a month in small letters', { 22: '30jun26' }, 'bad-date', [22, 28], '30jun26'],
  ['a blank date', { 22: '       ' }, 'bad-date', [22, 28], '       '],
  ['an hour past the day', { 40: '2459' }, 'bad-time', [40, 43], '2459'],
  ['an aircraft departure at 2400', { 44: '2400' }, 'bad-time', [44, 47], '2400'],
  ['a passenger departure at 2400', { 40: '2400' }, 'bad-time', [40, 43], '2400'],
  ['an arrival after 2400', { 58: '2401' }, 'bad-time', [58, 61], '2401'],
  ['a minute past the hour', { 62: '1260' }, 'bad-time', [62, 65], '1260'],
  ['a letter in a time', { 44: '1a30' }, 'bad-time', [44, 47], '1a30'],
  ['a UTC variation beyond the world', { 48: '+2575' }, 'bad-utc-variation', [48, 52], '+2575'],
  ['a UTC variation beyond +14', { 48: '+1415' }, 'bad-utc-variation', [48, 52], '+1415'],
  ['a UTC variation beyond -12', { 66: '-1215' }, 'bad-utc-variation', [66, 70], '-1215'],
  ['a UTC variation off the quarter hour', { 66: '-0410' }, 'bad-utc-variation', [66, 70], '-0410'],
  ['a UTC variation without a sign', { 66: ' 0400' }, 'bad-utc-variation', [66, 70], ' 0400'],
  ['days in the wrong order', { 29: '7654321' }, 'bad-days', [29, 35], '7654321'],
  ['one day in every position', { 29: '1111111' }, 'bad-days', [29, 35], '1111111'],
  ['no day at all', { 29: '       ' }, 'bad-days', [29, 35], '       '],
  ['a frequency of 3', { 36: '3' }, 'bad-frequency', [36, 36], '3'],
  [
    'a period that ends before it begins',
    { 15: '02JUN26', 22: '01JUN26' },
    'bad-period',
    [15, 36],
    '02JUN2601JUN261234567 ',
  ],
  [
    'a period without a day of operation',
    { 15: '01JUN26', 22: '06JUN26', 29: '      7' },
    'never-operates',
    [15, 36],
    '01JUN2606JUN26      7 ',
  ],
  [
    'every other week from an open date',
    { 15: '00XXX00', 36: '2' },
    'open-fortnight',
    [15, 36],
    '00XXX0030JUN2612345672',
  ],
  ['date variation J', { 193: 'J0' }, 'bad-date-variation', [193, 193], 'J'],
  ['date variation 8', { 193: '08' }, 'bad-date-variation', [194, 194], '8'],
  ['a first leg that departs on the next day', { 193: '11' }, 'bad-date-variation', [193, 193], '1'],
  ['a station in small letters', { 37: 'lhr' }, 'bad-station', [37, 39], 'lhr'],
  ['a blank station', { 55: '   ' }, 'bad-station', [55, 57], '   '],
  ['a blank aircraft type', { 73: '   ' }, 'bad-equipment', [73, 75], '   '],
  ['a flight number on the left', { 6: '101 ' }, 'bad-flight-number', [6, 9], '101 '],
  ['flight number 0', { 6: '0000' }, 'bad-flight-number', [6, 9], '0000'],
  ['a letter in a flight number', { 6: '01O1' }, 'bad-flight-number', [6, 9], '01O1'],
  ['an operational suffix that is no letter', { 2: '7' }, 'bad-suffix', [2, 2], '7'],
  ['itinerary variation 00 without an overflow', { 10: '00' }, 'bad-itinerary', [10, 11], '00'],
  ['a letter as overflow', { 128: 'A' }, 'bad-itinerary', [128, 128], 'A'],
  ['leg sequence 00', { 12: '00' }, 'bad-sequence', [12, 13], '00'],
  ['a blank service type', { 14: ' ' }, 'bad-service-type', [14, 14], ' '],
  ['the designator of another carrier', { 3: 'YY ' }, 'other-carrier', [3, 5], 'YY'],
  ['a designator of digits', { 3: '12 ' }, 'bad-carrier', [3, 5], '12 '],
  ['an unknown operating airline disclosure', { 149: 'Q' }, 'bad-disclosure', [149, 149], 'Q'],
])('a leg with %s is quarantined, with its place and the value seen', async (_, bytes, reason, columns, value) => {
  const { leg: read, entries } = await readOne(bytes);
  expect(read).toBeUndefined();
  expect(entries.map((entry) => [entry.severity, entry.line, entry.reason, entry.bytes, entry.value])).toEqual([
    ['quarantined', 4, reason, columns, value],
  ]);
});

describe('times of a leg', () => {
  test.each<readonly [string, Bytes, string, number]>([
    ['must not be nothing', { 58: '0600', 62: '0600' }, '00', 0],
    ['must not be a day', { 48: '+0000', 58: '1100', 62: '1100', 66: '+0000' }, '01', 1440],
    ['must not be negative where a date is written', { 58: '0559', 62: '0559' }, '00', -1],
    ['must not exceed a day where a date is written', {}, '01', 480 + 1440],
  ])('the time a leg lasts %s', async (_, bytes, dates, minutes) => {
    const { leg: read, entries } = await readOne({ ...bytes, 193: dates });
    expect(read).toBeUndefined();
    expect(entries.map(({ reason, message }) => [reason, message])).toEqual([
      [
        'impossible-elapsed-time',
        `The leg would last ${minutes} minutes for the aircraft; it must last more than 0 and less than 1440.`,
      ],
    ]);
  });

  test.each<readonly [string, Bytes, number]>([
    ['the next day', { 40: '2200', 44: '2200', 48: '-0400', 58: '1000', 62: '1000', 66: '+0100' }, 1],
    ['two days later', { 40: '2230', 44: '2230', 48: '-0700', 58: '0630', 62: '0630', 66: '+1000' }, 2],
    ['the day before', { 40: '0900', 44: '0900', 48: '+1200', 58: '1945', 62: '1945', 66: '-1000' }, -1],
  ])(
    'a blank date variation is taken as %s where only that fits, and reported as a correction',
    async (_, bytes, day) => {
      const { leg: read, remarks } = await readOne({ ...bytes, 193: '  ' });
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
    const times: Record<string, Bytes> = {
      '0A': { 40: '0900', 44: '0900', 48: '+1200', 58: '1945', 62: '1945', 66: '-1000' },
      '01': { 40: '2200', 44: '2200', 58: '0900', 62: '0900', 66: '+0100' },
      '02': { 40: '2230', 44: '2230', 48: '-0700', 58: '0630', 62: '0630', 66: '+1000' },
      '  ': {},
    };
    const { leg: read, remarks } = await readOne({ ...times[text], 193: text });
    expect(read?.arrival.dateVariation).toBe(day);
    expect(remarks).toEqual([]);
  });

  test('2400 is the end of the arrival day', async () => {
    const { leg: read, remarks } = await readOne({ 40: '2300', 44: '2300', 58: '2400', 62: '2400', 66: '+0100' });
    expect([read?.arrival.passengerMinutes, read?.arrival.aircraftMinutes]).toEqual([1440, 1440]);
    expect(remarks).toEqual([]);
  });

  test('an arrival at 0000 is taken and noticed', async () => {
    const { leg: read, remarks } = await readOne({
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

  test('passengers and aircraft on two sides of midnight are noticed', async () => {
    const { remarks } = await readOne({ 40: '2355', 44: '0005', 58: '0300', 62: '0300' });
    expect(remarks).toEqual(['notice passenger-time-another-day 4']);
  });

  test('passengers need a positive time of their own', async () => {
    const { leg: read, entries } = await readOne({
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

  test('in UTC mode the variations do not count for the time a leg lasts', async () => {
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
    const { itineraries, remarks } = await load(
      wholeFile(
        header,
        carrier({ 1: '2U', 3: 'WW' }),
        leg({ ...bytes, 193: '01' }),
        leg({ ...bytes, 6: '0102', 193: '  ' }),
        trailer('E', 'WW'),
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
    const { leg: read } = await readOne({ 40: '1200', 44: '1200', 48: text, 58: '1300', 62: '1300', 66: text });
    expect(read?.departure.utcVariationMinutes).toBe(minutes);
  });
});

describe('the period of a leg', () => {
  test('both ends are included and only the days of operation count', async () => {
    const { leg: read } = await readOne({ 15: '01JUN26', 22: '15JUN26', 29: '1  4   ' });
    expect(datesOf(read)).toEqual(['2026-06-01', '2026-06-04', '2026-06-08', '2026-06-11', '2026-06-15']);
  });

  test('every other week is counted from the first date', async () => {
    const { leg: read, remarks } = await readOne({ 15: '05JUN26', 22: '31JUL26', 29: '    5  ', 36: '2' });
    expect(datesOf(read)).toEqual(['2026-06-05', '2026-06-19', '2026-07-03', '2026-07-17', '2026-07-31']);
    expect(remarks).toEqual([]);
  });

  test('every other week from a date without operation is kept and noticed', async () => {
    const { leg: read, remarks } = await readOne({ 15: '01JUN26', 22: '30JUN26', 29: '    5  ', 36: '2' });
    expect(datesOf(read)).toEqual(['2026-06-05', '2026-06-19']);
    expect(remarks).toEqual(['notice fortnight-start 4']);
  });

  test('00XXX00 is the end of the validity of the carrier, on either side', async () => {
    const { leg: read, remarks } = await readOne({ 15: '00XXX00', 22: '00XXX00', 29: '1      ' });
    const dates = datesOf(read);
    expect([dates[0], dates.at(-1), dates.length]).toEqual(['2026-01-05', '2026-12-28', 52]);
    expect(remarks).toEqual([]);
  });

  test('an open end needs a carrier that has one', async () => {
    const file = wholeFile(header, carrier({ 22: '00XXX00' }), leg(), leg({ 6: '0102', 22: '00XXX00' }), trailer('E'));
    const { schedules, remarks } = await load(file);
    expect(remarks).toEqual(['quarantined no-end 4']);
    expect(schedules.map(({ from, to }) => [formatDate(from), formatDate(to)])).toEqual([['2026-01-01', '2026-06-30']]);
  });

  test('years up to 69 are of this century, later ones of the last', async () => {
    const file = wholeFile(
      header,
      carrier({ 15: '01JAN99', 22: '31DEC69' }),
      leg({ 15: '31DEC99', 22: '01JAN00' }),
      trailer('E'),
    );
    const { itineraries } = await load(file);
    expect(datesOf(itineraries[0]?.legs[0])).toEqual(['1999-12-31', '2000-01-01']);
  });
});

describe('identity', () => {
  test.each([
    ['0123', 123],
    [' 123', 123],
    ['   7', 7],
    ['9998', 9998],
  ])('flight number "%s" is %i', async (text, flightNumber) => {
    expect((await readOne({ 6: text })).leg?.flightNumber).toBe(flightNumber);
  });

  test.each([
    ['05', '1', 105],
    ['00', '2', 200],
    ['99', '9', 999],
    ['01', ' ', 1],
    ['01', '0', 1],
  ])('variation %s with overflow "%s" is %i', async (units, overflow, itinerary) => {
    expect((await readOne({ 10: units, 128: overflow })).leg?.itinerary).toBe(itinerary);
  });

  test('terminal 0 is not known yet', async () => {
    const { leg: read } = await readOne({ 53: '0 ', 71: '00' });
    expect([read?.departure.terminal, read?.arrival.terminal]).toEqual(['', '00']);
  });
});

test('a descriptive value that cannot be read is left out, and the leg stands', async () => {
  const { leg: read, remarks } = await readOne({
    76: 'J?Y',
    96: '1',
    101: '4',
    111: '#',
    120: 'XX',
    122: '9',
    129: '12',
    132: '-',
  });
  expect([read?.bookingClasses, read?.meals, read?.jointOperators, read?.aircraftOwner.code]).toEqual(['', '', [], '']);
  expect(remarks).toEqual([
    'corrected unreadable-mctStatus 4',
    'corrected unreadable-mctStatus 4',
    'corrected unreadable-jointOperators 4',
    'corrected unreadable-bookingClasses 4',
    'corrected unreadable-bookingModifiers 4',
    'corrected unreadable-meals 4',
    'corrected unreadable-secureFlight 4',
    'corrected unreadable-aircraftOwner 4',
    'corrected unreadable-cockpitCrew 4',
  ]);
});

test.each(['Q ', '7T', ' T', 'et'])('a word on tickets that is none is left out and reported: %j', async (word) => {
  const { report, itineraries } = await load(wholeFile(header, carrier({ 189: word }), leg(), trailer('E')));
  expect(itineraries.map(({ legs }) => legs[0].electronicTicketing)).toEqual([undefined]);
  expect(report.entries).toEqual([
    {
      severity: 'corrected',
      line: 2,
      bytes: [189, 190],
      value: word,
      reason: 'unreadable-electronicTicketing',
      message: 'The value is neither ET nor EN and is left out.',
    },
  ]);
});

test('a restriction code not in use and an unreadable configuration are kept as filed and noticed', async () => {
  const { leg: read, remarks } = await readOne({ 150: 'J', 173: 'Q20' });
  expect([read?.trafficRestrictions, read?.configuration]).toEqual(['J', 'Q20']);
  expect(remarks).toEqual(['notice unknown-restriction 4', 'notice unreadable-configuration 4']);
});
