import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { CarrierSchedule } from '#domain/schedule/schedule.ts';
import { formatDate } from '#domain/time/dates.ts';
import { FeedError } from '#feeds/feed-error.ts';
import { createLoadReport } from '#feeds/load-report.ts';
import { readSchedules } from '#feeds/ssim/read-schedules.ts';
import { buildCarrier, buildFile, header, splitIntoChunks, buildLeg, readFileText, buildRecord } from './build-file.ts';
import { buildSegment, buildTrailer, buildWholeFile, zeroRecord, type LoadedFile } from './build-file.ts';

const carrier = buildCarrier();
const leg = buildLeg();
const nextCarrier = buildTrailer('C');
const end = buildTrailer('E');
const yy = { 3: 'YY' };
const endOfYy = buildTrailer('E', 'YY');

const readBlocks = async (...blocks: readonly (readonly string[])[]): Promise<LoadedFile> =>
  readFileText(buildWholeFile(header, ...blocks.flat()));

const rejectionOf = async (text: string): Promise<readonly unknown[]> => {
  const error: unknown = await readFileText(text).catch((thrown: unknown) => thrown);
  return error instanceof FeedError ? [error.reason, error.line, error.message] : [error];
};

const describeSchedule = ({ carrier: name, from, to, itineraries }: CarrierSchedule): string =>
  [name, formatDate(from), formatDate(to), itineraries.map(({ legs }) => legs[0].timeMode).join('+')].join(' ');

const good = buildFile(leg, buildSegment(10, 'YY 5101 '));

test('a file reads the same with LF or CRLF, with or without a last line end, whole or in chunks of any size', async () => {
  const expected = await readFileText(good);
  expect(expected.itineraries).toHaveLength(1);
  expect(await readFileText(good.slice(0, -1))).toEqual(expected);
  for (const size of [1, 7, 200, 201, 100_000])
    expect(await readFileText(good.replaceAll('\n', '\r\n'), size)).toEqual(expected);
});

test('a file may have its trailing blanks trimmed when it numbers no records', async () => {
  const bare = [header, carrier, buildLeg({ 193: '  ' }), end.replace('??????', '      ')];
  const { itineraries, remarks } = await readFileText(bare.map((text) => text.trimEnd()).join('\r\n'));
  expect(itineraries).toHaveLength(1);
  expect(remarks).toEqual(['notice no-serial 1', 'notice trailer-reference 4']);
});

test('a file may be padded with records of zeros, which do not count', async () => {
  const zero = zeroRecord;
  const { remarks, report } = await readBlocks([zero, zero, carrier, zero, leg, zero, '', end, zero, '\u001a']);
  expect(remarks).toEqual([]);
  expect(report.accepted).toEqual({ header: 1, carrier: 1, leg: 1, trailer: 1, filler: 7, itinerary: 1 });
});

test('a file holds several carriers, each with its own time mode and validity', async () => {
  const { schedules, remarks } = await readBlocks(
    [carrier, leg, nextCarrier],
    [buildCarrier({ 1: '2U', 3: 'YYY', 15: '01MAR26' }), buildLeg({ 3: 'YYY' }), buildTrailer('E', 'YYY')],
  );
  const expected = ['XX 2026-01-01 2026-12-31 local', 'YYY 2026-03-01 2026-12-31 utc'];
  expect(schedules.map(describeSchedule)).toEqual(expected);
  expect(remarks).toEqual([]);
});

test('a file may give one carrier in several blocks, which are merged', async () => {
  const { schedules } = await readBlocks(
    [buildCarrier({ 22: '31MAY26' }), buildLeg({ 15: '01MAY26', 22: '31MAY26' }), nextCarrier],
    [buildCarrier({ 15: '01JUN26' }), buildLeg({ 6: '0102' }), end],
  );
  expect(schedules.map(describeSchedule)).toEqual(['XX 2026-01-01 2026-12-31 local+local']);
});

test('a file of three carriers in both time modes reads without a remark', async () => {
  const text = readFileSync(new URL('fixture/fixture.ssim', import.meta.url), 'latin1');
  const { report, remarks } = await readFileText(text);
  const records = { header: 1, carrier: 3, leg: 12, segmentData: 5, trailer: 3, filler: 36 };
  expect(report.accepted).toEqual({ ...records, itinerary: 11 });
  expect(remarks).toEqual([]);
});

test('a file calls back with the number of bytes read', async () => {
  const totals: number[] = [];
  const chunks = splitIntoChunks(Buffer.from(good), 500);
  await readSchedules(chunks, createLoadReport('test'), (total) => totals.push(total));
  expect(totals).toEqual([500, 1000, 1005]);
});

