import { describe, expect, test } from 'vitest';

import { formatDate } from '../../../src/domain/time/dates.ts';
import { FeedError } from '../../../src/feeds/feed-error.ts';
import { createLoadReport } from '../../../src/feeds/load-report.ts';
import { readSchedules } from '../../../src/feeds/ssim/read-schedules.ts';
import {
  buildCarrier,
  buildFile,
  header,
  splitIntoChunks,
  buildLeg,
  readFileText,
  buildRecord,
  buildSegment,
  buildTrailer,
  buildWholeFile,
  zeroRecord,
} from './build-file.ts';

const rejectionOf = async (text: string): Promise<readonly unknown[]> => {
  const error: unknown = await readFileText(text).catch((thrown: unknown) => thrown);
  return error instanceof FeedError ? [error.reason, error.line, error.message] : [error];
};

const good = buildFile(buildLeg(), buildSegment(10, 'YY 5101 '));

describe('a file', () => {
  test('reads the same with LF or CRLF, whole or in chunks of any size', async () => {
    const expected = await readFileText(good);
    expect(expected.itineraries).toHaveLength(1);
    for (const size of [1, 7, 200, 201, 100_000])
      expect(await readFileText(good.replaceAll('\n', '\r\n'), size)).toEqual(expected);
  });

  test('may leave out its last line end', async () => {
    expect(await readFileText(good.slice(0, -1))).toEqual(await readFileText(good));
  });

  test('may have its trailing blanks trimmed when it numbers no records', async () => {
    const bare = [header, buildCarrier(), buildLeg({ 193: '  ' }), buildTrailer('E').replace('??????', '      ')]
      .map((text) => text.trimEnd())
      .join('\r\n');
    const { itineraries, remarks } = await readFileText(bare);
    expect(itineraries).toHaveLength(1);
    expect(remarks).toEqual(['notice no-serial 1', 'notice trailer-reference 4']);
  });

  test('may be padded with records of zeros, which do not count', async () => {
    const { remarks, report } = await readFileText(
      buildWholeFile(
        header,
        zeroRecord,
        zeroRecord,
        buildCarrier(),
        zeroRecord,
        buildLeg(),
        zeroRecord,
        '',
        buildTrailer('E'),
        zeroRecord,
        '\u001a',
      ),
    );
    expect(remarks).toEqual([]);
    expect(report.accepted).toEqual({ header: 1, carrier: 1, leg: 1, trailer: 1, filler: 7, itinerary: 1 });
  });

  test('holds several carriers, each with its own time mode and validity', async () => {
    const file = buildWholeFile(
      header,
      buildCarrier(),
      buildLeg(),
      buildTrailer('C'),
      buildCarrier({ 1: '2U', 3: 'YYY', 15: '01MAR26' }),
      buildLeg({ 3: 'YYY', 29: '1234567', 48: '+0100' }),
      buildTrailer('E', 'YYY'),
    );
    const { schedules, remarks } = await readFileText(file);
    expect(
      schedules.map(({ carrier: name, from, to, itineraries }) => [
        name,
        formatDate(from),
        formatDate(to),
        itineraries.map(({ legs }) => legs[0].timeMode),
      ]),
    ).toEqual([
      ['XX', '2026-01-01', '2026-12-31', ['local']],
      ['YYY', '2026-03-01', '2026-12-31', ['utc']],
    ]);
    expect(remarks).toEqual([]);
  });

  test('may give one carrier in several blocks, which are merged', async () => {
    const file = buildWholeFile(
      header,
      buildCarrier({ 22: '31MAY26' }),
      buildLeg({ 15: '01MAY26', 22: '31MAY26' }),
      buildTrailer('C'),
      buildCarrier({ 15: '01JUN26' }),
      buildLeg({ 6: '0102' }),
      buildTrailer('E'),
    );
    const { schedules } = await readFileText(file);
    expect(
      schedules.map(({ carrier: name, from, to, itineraries }) => [
        name,
        formatDate(from),
        formatDate(to),
        itineraries.length,
      ]),
    ).toEqual([['XX', '2026-01-01', '2026-12-31', 2]]);
  });

  test('calls back with the number of bytes read', async () => {
    const totals: number[] = [];
    await readSchedules(splitIntoChunks(Buffer.from(good), 500), createLoadReport('test'), (total) =>
      totals.push(total),
    );
    expect(totals).toEqual([500, 1000, 1005]);
  });
});

