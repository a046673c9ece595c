import { expect, test } from 'vitest';
import { FeedError } from '#feeds/feed-error.ts';
import { at, toSecond, buildFile, flownMessage, joinedCells, readFileText, officialCells } from './bts-file.ts';
import { downloadCells, downloadDiversionCells, upperCaseCells, type RowCells } from './bts-file.ts';

const olderNames: Readonly<Record<string, string>> = {
  IATA_CODE_Reporting_Airline: 'Carrier',
  Tail_Number: 'TailNum',
  Flight_Number_Reporting_Airline: 'FlightNum',
};
const older = ({ Reporting_Airline: _, ...cells }: RowCells): RowCells =>
  Object.fromEntries(Object.entries(cells).map(([name, cell]) => [olderNames[name] ?? name, cell]));

const reversed = (cells: RowCells): RowCells => Object.fromEntries(Object.entries(cells).toReversed());
const everyCellQuoted = (text: string): string => text.replaceAll(/(?<=^|,)([^",\n]*)(?=,|$)/gm, '"$1"');
const joined = buildFile(joinedCells, {});
const without = (cells: RowCells, pattern: RegExp): RowCells =>
  Object.fromEntries(Object.entries(cells).filter(([name]) => !pattern.test(name)));
const earlierNames = (cells: RowCells): RowCells =>
  Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name.replace(/^OP_(CARRIER_)?/, ''), cell]));

test.each<[string, string]>([
  ['in 31 upper-case columns', buildFile(upperCaseCells, {})],
  ['in 77 columns with joined diversions', buildFile(joinedCells, {})],
  ['in the official columns', buildFile(officialCells, {})],
  ['in the official columns by their older names', buildFile(older(officialCells), {})],
  ['in the official columns without diversions', buildFile(without(officialCells, /^Div\d|^Div[RA]/), {})],
  ['in the columns of the download form', buildFile(downloadCells, {})],
  ['in those columns, with diversions', buildFile({ ...downloadCells, ...downloadDiversionCells }, {})],
  ['in those columns by their earlier names', buildFile(earlierNames(downloadCells), {})],
  [
    'in those columns, with the date in one of them',
    buildFile(without(downloadCells, /^(YEAR|MONTH|DAY_OF_MONTH)$/), {}),
  ],
  [
    'in those columns, with a date as earlier files have it',
    buildFile({ ...without(downloadCells, /^(YEAR|MONTH)$/), FL_DATE: '2014-03-10' }, {}),
  ],
  [
    'in those columns, with the cells in quotes and an empty last column',
    everyCellQuoted(buildFile({ ...downloadCells, '': '' }, {}).trimEnd()),
  ],
  ['in columns of another order', buildFile(reversed(officialCells), {})],
  ['with every cell in quotes', everyCellQuoted(buildFile(upperCaseCells, {}).trimEnd())],
  ['with lines that end in CRLF', buildFile(officialCells, {}).replaceAll('\n', '\r\n')],
  ['after a byte order mark, with blank lines', `\uFEFF${joined.trimEnd().replace('\n', '\n\n')}`],
])('a flight as scheduled %s gives the same message', async (_layout, text) => {
  expect(await readFileText(text)).toEqual({ messages: [flownMessage], entries: [] });
});

test('a flight departs and arrives with the delays in its row, also days late', async () => {
  const days = { DepDelay: '2885', ArrDelay: '2890', WheelsOn: '0930', ArrTime: '0940' };
  const { messages, entries } = await readFileText(buildFile(joinedCells, days));
  expect(entries).toEqual([]);
  const [actualOut, actualOff, actualOn, actualIn] = ['12:05', '12:20', '14:30', '14:40'].map((time) => at(time, 12));
  const facts = { actualOut, actualOff, actualOn, actualIn, registration: 'N101XX' };
  expect(messages.map((message) => message.facts)).toEqual([facts]);
});

test('reads 2400 as the midnight that ends the day', async () => {
  const leaves = { CRSDepTime: '2400', DepTime: '0005', WheelsOff: '0020' };
  const lands = { CRSArrTime: '0130', WheelsOn: '0140', ArrTime: '0150' };
  const leavesBefore = { CRSDepTime: '2130', DepTime: '2135', WheelsOff: '2150' };
  const landsAtMidnight = { CRSArrTime: '2300', WheelsOn: '2400', TaxiIn: '0', ArrTime: '0', ArrDelay: '60' };
  const rows = [
    { ...leaves, ...lands },
    { ...leavesBefore, ...landsAtMidnight },
  ];
  const { messages, entries } = await readFileText(buildFile(joinedCells, ...rows));
  expect(entries).toEqual([]);
  expect(messages.map(({ id, plan, facts }) => [id, plan?.departsAt, facts.actualOn])).toEqual([
    ['bts:2014-03-10:XX:12:JFK:ORD:2400', at('04:00', 11), at('06:40', 11)],
    ['bts:2014-03-10:XX:12:JFK:ORD:2130', at('01:30', 11), at('05:00', 11)],
  ]);
});

test('a flight in a repeated hour departs in the occurrence that matches its arrival', async () => {
  const unknown = { DepTime: '', WheelsOff: '', WheelsOn: '', ArrTime: '' };
  const night = { Month: '11', DayofMonth: '2', CRSDepTime: '130', ...unknown };
  const rows = ['0200', '0300'].map((CRSArrTime) => ({ ...night, CRSArrTime }));
  const { messages, entries } = await readFileText(buildFile(joinedCells, ...rows));
  expect(entries).toEqual([]);
  expect(messages.map(({ plan }) => [plan?.departsAt, plan?.arrivesAt])).toEqual([
    [toSecond('2014-11-02T05:30Z'), toSecond('2014-11-02T08:00Z')],
    [toSecond('2014-11-02T06:30Z'), toSecond('2014-11-02T09:00Z')],
  ]);
});

