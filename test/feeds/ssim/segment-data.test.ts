import { expect, test } from 'vitest';
import { buildCarrier, buildFile, header, buildLeg, readFileText, buildSecondLeg, buildSegment } from './build-file.ts';
import { buildTrailer, buildWholeFile, type RecordBytes } from './build-file.ts';

const dataOf = async (...records: readonly string[]) => {
  const loaded = await readFileText(buildFile(...records));
  const attached = loaded.itineraries.map(({ segmentData }) => segmentData.map(({ dei, data }) => `${dei} ${data}`));
  return { ...loaded, attached };
};

test('segment data is read from its columns', async () => {
  const { itineraries, remarks } = await dataOf(buildLeg(), buildSegment(10, 'YY 5101 /ZZ 6101A'));
  const points = { boardStation: 'LHR', offStation: 'JFK', boardIndex: 0, offIndex: 1 };
  expect(itineraries[0]?.segmentData).toEqual([{ dei: 10, ...points, data: 'YY 5101 /ZZ 6101A', line: 4 }]);
  expect(remarks).toEqual([]);
});

test('segment data finds its itinerary by flight, variation and points, at any position in the file', async () => {
  const through = buildSegment(505, 'ET', { 29: 'AC', 34: 'LHRLAX' });
  const ofSecondLeg = buildSegment(10, 'YY 0002 ', { 12: '02', 29: 'BC', 34: 'JFKLAX' });
  const ofFirstLeg = buildSegment(10, 'YY 0001 ');
  const legs = [buildLeg({ 6: '0102' }), buildSecondLeg()];
  const { attached, remarks } = await dataOf(buildLeg(), through, ofFirstLeg, ...legs, ofSecondLeg);
  expect(attached).toEqual([['505 ET', '10 YY 0001', '10 YY 0002'], []]);
  expect(remarks).toEqual([]);
});

test('segment data has its variation overflow in byte 28, where the leg has it in byte 128', async () => {
  const indicated = [28, 128].map((column) => buildSegment(201, '', { 10: '05', [column]: '1' }));
  const { attached, remarks } = await dataOf(buildLeg({ 10: '05', 128: '1' }), ...indicated);
  expect(attached).toEqual([['201 ']]);
  expect(remarks).toEqual(['quarantined no-such-flight 5']);
});

test('segment data in a variation split by period belongs to the flight whose leg it follows', async () => {
  const [early, late] = [buildLeg({ 22: '14JUN26' }), buildLeg({ 15: '15JUN26' })];
  const { attached } = await dataOf(early, buildSegment(10, 'YY 0001 '), late, buildSegment(10, 'YY 0002 '));
  expect(attached).toEqual([['10 YY 0001'], ['10 YY 0002']]);
});

test('segment data that follows a quarantined leg of a split variation is quarantined with it', async () => {
  const legs: readonly RecordBytes[] = [
    { 15: '11JUN26', 22: '20JUN26' },
    { 15: '21JUN26', 44: '9999' },
  ];
  const records = [{ 22: '10JUN26' }, ...legs].map((bytes) => buildLeg(bytes));
  const { attached, remarks } = await dataOf(...records, buildSegment(10, 'YY 0001 '));
  expect(attached).toEqual([[], []]);
  expect(remarks).toEqual(['quarantined bad-time 5', 'quarantined leg-kept-out 6']);
});

test.each<readonly [string, RecordBytes, string, readonly (string | number)[]]>([
  ['XX as indicators', { 29: 'XX' }, 'open-indicators', ['LHR', 'JFK', -1, -1]],
  ['QQQ as a station', { 34: 'QQQJFK' }, 'open-station', ['', 'JFK', 0, 1]],
  ['QQQ as both stations', { 34: 'QQQQQQ' }, 'open-station', ['', '', 0, 1]],
])('segment data may have %s, which is reported', async (_, bytes, reason, expected) => {
  const { itineraries, remarks } = await dataOf(buildLeg(), buildSegment(201, '', bytes));
  const [data] = itineraries[0]?.segmentData ?? [];
  expect([data?.boardStation, data?.offStation, data?.boardIndex, data?.offIndex]).toEqual(expected);
  expect(remarks).toEqual([`notice ${reason} 4`]);
});

