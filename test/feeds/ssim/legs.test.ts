import { expect, test } from 'vitest';
import { buildCarrierFile, buildLeg, readFileText, readOneLeg, type RecordBytes } from './build-file.ts';

test('reads a leg record from its columns', async () => {
  const { leg: read, remarks } = await readOneLeg(
    { 2: 'Z', 6: ' 123', 10: '05', 14: 'G', 15: '05JUN26', 22: '26JUN26', 29: '    5  ' },
    { 40: '1100', 44: '1110', 53: '5A', 58: '1400', 62: '1415', 71: '8', 76: 'FJCY', 96: 'N' },
    { 101: 'L D S', 111: 'AA BB CCC', 120: 'DI', 122: 'S', 128: '1', 129: 'OWNCOKCAB' },
    { 149: 'S', 150: ' K', 173: 'F10J10Y200' },
  );
  expect(remarks).toEqual([]);
  const lhr = { station: 'LHR', passengerMinutes: 660, aircraftMinutes: 670, utcVariationMinutes: 60 };
  const jfk = { station: 'JFK', passengerMinutes: 855, aircraftMinutes: 840, utcVariationMinutes: -240 };
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
    departure: { ...lhr, dateVariation: 0, terminal: '5A', mctStatus: 'D' },
    arrival: { ...jfk, dateVariation: 0, terminal: '8', mctStatus: 'I' },
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
    inFlightServices: [],
  });
});

test.each<readonly [string, RecordBytes, string, readonly [number, number], string]>([
  ['a day outside its month', { 15: '31FEB26' }, 'bad-date', [15, 21], '31FEB26'],
  ['a day outside any month', { 15: '99JAN26' }, 'bad-date', [15, 21], '99JAN26'],
  ['a leap day of a common year', { 22: '29FEB26' }, 'bad-date', [22, 28], '29FEB26'],
  ['a month in small letters', { 22: '30jun26' }, 'bad-date', [22, 28], '30jun26'],
  ['a blank date', { 22: '       ' }, 'bad-date', [22, 28], '       '],
  ['an hour of 24 or more', { 40: '2459' }, 'bad-time', [40, 43], '2459'],
  ['an aircraft departure at 2400', { 44: '2400' }, 'bad-time', [44, 47], '2400'],
  ['a passenger departure at 2400', { 40: '2400' }, 'bad-time', [40, 43], '2400'],
  ['an arrival after 2400', { 58: '2401' }, 'bad-time', [58, 61], '2401'],
  ['a minute of 60 or more', { 62: '1260' }, 'bad-time', [62, 65], '1260'],
  ['a letter in a time', { 44: '1a30' }, 'bad-time', [44, 47], '1a30'],
  ['a UTC variation of 25:75', { 48: '+2575' }, 'bad-utc-variation', [48, 52], '+2575'],
  ['a UTC variation beyond +14', { 48: '+1415' }, 'bad-utc-variation', [48, 52], '+1415'],
  ['a UTC variation beyond -12', { 66: '-1215' }, 'bad-utc-variation', [66, 70], '-1215'],
  ['a UTC variation off the quarter hour', { 66: '-0410' }, 'bad-utc-variation', [66, 70], '-0410'],
  ['a UTC variation without a sign', { 66: ' 0400' }, 'bad-utc-variation', [66, 70], ' 0400'],
  ['days in the wrong order', { 29: '7654321' }, 'bad-days', [29, 35], '7654321'],
  ['one day in every position', { 29: '1111111' }, 'bad-days', [29, 35], '1111111'],
  ['no day at all', { 29: '       ' }, 'bad-days', [29, 35], '       '],
  ['a frequency of 3', { 36: '3' }, 'bad-frequency', [36, 36], '3'],
  ['an end before its start', { 15: '02JUN26', 22: '01JUN26' }, 'bad-period', [15, 36], '02JUN2601JUN261234567 '],
  ['no day of operation', { 22: '06JUN26', 29: '      7' }, 'never-operates', [15, 36], '01JUN2606JUN26      7 '],
  ['fortnights of no start', { 15: '00XXX00', 36: '2' }, 'open-fortnight', [15, 36], '00XXX0030JUN2612345672'],
  ['date variation J', { 193: 'J0' }, 'bad-date-variation', [193, 193], 'J'],
  ['date variation 8', { 193: '08' }, 'bad-date-variation', [194, 194], '8'],
  ['a first leg that departs on the next day', { 193: '11' }, 'bad-date-variation', [193, 193], '1'],
  ['a station in small letters', { 37: 'lhr' }, 'bad-station', [37, 39], 'lhr'],
  ['a blank station', { 55: '   ' }, 'bad-station', [55, 57], '   '],
  ['a blank aircraft type', { 73: '   ' }, 'bad-equipment', [73, 75], '   '],
  ['a flight number on the left', { 6: '101 ' }, 'bad-flight-number', [6, 9], '101 '],
  ['flight number 0', { 6: '0000' }, 'bad-flight-number', [6, 9], '0000'],
  ['a letter in a flight number', { 6: '01O1' }, 'bad-flight-number', [6, 9], '01O1'],
  ['an operational suffix that is not a letter', { 2: '7' }, 'bad-suffix', [2, 2], '7'],
  ['itinerary variation 00 without an overflow', { 10: '00' }, 'bad-itinerary', [10, 11], '00'],
  ['a letter as overflow', { 128: 'A' }, 'bad-itinerary', [128, 128], 'A'],
  ['leg sequence 00', { 12: '00' }, 'bad-sequence', [12, 13], '00'],
  ['a blank service type', { 14: ' ' }, 'bad-service-type', [14, 14], ' '],
  ['the designator of another carrier', { 3: 'YY ' }, 'other-carrier', [3, 5], 'YY'],
  ['a designator of digits', { 3: '12 ' }, 'bad-carrier', [3, 5], '12 '],
  ['an unknown operating airline disclosure', { 149: 'Q' }, 'bad-disclosure', [149, 149], 'Q'],
])('a leg with %s is quarantined, with its position and value', async (_, bytes, reason, columns, value) => {
  const { leg: read, entries } = await readOneLeg(bytes);
  expect(read).toBeUndefined();
  const found = entries.map((entry) => [entry.severity, entry.line, entry.reason, entry.bytes, entry.value]);
  expect(found).toEqual([['quarantined', 4, reason, columns, value]]);
});