const empty = ['empty-file', undefined, 'The file is empty.'];
const noHeader = ['no-header', 1, 'The file does not start with an SSIM chapter 7 header record.'];
const noEnd = ['no-end-record', undefined, 'The file has no end record (record 5 with E), so it is incomplete.'];
const unknownEnd = buildRecord({ 1: '5', 3: 'XX', 194: 'X' });
const noLegs = ['no-legs', undefined, 'The file contains no valid flight leg.'];
test.each<readonly [string, string, readonly unknown[]]>([
  ['it is empty', '', empty],
  ['it contains only filler', `${zeroRecord}\n${zeroRecord}\n`, empty],
  ['it begins with another record', buildWholeFile(carrier, leg, end), noHeader],
  ['it is another kind of file', '{"some": "json"}\n', noHeader],
  ['it has no trailer', buildWholeFile(header, carrier, leg), noEnd],
  ['its last trailer announces another carrier', buildWholeFile(header, carrier, leg, nextCarrier), noEnd],
  ['a carrier follows the end', buildWholeFile(header, carrier, leg, end, buildCarrier(yy), buildLeg(yy)), noEnd],
  ['its trailer has no known status', buildWholeFile(header, carrier, leg, unknownEnd), noEnd],
  ['it has no leg', buildFile(), noLegs],
  ['none of its legs can be read', buildFile(buildLeg({ 44: '9999' })), noLegs],
])('a file is rejected as a whole when %s', async (_, text, rejection) => {
  expect(await rejectionOf(text)).toEqual(rejection);
});

test('a file is rejected as a whole when it has no line ends, without filling the memory', async () => {
  expect((await rejectionOf(header.repeat(5000)))[0]).toBe('bad-length');
});

test('a file is rejected as a whole wherever it is cut, except within the filler after its end', async () => {
  for (let length = 1; length < good.length - 1; length += 1) {
    const [reason] = await rejectionOf(good.slice(0, length));
    expect(['cut-record', 'no-end-record', 'no-header']).toContain(reason);
  }
  expect((await readFileText(`${good}${zeroRecord}\n000000`)).itineraries).toHaveLength(1);
});

const lines = buildFile(buildLeg({ 6: '0200' }), leg).split('\n');
const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

test.each<readonly [string, (line: string) => string, string, readonly [number, number], string]>([
  ['a two-byte letter', (line) => asLatin1(line.replace('LHR', 'LÉR')), 'not-ascii', [38, 38], 'byte 0xc3'],
  ['a letter of another alphabet', (line) => line.replace('LHR', 'LÉR'), 'not-ascii', [38, 38], 'byte 0xc9'],
  ['a tab in it', (line) => line.replace('789 ', '789\t'), 'not-ascii', [76, 76], 'byte 0x09'],
  ['a byte lost', (line) => line.slice(0, 60) + line.slice(61), 'bad-length', [200, 200], '199 bytes'],
  ['an extra byte', (line) => `${line.slice(0, 60)} ${line.slice(60)}`, 'bad-length', [201, 201], '201 bytes'],
  ['a missing end', (line) => line.slice(0, 150), 'bad-length', [76, 200], '150 bytes'],
  ['an unknown type', (line) => `7${line.slice(1)}`, 'bad-record-type', [1, 1], '7'],
])(
  'an invalid record is quarantined, and the others are accepted with %s',
  async (_, change, reason, columns, value) => {
    const { itineraries, report } = await readFileText(lines.with(3, change(lines[3] ?? '')).join('\n'));
    expect(itineraries.map(({ legs: [first] }) => first.flightNumber)).toEqual([200]);
    const quarantined = report.entries.filter(({ severity }) => severity === 'quarantined');
    const entries = quarantined.map((entry) => [entry.line, entry.reason, entry.bytes, entry.value]);
    expect(entries).toEqual([[4, reason, columns, value]]);
  },
);

test('an invalid record is quarantined, and the others are accepted: a second header among the records', async () => {
  expect((await readBlocks([carrier, leg, header, end])).remarks).toEqual(['quarantined bad-record-type 4']);
});

test.each([
  ['time mode', { 2: 'X' }, 'bad-time-mode'],
  ['designator', { 3: '   ' }, 'bad-carrier'],
  ['first date', { 15: '00XXX00' }, 'bad-date'],
  ['order of dates', { 15: '01JAN27' }, 'bad-validity'],
])(
  'an invalid record is quarantined, and the others are accepted: an invalid %s of a carrier record quarantines its legs',
  async (_, bytes, reason) => {
    const ofYy = [buildCarrier({ ...yy, ...bytes }), buildLeg(yy), buildSegment(10, 'XX 0101 ', yy), endOfYy];
    const { schedules, remarks } = await readBlocks([carrier, leg, nextCarrier], ofYy);
    expect(schedules.map((schedule) => schedule.carrier)).toEqual(['XX']);
    expect(remarks).toEqual([`quarantined ${reason} 5`, 'quarantined no-carrier 6', 'quarantined no-carrier 7']);
  },
);