describe('a file is rejected as a whole', () => {
  test('when it is empty', async () => {
    expect(await rejectionOf('')).toEqual(['empty-file', undefined, 'There is nothing in the file.']);
    expect(await rejectionOf(`${zeroRecord}\n${zeroRecord}\n`)).toEqual([
      'empty-file',
      undefined,
      'There is nothing in the file.',
    ]);
  });

  test('when it does not begin with a header', async () => {
    expect(await rejectionOf(buildWholeFile(buildCarrier(), buildLeg(), buildTrailer('E')))).toEqual([
      'no-header',
      1,
      'The file does not begin with an SSIM chapter 7 header record.',
    ]);
    expect(await rejectionOf('{"some": "json"}\n')).toEqual([
      'no-header',
      1,
      'The file does not begin with an SSIM chapter 7 header record.',
    ]);
  });

  test('when it has no line ends, without filling the memory', async () => {
    expect((await rejectionOf(header.repeat(5000)))[0]).toBe('bad-length');
  });

  test('when no record ends it', async () => {
    const message = 'The file has no end record (type 5 with E): it is not complete.';
    expect(await rejectionOf(buildWholeFile(header, buildCarrier(), buildLeg()))).toEqual([
      'no-end-record',
      undefined,
      message,
    ]);
    expect(await rejectionOf(buildWholeFile(header, buildCarrier(), buildLeg(), buildTrailer('C')))).toEqual([
      'no-end-record',
      undefined,
      message,
    ]);
    expect(
      await rejectionOf(
        buildWholeFile(
          header,
          buildCarrier(),
          buildLeg(),
          buildTrailer('E'),
          buildCarrier({ 3: 'YY' }),
          buildLeg({ 3: 'YY' }),
        ),
      ),
    ).toEqual(['no-end-record', undefined, message]);
  });

  test('wherever it is cut, except within the filler after its end', async () => {
    for (let length = 1; length < good.length - 1; length += 1) {
      const [reason] = await rejectionOf(good.slice(0, length));
      expect(['cut-record', 'no-end-record', 'no-header']).toContain(reason);
    }
    expect((await readFileText(`${good}${zeroRecord}\n000000`)).itineraries).toHaveLength(1);
  });

  test('when none of its legs can be read', async () => {
    expect(await rejectionOf(buildFile())).toEqual([
      'no-legs',
      undefined,
      'The file holds no flight leg that can be read.',
    ]);
    expect(await rejectionOf(buildFile(buildLeg({ 44: '9999' })))).toEqual([
      'no-legs',
      undefined,
      'The file holds no flight leg that can be read.',
    ]);
  });
});