test.each<readonly [string, string | undefined]>([
  ['n-101xx', 'N101XX'],
  ['101XX', '101XX'],
  ['N0EGMQ', 'N0EGMQ'],
  ...['', 'UNKNOW', '-----', '000000', '�NKNO�'].map((cell) => [cell, undefined] as const),
])('a flight of the aircraft %j has the registration %j', async (cell, registration) => {
  const { messages } = await readFileText(buildFile(joinedCells, { TailNum: cell }));
  expect(messages.map(({ facts }) => facts.registration)).toEqual([registration]);
});

const noDeparture = { DepTime: '', DepDelay: '', TaxiOut: '', WheelsOff: '' };
const none = { ...noDeparture, WheelsOn: '', TaxiIn: '', ArrTime: '', ArrDelay: '', Cancelled: '1' };

test('a cancelled flight is observed at its scheduled departure', async () => {
  const { messages } = await readFileText(buildFile(joinedCells, { ...none, TailNum: '' }));
  expect(messages).toEqual([{ ...flownMessage, facts: { cancelled: true }, observedAt: at('12:00') * 1000 }]);
});

test('a cancelled flight may have left its gate', async () => {
  const { messages } = await readFileText(buildFile(joinedCells, { ...none, DepTime: '0805', DepDelay: '5' }));
  const facts = { cancelled: true, actualOut: at('12:05'), registration: 'N101XX' };
  expect(messages).toEqual([{ ...flownMessage, facts, observedAt: at('12:05') * 1000 }]);
});

test('a cancelled flight may have taken off and returned', async () => {
  const airborne = { DepTime: '0805', DepDelay: '5', TaxiOut: '15', WheelsOff: '0820' };
  const back = { DivAirports: 'JFK', DivWheelsOns: '0910' };
  const { messages, entries } = await readFileText(buildFile(joinedCells, { ...none, ...airborne, ...back }));
  expect(entries).toEqual([]);
  const landing = { id: '1', airport: 'JFK', actualOn: at('13:10'), continues: false };
  expect(messages).toMatchObject([{ facts: { cancelled: true }, landings: [landing] }]);
});

test('a time of day that contradicts the delay gives a notice, and the delay is used', async () => {
  const { messages, entries } = await readFileText(buildFile(joinedCells, { ArrTime: '1050' }));
  expect(messages).toEqual([flownMessage]);
  const message = 'The delay of the flight gives 0950, which was used.';
  const entry = { severity: 'notice', line: 2, field: 'ArrTime', value: '1050', reason: 'clock-disagrees', message };
  expect(entries).toEqual([entry]);
});

const upperCase = buildFile(upperCaseCells, {});

test.each<[string, string, string]>([
  ['without a column', upperCase.replace('TAXI_OUT', 'TAXI'), 'upper-case; these columns are missing: TAXI_OUT.'],
  [
    'of the download form without columns',
    buildFile(without(downloadCells, /^(MONTH|FL_DATE|CRS_ARR_TIME|OP_.*CARRIER)$/), {}),
    'download form; these columns are missing: MONTH, OP_CARRIER or CARRIER or OP_UNIQUE_CARRIER or UNIQUE_CARRIER, CRS_ARR_TIME.',
  ],
  [
    'of the download form with some columns of a landing',
    buildFile({ ...downloadCells, DIV1_AIRPORT: '', DIV1_WHEELS_OFF: '' }, {}),
    'download form; these columns are missing: DIV1_WHEELS_ON, DIV1_TAIL_NUM.',
  ],
  [
    'without columns that have two names',
    buildFile(joinedCells, {}).replace('FlightNum', 'Number').replace('DivTailNums', 'Tails'),
    'The closest layout is official; these columns are missing: Flight_Number_Reporting_Airline or FlightNum, DivTailNums.',
  ],
  ['of no rows', buildFile(officialCells), 'The file has no rows.'],
  ['of nothing', '', 'The file has no rows.'],
])('a file %s is rejected with an error that says so', async (_what, text, message) => {
  const error = await readFileText(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FeedError);
  expect(String(error)).toContain(message);
});

test('a file of the years without taxi times and registrations has the times at the gates', async () => {
  const cells = without(downloadCells, /^(TAIL_NUM|TAXI_|WHEELS_|DEP_TIME|ARR_TIME)/);
  const nineties = { ...cells, OP_UNIQUE_CARRIER: 'XX (1)' };
  const { actualOut, actualIn } = flownMessage.facts;
  const expected = { messages: [{ ...flownMessage, facts: { actualOut, actualIn } }], entries: [] };
  expect(await readFileText(buildFile(nineties, {}))).toEqual(expected);
  expect(await readFileText(buildFile(without(nineties, /^OP_CARRIER$/), {}))).toEqual(expected);
});

test.each(['2014-03-32', '3/10/14', '10.3.2014', '3/10/2014 01:00:00 AM', '3/10/1914', ''])(
  'a row with the date %j in one column is quarantined',
  async (date) => {
    const cells = { ...without(downloadCells, /^(YEAR|MONTH|DAY_OF_MONTH)$/), FL_DATE: date };
    const message = `'${date}' is not a date like 11/24/2026 or 2026-11-24, of 1987 to 2100.`;
    expect(await readFileText(buildFile(cells, {}))).toEqual({
      messages: [],
      entries: [{ severity: 'quarantined', line: 2, field: 'FL_DATE', value: date, reason: 'bad-date', message }],
    });
  },
);