test.each<readonly [string, RecordBytes, string]>([
  ['points in the wrong order', { 29: 'BA' }, 'bad-indicator'],
  ['blank indicators', { 29: '  ' }, 'bad-indicator'],
  ['an element that is not a number', { 31: '1O0' }, 'bad-data-element'],
  ['element 000', { 31: '000' }, 'bad-data-element'],
  ['a blank station', { 34: '   JFK' }, 'bad-station'],
  ['another carrier', { 3: 'YY' }, 'other-carrier'],
  ['an unknown flight', { 6: '0999' }, 'no-such-flight'],
  ['stations the flight does not call at', { 34: 'LHREWR' }, 'no-such-segment'],
  ['points the flight does not have', { 29: 'BC' }, 'no-such-segment'],
  ['unreadable flights', { 40: 'YY-5101 ' }, 'bad-flight-reference'],
  ['no flights listed', { 40: '        ' }, 'bad-flight-reference'],
])('segment data with %s is quarantined, and the leg is accepted', async (_, bytes, reason) => {
  const { itineraries, remarks } = await dataOf(buildLeg(), buildSegment(10, 'YY 5101 ', bytes));
  const found = itineraries.map(({ legs, segmentData, complete }) => [legs.length, segmentData, complete]);
  expect(found).toEqual([[1, [], true]]);
  expect(remarks).toEqual([`quarantined ${reason} 4`]);
});

test.each(['X', 'DX', 'DOMESTIC', ''])('data element 220 with %j is ignored and reported', async (value) => {
  const { attached, report } = await dataOf(buildLeg({ 120: 'DI' }), buildSegment(220, value));
  expect(attached).toEqual([[]]);
  expect(report.entries).toEqual([
    {
      severity: 'corrected',
      line: 4,
      bytes: [40, 194],
      value,
      reason: 'unreadable-mctStatus',
      message: 'The status is neither D nor I and was ignored.',
    },
  ]);
});

test('segment data of an unknown element is kept and reported; that of bilateral and internal elements is ignored without a remark', async () => {
  const bilateral = [buildSegment(800, 'PRIVATE'), buildSegment(999, 'PRIVATE')];
  const others = [buildSegment(444, 'WHAT'), ...bilateral, buildSegment(713, 'FREE TEXT')];
  const { attached, report, remarks } = await dataOf(buildLeg(), ...others);
  expect(attached).toEqual([['444 WHAT', '713 FREE TEXT']]);
  expect(remarks).toEqual(['notice unknown-data-element 4']);
  const once = { header: 1, carrier: 1, leg: 1, trailer: 1, itinerary: 1 };
  expect(report.accepted).toEqual({ ...once, segmentData: 2, privateSegmentData: 2 });
});

const filled = async (bytes: RecordBytes, data: Readonly<Record<number, string>>) => {
  const segments = Object.entries(data).map(([dei, text]) => buildSegment(Number(dei), text));
  const { itineraries, report } = await dataOf(buildLeg(bytes), ...segments);
  return { leg: itineraries[0]?.legs[0], entries: report.entries };
};

test('a leg gets the data of its own points where a value exceeded its columns', async () => {
  const services = { 106: 'FAJCDYBHKLMQVWXZSTUNOG', 107: 'NNNNNN', 108: 'F8J48W36Y210LL12PP04', 109: 'FLD/J/YS' };
  const owners = { 113: 'AB /OWNER LTD', 114: '/CREW LTD', 115: 'CD' };
  const exceeded = { 76: 'XX', 96: 'XX', 101: 'XX', 173: 'XX', 129: 'X  X  X' };
  const { leg, entries } = await filled(exceeded, { ...services, ...owners });
  expect(leg).toMatchObject({
    bookingClasses: 'FAJCDYBHKLMQVWXZSTUNOG',
    bookingModifiers: 'NNNNNN',
    configuration: 'F8J48W36Y210LL12PP04',
    meals: 'LD        S',
    aircraftOwner: { code: 'AB', name: 'OWNER LTD' },
    cockpitCrew: { code: '', name: 'CREW LTD' },
    cabinCrew: { code: 'CD', name: '' },
  });
  expect(entries).toEqual([]);
});