describe('an invalid record is quarantined, and the others are accepted', () => {
  const other = buildFile(buildLeg({ 6: '0200' }), buildLeg())
    .trimEnd()
    .split('\n');
  const spoilt = (change: (line: string) => string): string =>
    other.map((line, index) => (index === 3 ? change(line) : line)).join('\n') + '\n';

  test.each<readonly [string, (line: string) => string, string, readonly [number, number], string]>([
    [
      'a two-byte letter',
      (line) => Buffer.from(line.replace('LHR', 'LÉR')).toString('latin1'),
      'not-ascii',
      [38, 38],
      'byte 0xc3',
    ],
    [
      'a one-byte letter of another alphabet',
      (line) => line.replace('LHR', 'L\u00c9R'),
      'not-ascii',
      [38, 38],
      'byte 0xc9',
    ],
    ['a tab in it', (line) => line.replace('789 ', '789\t'), 'not-ascii', [76, 76], 'byte 0x09'],
    ['a byte lost', (line) => line.slice(0, 60) + line.slice(61), 'bad-length', [200, 200], '199 bytes'],
    ['an extra byte', (line) => `${line.slice(0, 60)} ${line.slice(60)}`, 'bad-length', [201, 201], '201 bytes'],
    ['a missing end', (line) => line.slice(0, 150), 'bad-length', [76, 200], '150 bytes'],
    ['an unknown type', (line) => `7${line.slice(1)}`, 'bad-record-type', [1, 1], '7'],
  ])('with %s', async (_, change, reason, columns, value) => {
    const { itineraries, report } = await readFileText(spoilt(change));
    expect(itineraries.map(({ legs: [first] }) => first.flightNumber)).toEqual([200]);
    const quarantined = report.entries.filter(({ severity }) => severity === 'quarantined');
    expect(quarantined.map((entry) => [entry.line, entry.reason, entry.bytes, entry.value])).toEqual([
      [4, reason, columns, value],
    ]);
  });

  test('a second header among the records', async () => {
    expect(
      (await readFileText(buildWholeFile(header, buildCarrier(), buildLeg(), header, buildTrailer('E')))).remarks,
    ).toEqual(['quarantined bad-record-type 4']);
  });

  test.each([
    ['time mode', { 2: 'X' }, 'bad-time-mode'],
    ['designator', { 3: '   ' }, 'bad-carrier'],
    ['first date', { 15: '00XXX00' }, 'bad-date'],
    ['order of dates', { 15: '01JAN27' }, 'bad-validity'],
  ])('an invalid %s of a carrier record quarantines its legs', async (_, bytes, reason) => {
    const { schedules, remarks } = await readFileText(
      buildWholeFile(
        header,
        buildCarrier(),
        buildLeg(),
        buildTrailer('C'),
        buildCarrier({ 3: 'YY', ...bytes }),
        buildLeg({ 3: 'YY' }),
        buildSegment(10, 'XX 0101 ', { 3: 'YY' }),
        buildTrailer('E', 'YY'),
      ),
    );
    expect(schedules.map((schedule) => schedule.carrier)).toEqual(['XX']);
    expect(remarks).toEqual([`quarantined ${reason} 5`, 'quarantined no-carrier 6', 'quarantined no-carrier 7']);
  });
});

describe('numbering', () => {
  const renumber = (text: string, line: number, serial: string): string =>
    text
      .split('\n')
      .map((each, index) => (index + 1 === line ? each.slice(0, 194) + serial : each))
      .join('\n');

  test('a gap is reported where it is, once', async () => {
    const file = buildFile(buildLeg(), buildLeg({ 6: '0102' }), buildLeg({ 6: '0103' }));
    const without = file
      .split('\n')
      .filter((_, index) => index !== 3)
      .join('\n');
    const { remarks, itineraries } = await readFileText(without);
    expect(remarks).toEqual(['notice serial-gap 4']);
    expect(itineraries).toHaveLength(2);
  });

  test('000002 follows 999999', async () => {
    const file = renumber(
      renumber(renumber(buildFile(buildLeg(), buildLeg({ 6: '0102' })), 3, '999999'), 4, '000002'),
      5,
      '000003',
    ).replace('000004E', '000002E');
    expect((await readFileText(file)).remarks).toEqual(['notice serial-gap 3']);
  });

  test('a carrier may restart serial numbers at 000002, with a notice', async () => {
    const file = renumber(
      buildWholeFile(
        header,
        buildCarrier(),
        buildLeg(),
        buildTrailer('C'),
        buildCarrier({ 3: 'YY' }),
        buildLeg({ 3: 'YY' }),
        buildTrailer('E', 'YY'),
      ),
      5,
      '000002',
    );
    expect((await readFileText(file)).remarks).toEqual(['notice serial-restart 5', 'notice serial-gap 6']);
  });

  test('an invalid serial number is reported', async () => {
    expect((await readFileText(renumber(buildFile(buildLeg()), 3, '00000O'))).remarks).toEqual(['notice bad-serial 3']);
  });

  test('the trailer names the record before it, at bytes 188-193', async () => {
    const { remarks } = await readFileText(
      buildFile(buildLeg()).replace('000003E', ' 000003').replace(' 000003000004', '000004E000004'),
    );
    expect(remarks).toEqual(['notice trailer-reference 4']);
  });
});