test.each<readonly [RecordBytes, object]>([
  [{ 6: '0123' }, { flightNumber: 123 }],
  [{ 6: '   7' }, { flightNumber: 7 }],
  [{ 6: '9998' }, { flightNumber: 9998 }],
  [{ 10: '05', 128: '1' }, { itinerary: 105 }],
  [{ 10: '00', 128: '2' }, { itinerary: 200 }],
  [{ 10: '99', 128: '9' }, { itinerary: 999 }],
  [{ 10: '01', 128: ' ' }, { itinerary: 1 }],
  [{ 10: '01', 128: '0' }, { itinerary: 1 }],
  [
    { 53: '0 ', 71: '00' },
    { departure: { terminal: '' }, arrival: { terminal: '00' } },
  ],
])('reads the bytes %j as %j', async (bytes, facts) => {
  expect((await readOneLeg(bytes)).leg).toMatchObject(facts);
});

test('an unreadable descriptive value is ignored, and the leg is accepted', async () => {
  const bytes = { 76: 'J?Y', 96: '1', 101: '4', 111: '#', 120: 'XX', 122: '9', 129: '12', 132: '-' };
  const { leg: read, remarks } = await readOneLeg(bytes);
  expect([read?.bookingClasses, read?.meals, read?.jointOperators, read?.aircraftOwner.code]).toEqual(['', '', [], '']);
  const fields = ['mctStatus', 'mctStatus', 'jointOperators', 'bookingClasses', 'bookingModifiers', 'meals'];
  const ignored = [...fields, 'secureFlight', 'aircraftOwner', 'cockpitCrew'];
  expect(remarks).toEqual(ignored.map((field) => `corrected unreadable-${field} 4`));
});

test.each(['Q ', '7T', ' T', 'et'])('ignores and reports the invalid electronic ticketing value %j', async (value) => {
  const { report, itineraries } = await readFileText(buildCarrierFile({ 189: value }, buildLeg()));
  expect(itineraries.map(({ legs }) => legs[0].electronicTicketing)).toEqual([undefined]);
  const [reason, message] = ['unreadable-electronicTicketing', 'The value is neither ET nor EN and was ignored.'];
  expect(report.entries).toEqual([{ severity: 'corrected', line: 2, bytes: [189, 190], value, reason, message }]);
});

test('an unused restriction code and an unreadable configuration are kept as filed and reported', async () => {
  const { leg: read, remarks } = await readOneLeg({ 150: 'J', 173: 'Q20' });
  expect([read?.trafficRestrictions, read?.configuration]).toEqual(['J', 'Q20']);
  expect(remarks).toEqual(['notice unknown-restriction 4', 'notice unreadable-configuration 4']);
});