test('a leg gets the data of its own points and the report names each field whose element is missing', async () => {
  const { leg, entries } = await filled({ 76: 'XX', 101: 'XX', 129: 'X  ', 149: 'Z', 150: 'Z', 173: 'XX' }, {});
  const missing = ['bookingClasses', 'configuration', 'meals', 'aircraftOwner', 'disclosure', 'trafficRestrictions'];
  const found = entries.map(({ reason, field }) => `${reason} ${field}`);
  expect(found).toEqual(missing.map((field) => `data-element-missing ${field}`));
  expect(leg).toMatchObject({ bookingClasses: '', meals: '', aircraftOwner: { code: '' } });
});

test('a leg gets the data of its own points with terminals, ticketing, services, security and connection status', async () => {
  const data = { 99: '5', 98: '0', 505: 'EN', 503: '9/12', 504: 'S', 220: 'DI' };
  const { leg } = await filled({ 53: '1 ', 71: '2 ' }, data);
  expect(leg).toMatchObject({
    departure: { terminal: '5', mctStatus: 'D' },
    arrival: { terminal: '', mctStatus: 'I' },
    electronicTicketing: false,
    inFlightServices: ['9', '12'],
    secureFlight: 'S',
  });
});

const yy = { 3: 'YY', 6: '5101' };
const operating = (dei: number, data: string): readonly string[] => [buildSegment(dei, data)];
const marketing = (dei: number, data: string): readonly string[] => [buildSegment(dei, data, yy)];
const oneSided = (line: number): string => `notice codeshare-one-sided ${line}`;

test.each<readonly [string, readonly string[], readonly string[], readonly string[]]>([
  ['on both flights are correct', operating(10, 'YY 5101 '), marketing(50, 'XX 0101 '), []],
  ['on the operating flight only are reported', operating(10, 'YY 5101 '), [], [oneSided(4)]],
  ['on the marketing flight only are reported', [], marketing(50, 'XX 0101 '), [oneSided(7)]],
  ['to other flights are reported', operating(10, 'YY 5999 '), marketing(50, 'XX 0999 '), [oneSided(4), oneSided(8)]],
  [
    'with swapped elements are reported',
    operating(50, 'YY 5101 '),
    marketing(50, 'XX 0101 '),
    [oneSided(4), oneSided(8)],
  ],

  ['to other files are not checked', [...operating(10, 'ZZ 0001 /QQ 0002 '), ...operating(50, 'VV 0003 ')], [], []],
])('codeshare references %s', async (_, ofOperating, ofMarketing, expected) => {
  const blockOfXx = [buildCarrier(), buildLeg(), ...ofOperating, buildTrailer('C')];
  const blockOfYy = [buildCarrier({ 3: 'YY' }), buildLeg(yy), ...ofMarketing, buildTrailer('E', 'YY')];
  const { remarks } = await readFileText(buildWholeFile(header, ...blockOfXx, ...blockOfYy));
  expect(remarks).toEqual(expected);
});

test('the indicators of a separate leg count from the first station of the flight', async () => {
  const segment = buildSegment(201, '', { 12: '02', 29: 'BC', 34: 'EWRLAX' });
  const { attached, remarks } = await dataOf(buildLeg(), buildSecondLeg({ 37: 'EWR' }), segment);
  expect(attached).toEqual([[], ['201 ']]);
  expect(remarks).toEqual(['notice legs-not-aligned 3']);
});