describe('blocks of carriers', () => {
  test('a missing trailer between carriers, an end mark before the end and a trailer of another carrier are reported', async () => {
    const yy = [buildCarrier({ 3: 'YY' }), buildLeg({ 3: 'YY' })];
    expect(
      (await readFileText(buildWholeFile(header, buildCarrier(), buildLeg(), ...yy, buildTrailer('E', 'YY')))).remarks,
    ).toEqual(['notice no-trailer 4']);
    expect(
      (
        await readFileText(
          buildWholeFile(header, buildCarrier(), buildLeg(), buildTrailer('E'), ...yy, buildTrailer('E', 'YY')),
        )
      ).remarks,
    ).toEqual(['notice early-end 4']);
    expect(
      (await readFileText(buildWholeFile(header, buildCarrier(), buildLeg(), buildTrailer('E', 'ZZ')))).remarks,
    ).toEqual(['notice trailer-carrier 4']);
  });

  test('records after a trailer belong to no carrier', async () => {
    expect(
      (
        await readFileText(
          buildWholeFile(header, buildCarrier(), buildLeg(), buildTrailer('E'), buildLeg({ 6: '0102' })),
        )
      ).remarks,
    ).toEqual(['quarantined no-carrier 5']);
  });

  test('a trailer of an unknown status closes nothing', async () => {
    const [reason] = await rejectionOf(
      buildWholeFile(header, buildCarrier(), buildLeg(), buildRecord({ 1: '5', 3: 'XX', 194: 'X' })),
    );
    expect(reason).toBe('no-end-record');
  });

  test('legs outside the validity of the carrier are kept, and their number is reported', async () => {
    const { schedules, report } = await readFileText(
      buildWholeFile(
        header,
        buildCarrier({ 22: '15JUN26' }),
        buildLeg(),
        buildLeg({ 6: '0102', 22: '14JUN26' }),
        buildTrailer('E'),
      ),
    );
    expect(schedules.map(({ to, itineraries }) => [formatDate(to), itineraries.length])).toEqual([['2026-06-15', 2]]);
    expect(report.entries.map(({ reason, line, value }) => [reason, line, value])).toEqual([
      ['outside-validity', 2, '1'],
    ]);
  });

  test('a carrier without an accepted leg has an empty schedule, with a notice', async () => {
    const file = buildWholeFile(
      header,
      buildCarrier(),
      buildLeg(),
      buildTrailer('C'),
      buildCarrier({ 3: 'YY' }),
      buildLeg({ 3: 'YY', 44: '9999' }),
      buildTrailer('E', 'YY'),
    );
    const { schedules, remarks } = await readFileText(file);
    expect(schedules.map((schedule) => [schedule.carrier, schedule.itineraries.length])).toEqual([
      ['XX', 1],
      ['YY', 0],
    ]);
    expect(remarks).toEqual(['quarantined bad-time 6', 'notice carrier-without-legs 5']);
  });

  test('electronic ticketing and in-flight services of the carrier are those of its legs', async () => {
    const { itineraries } = await readFileText(
      buildWholeFile(
        header,
        buildCarrier({ 170: '3/18/4', 189: 'ET' }),
        buildLeg(),
        buildTrailer('C'),
        buildCarrier({ 3: 'YY', 189: 'EN' }),
        buildLeg({ 3: 'YY' }),
        buildTrailer('E', 'YY'),
      ),
    );
    expect(itineraries.map(({ legs: [first] }) => [first.electronicTicketing, first.inFlightServices])).toEqual([
      [true, ['3', '18', '4']],
      [false, []],
    ]);
  });
});