/** Sets the serial numbers of lines, counted from 1. */
const renumber = (text: string, serials: Readonly<Record<number, string>>): string =>
  text
    .split('\n')
    .map((line, index) => line.slice(0, 194) + (serials[index + 1] ?? line.slice(194)))
    .join('\n');
const restarted = { 3: '999999', 4: '000002', 5: '000003' };
const twoLegs = buildFile(leg, buildLeg({ 6: '0102' }));
const twoCarriers = buildWholeFile(header, carrier, leg, nextCarrier, buildCarrier(yy), buildLeg(yy), endOfYy);

test('numbering: a gap is reported where it is, once', async () => {
  const lines = buildFile(leg, buildLeg({ 6: '0102' }), buildLeg({ 6: '0103' })).split('\n');
  const { remarks, itineraries } = await readFileText(lines.toSpliced(3, 1).join('\n'));
  expect(remarks).toEqual(['notice serial-gap 4']);
  expect(itineraries).toHaveLength(2);
});

test.each<readonly [string, string, readonly string[]]>([
  ['000002 follows 999999', renumber(twoLegs, restarted).replace('000004E', '000002E'), ['notice serial-gap 3']],
  ['a carrier may restart', renumber(twoCarriers, { 5: '000002' }), ['notice serial-restart 5', 'notice serial-gap 6']],
  ['an invalid serial number is reported', renumber(buildFile(leg), { 3: '00000O' }), ['notice bad-serial 3']],
  [
    'the trailer names the record before it, at bytes 188-193',
    buildFile(leg).replace('000003E', ' 000003').replace(' 000003000004', '000004E000004'),
    ['notice trailer-reference 4'],
  ],
])('numbering: %s', async (_, text, remarks) => {
  expect((await readFileText(text)).remarks).toEqual(remarks);
});

test.each<readonly [string, readonly string[], string]>([
  ['a missing trailer', [carrier, leg, buildCarrier(yy), buildLeg(yy), endOfYy], 'notice no-trailer 4'],
  ['an end mark before the end', [carrier, leg, end, buildCarrier(yy), buildLeg(yy), endOfYy], 'notice early-end 4'],
  ['a trailer of another carrier', [carrier, leg, buildTrailer('E', 'ZZ')], 'notice trailer-carrier 4'],
  ['a record after a trailer', [carrier, leg, end, buildLeg({ 6: '0102' })], 'quarantined no-carrier 5'],
])('blocks of carriers: %s is reported', async (_, records, remark) => {
  expect((await readBlocks(records)).remarks).toEqual([remark]);
});

test('blocks of carriers: legs outside the validity of the carrier are kept, and their number is reported', async () => {
  const within = buildLeg({ 6: '0102', 22: '14JUN26' });
  const { schedules, report } = await readBlocks([buildCarrier({ 22: '15JUN26' }), leg, within, end]);
  expect(schedules.map(describeSchedule)).toEqual(['XX 2026-01-01 2026-06-15 local+local']);
  const entries = report.entries.map(({ reason, line, value }) => [reason, line, value]);
  expect(entries).toEqual([['outside-validity', 2, '1']]);
});

test('blocks of carriers: a carrier without an accepted leg has an empty schedule, with a notice', async () => {
  const bad = buildLeg({ ...yy, 44: '9999' });
  const { schedules, remarks } = await readBlocks([carrier, leg, nextCarrier, buildCarrier(yy), bad, endOfYy]);
  expect(schedules.map(describeSchedule)).toEqual(['XX 2026-01-01 2026-12-31 local', 'YY 2026-01-01 2026-12-31 ']);
  expect(remarks).toEqual(['quarantined bad-time 6', 'notice carrier-without-legs 5']);
});

test('blocks of carriers: electronic ticketing and in-flight services of the carrier are those of its legs', async () => {
  const ofXx = [buildCarrier({ 170: '3/18/4', 189: 'ET' }), leg, nextCarrier];
  const { itineraries } = await readBlocks(ofXx, [buildCarrier({ ...yy, 189: 'EN' }), buildLeg(yy), endOfYy]);
  const services = itineraries.map(({ legs: [leg] }) => `${leg.electronicTicketing} ${leg.inFlightServices.join()}`);
  expect(services).toEqual(['true 3,18,4', 'false ']);
});
