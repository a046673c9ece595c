import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildFile, flownMessage, joinedCells, formatCsvLine, readFileText, type RowCells } from './bts-file.ts';

const viaBoston: RowCells = {
  Diverted: '1',
  ArrDelay: '',
  DivArrDelay: '180',
  DivAirports: 'BOS',
  DivWheelsOns: '930',
  DivWheelsOffs: '1100',
};

describe('a row with', () => {
  test.each<[string, RowCells, RowCells]>([
    [
      'a day outside the month',
      { Month: '2', DayofMonth: '30' },
      { field: 'DayofMonth', value: '30', reason: 'bad-date', message: "'30' is not a day of month 2 of 2014." },
    ],
    [
      'no year',
      { Year: '' },
      { field: 'Year', value: '', reason: 'bad-date', message: "'' is not a year (1987 to 2100)." },
    ],
    [
      'an invalid carrier',
      { Carrier: 'X' },
      { field: 'Carrier', value: 'X', reason: 'bad-carrier', message: "'X' is not an airline designator." },
    ],
    [
      'the flight number 0',
      { FlightNum: '0' },
      {
        field: 'FlightNum',
        value: '0',
        reason: 'bad-flight-number',
        message: "'0' is not a flight number (1 to 9999).",
      },
    ],
    [
      'a number for an airport',
      { Dest: '13930' },
      { field: 'Dest', value: '13930', reason: 'bad-station', message: "'13930' is not an airport of three letters." },
    ],
    [
      'an origin without a zone',
      { Origin: 'QQQ' },
      { field: 'Origin', value: 'QQQ', reason: 'zone-unknown', message: 'The time zone of this airport is not known.' },
    ],
    [
      'a destination without a zone',
      { Dest: 'QQQ' },
      { field: 'Dest', value: 'QQQ', reason: 'zone-unknown', message: 'The time zone of this airport is not known.' },
    ],
    [
      'a diversion to an airport without a zone',
      { ...viaBoston, DivAirports: 'QQQ' },
      {
        field: 'DivAirports',
        value: 'QQQ',
        reason: 'zone-unknown',
        message: 'The time zone of this airport is not known.',
      },
    ],
    [
      'a time over 2400',
      { WheelsOff: '2401' },
      { field: 'WheelsOff', value: '2401', reason: 'bad-time', message: "'2401' is not a time of day (0000 to 2400)." },
    ],
    [
      'a minute 60',
      { CRSDepTime: '0860' },
      {
        field: 'CRSDepTime',
        value: '0860',
        reason: 'bad-time',
        message: "'0860' is not a time of day (0000 to 2400).",
      },
    ],
    [
      'a landing without a time',
      { ...viaBoston, DivWheelsOns: '' },
      { field: 'DivWheelsOns', value: '', reason: 'bad-time', message: "'' is not a time of day (0000 to 2400)." },
    ],
    [
      'a delay in words',
      { DepDelay: 'late' },
      {
        field: 'DepDelay',
        value: 'late',
        reason: 'bad-delay',
        message: "'late' is not a delay in minutes (-1440 to 20160).",
      },
    ],
    [
      'half a minute of delay',
      { ArrDelay: '1.5' },
      {
        field: 'ArrDelay',
        value: '1.5',
        reason: 'bad-delay',
        message: "'1.5' is not a delay in minutes (-1440 to 20160).",
      },
    ],
    [
      'a negative taxi time',
      { TaxiIn: '-3' },
      {
        field: 'TaxiIn',
        value: '-3',
        reason: 'bad-duration',
        message: "'-3' is not a taxi time in minutes (0 to 1440).",
      },
    ],
    [
      'no scheduled duration',
      { CRSElapsedTime: '' },
      {
        field: 'CRSElapsedTime',
        value: '',
        reason: 'bad-duration',
        message: "'' is not a scheduled time in minutes (1 to 1440).",
      },
    ],
    [
      'a flag of 2',
      { Cancelled: '2' },
      { field: 'Cancelled', value: '2', reason: 'bad-flag', message: "'2' is not 0 or 1." },
    ],
    [
      'scheduled times that disagree',
      { CRSArrTime: '935' },
      {
        field: 'CRSArrTime',
        value: '0935',
        reason: 'schedule-disagrees',
        message: 'A departure at 0800 and 150 minutes make an arrival at 0930.',
      },
    ],
    [
      'an arrival before its take-off',
      { ArrDelay: '-150' },
      {
        field: 'WheelsOn',
        value: '0650',
        reason: 'times-out-of-order',
        message: 'The event would lie before the one that leads to it.',
      },
    ],
    [
      'an arrival before its departure from the other airport',
      { ...viaBoston, DivArrDelay: '-20' },
      {
        field: 'WheelsOn',
        value: '0900',
        reason: 'times-out-of-order',
        message: 'The event would lie before the one that leads to it.',
      },
    ],
    [
      'a landing without a take-off',
      { ...viaBoston, TaxiOut: '' },
      {
        field: 'WheelsOff',
        value: '',
        reason: 'wheels-off-missing',
        message: 'The flight landed elsewhere and never took off.',
      },
    ],
    [
      'an arrival without a departure from the other airport',
      { ...viaBoston, DivWheelsOffs: '' },
      {
        field: 'DivWheelsOffs',
        value: '',
        reason: 'wheels-off-missing',
        message: 'The flight went on from BOS without leaving it.',
      },
    ],
  ])('%s is quarantined, and the other rows are accepted', async (_what, cells, reason) => {
    expect(await readFileText(buildFile(joinedCells, {}, cells, {}))).toEqual({
      messages: [flownMessage, flownMessage],
      entries: [{ severity: 'quarantined', line: 3, ...reason }],
    });
  });

  const [head = '', row = ''] = buildFile(joinedCells, {}).split('\n');
  test.each([
    ['too few cells', row.slice(0, 60), 'cells-of-row', 'The row has 12 cells where the header has 30.'],
    ['too many cells', `${row},`, 'cells-of-row', 'The row has 31 cells where the header has 30.'],
    [
      'a quote that is not closed',
      row.replace('NY"', 'NY'),
      'quotes-of-row',
      'A quote in the row is not closed, or closed within its cell.',
    ],
    [
      'a quote that is closed too early',
      row.replace('York,', 'York"'),
      'quotes-of-row',
      'A quote in the row is not closed, or closed within its cell.',
    ],
  ])('%s is quarantined, and the other rows are accepted', async (_what, broken, reason, message) => {
    expect(await readFileText([head, row, broken, row].join('\n'))).toEqual({
      messages: [flownMessage, flownMessage],
      entries: [{ severity: 'quarantined', line: 3, field: 'row', value: broken.slice(0, 80), reason, message }],
    });
  });

  test('any two cells changed is accepted or quarantined, and never stops reading', async () => {
    const names = Object.keys(joinedCells);
    const cell = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('2400', '-1', '0', '1', '999999', 'JFK', 'ORD|JFK', '|', '"', '1e3'),
    );
    const changed = fc.tuple(
      fc.constantFrom({}, viaBoston),
      fc.dictionary(fc.constantFrom(...names), cell, { maxKeys: 2 }),
    );
    const property = fc.asyncProperty(changed, async ([base, cells]) => {
      const row: RowCells = { ...joinedCells, ...base, ...cells };
      const { messages, entries } = await readFileText(
        [formatCsvLine(names), formatCsvLine(names.map((name) => (row[name] ?? '').replaceAll(/[\r\n]/g, ' ')))]
          .join('\n')
          .concat('\n', buildFile(joinedCells, {}).split('\n')[1] ?? ''),
      );
      expect(messages.at(-1)).toEqual(flownMessage);
      expect(
        messages.length - 1 + entries.filter(({ severity }) => severity === 'quarantined').length,
      ).toBeGreaterThanOrEqual(1);
    });
    await fc.assert(property, { numRuns: 500 });
  });
});
