import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildFile, flownMessage, joinedCells, formatCsvLine, readFileText, type RowCells } from './bts-file.ts';

const boston: RowCells = { DivAirports: 'BOS', DivWheelsOns: '930', DivWheelsOffs: '1100' };
const viaBoston: RowCells = { Diverted: '1', ArrDelay: '', DivArrDelay: '180', ...boston };
const noZone = [
  'zone-unknown',
  'The time zone of this airport is unknown; add the airport to the master data.',
] as const;
const outOfOrder = ['times-out-of-order', 'The time is before that of the previous event of the flight.'] as const;
const badTime = (text: string) => ['bad-time', `'${text}' is not a time of day (0000 to 2400).`] as const;
const badDelay = (text: string) => ['bad-delay', `'${text}' is not a delay in minutes (-1440 to 20160).`] as const;
const badDuration = (text: string, range: string) => ['bad-duration', `'${text}' is not a ${range}.`] as const;
const noTakeOff = ['wheels-off-missing', 'The row has a diversion landing but no take-off time.'] as const;
const noSecondTakeOff = [
  'wheels-off-missing',
  'The flight continued from BOS, but its take-off there is missing.',
] as const;
const disagreement = 'The scheduled departure at 0800 and the elapsed time of 150 minutes give an arrival at 0930.';
test.each<readonly [cells: RowCells, field: string, value: string, readonly [reason: string, message: string]]>([
  [{ Month: '2', DayofMonth: '30' }, 'DayofMonth', '30', ['bad-date', "'30' is not a day of month 2 of 2014."]],
  [{ Year: '' }, 'Year', '', ['bad-date', "'' is not a year (1987 to 2100)."]],
  [{ Carrier: 'X' }, 'Carrier', 'X', ['bad-carrier', "'X' is not an airline designator."]],
  [{ FlightNum: '0' }, 'FlightNum', '0', ['bad-flight-number', "'0' is not a flight number (1 to 9999)."]],
  [{ Dest: '13930' }, 'Dest', '13930', ['bad-station', "'13930' is not an airport of three letters."]],
  [{ Origin: 'QQQ' }, 'Origin', 'QQQ', noZone],
  [{ Dest: 'QQQ' }, 'Dest', 'QQQ', noZone],
  [{ ...viaBoston, DivAirports: 'QQQ' }, 'DivAirports', 'QQQ', noZone],
  [{ WheelsOff: '2401' }, 'WheelsOff', '2401', badTime('2401')],
  [{ CRSDepTime: '0860' }, 'CRSDepTime', '0860', badTime('0860')],
  [{ ...viaBoston, DivWheelsOns: '' }, 'DivWheelsOns', '', badTime('')],
  [{ DepDelay: 'late' }, 'DepDelay', 'late', badDelay('late')],
  [{ ArrDelay: '1.5' }, 'ArrDelay', '1.5', badDelay('1.5')],
  [{ TaxiIn: '-3' }, 'TaxiIn', '-3', badDuration('-3', 'taxi time in minutes (0 to 1440)')],
  [{ CRSElapsedTime: '' }, 'CRSElapsedTime', '', badDuration('', 'scheduled time in minutes (1 to 1440)')],
  [{ Cancelled: '2' }, 'Cancelled', '2', ['bad-flag', "'2' is not 0 or 1."]],
  [{ CRSArrTime: '935' }, 'CRSArrTime', '0935', ['schedule-disagrees', disagreement]],
  [{ ArrDelay: '-150' }, 'WheelsOn', '0650', outOfOrder],
  [{ ...viaBoston, DivArrDelay: '-20' }, 'WheelsOn', '0900', outOfOrder],
  [{ ...viaBoston, TaxiOut: '' }, 'WheelsOff', '', noTakeOff],
  [{ ...viaBoston, DivWheelsOffs: '' }, 'DivWheelsOffs', '', noSecondTakeOff],
])('a row with %j is quarantined, and the other rows are accepted', async (cells, field, value, [reason, message]) => {
  expect(await readFileText(buildFile(joinedCells, {}, cells, {}))).toEqual({
    messages: [flownMessage, flownMessage],
    entries: [{ severity: 'quarantined', line: 3, field, value, reason, message }],
  });
});

const [head = '', row = ''] = buildFile(joinedCells, {}).split('\n');
const openQuote = 'A quote in the row is not closed, or closes before the end of its cell.';
test.each([
  ['too few cells', row.slice(0, 60), 'cells-of-row', 'The row has 12 cells, but the header has 30.'],
  ['too many cells', `${row},`, 'cells-of-row', 'The row has 31 cells, but the header has 30.'],
  ['a quote that is not closed', row.replace('NY"', 'NY'), 'quotes-of-row', openQuote],
  ['a quote that is closed too early', row.replace('York,', 'York"'), 'quotes-of-row', openQuote],
])('a row with %s is quarantined, and the other rows are accepted', async (_what, broken, reason, message) => {
  expect(await readFileText([head, row, broken, row].join('\n'))).toEqual({
    messages: [flownMessage, flownMessage],
    entries: [{ severity: 'quarantined', line: 3, field: 'row', value: broken.slice(0, 80), reason, message }],
  });
});

test('a row with any two cells changed is accepted or quarantined, and never stops reading', async () => {
  const names = Object.keys(joinedCells);
  const odd = fc.constantFrom('2400', '-1', '0', '1', '999999', 'JFK', 'ORD|JFK', '|', '"', '1e3');
  const changes = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.string({ maxLength: 8 }), odd), {
    maxKeys: 2,
  });
  const property = fc.asyncProperty(fc.constantFrom({}, viaBoston), changes, async (base, cells) => {
    const changed: RowCells = { ...joinedCells, ...base, ...cells };
    const line = formatCsvLine(names.map((name) => (changed[name] ?? '').replaceAll(/[\r\n]/g, ' ')));
    const { messages, entries } = await readFileText([head, line, row].join('\n'));
    expect(messages.at(-1)).toEqual(flownMessage);
    const quarantined = entries.filter(({ severity }) => severity === 'quarantined');
    expect(messages.length - 1 + quarantined.length).toBeGreaterThanOrEqual(1);
  });
  await fc.assert(property, { numRuns: 300 });
});
