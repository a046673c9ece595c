import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { listEntries, toMillisecond, buildMessage, listMessages, readOneTelegram } from './read-telegram-text.ts';
import { readTelegramText, toSecond } from './read-telegram-text.ts';

const registration = 'GABCD';
const atLondon = (...elements: readonly string[]): readonly string[] => ['MVT', 'XX0101/01.G-ABCD.LHR', ...elements];
const atParis = (...elements: readonly string[]): readonly string[] => ['MVT', 'XX0101/01.GABCD.CDG', ...elements];
const diversion = (...elements: readonly string[]): readonly string[] => ['DIV', 'XX0101/01.GABCD.CDG', ...elements];
const at = (time: string) => toSecond(`2027-03-01T${time}`);

/** Formats a message as `LHR-CDG 11:15: actualOut 11:00`: airports, time of observation and facts. */
const formatMessage = ({ flight, observedAt, facts }: StatusMessage): string => {
  const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 16);
  const [from, to] = flight.by === 'designator' ? [flight.departureAirport, flight.arrivalAirport ?? ''] : [];
  const values = Object.entries(facts).map(([name, value]) => {
    const text = typeof value === 'number' ? timeOf(value * 1000).replace('2027-03-01T', '') : JSON.stringify(value);
    return `${name} ${text}`;
  });
  return `${from}-${to} ${timeOf(observedAt).replace('2027-03-01T', '')}: ${values.toSorted().join(', ')}`;
};

test('a departure gives out, off, the arrival airport and its estimate', async () => {
  const facts = { actualOut: at('11:00'), actualOff: at('11:15'), estimatedOn: at('12:20'), registration };
  const observedAt = toMillisecond('2027-03-01T11:15');
  expect(await readOneTelegram(atLondon('AD1100/1115 EA1220 CDG', 'DL72/0015', 'PX112', 'SI DEICING'))).toStrictEqual(
    buildMessage({ observedAt, from: 'LHR', to: 'CDG', facts }),
  );
});

test.each([
  ['may omit its take-off', 'AD1100', 'LHR- 11:00: actualOut 11:00'],
  ['may have a blank before its time', 'AD 1100', 'LHR- 11:00: actualOut 11:00'],
  ['may omit its off-block time', 'AD/1115', 'LHR- 11:15: actualOff 11:15'],
  ['may include its day', 'AD011100/011115', 'LHR- 11:15: actualOff 11:15, actualOut 11:00'],
  ['may be late, observed at receipt', 'ED011625|DL72/0025', 'LHR- 18:00: estimatedOut 16:25'],
  ['may be late by an unknown time', 'NI011850|SI ENGINE TROUBLE', 'LHR- 18:00: '],
  [
    'may wait for its take-off, with estimates of the arrival after it',
    'AD1115|EO1135|EA1240 CDG|EB1250',
    'LHR-CDG 11:15: actualOut 11:15, estimatedIn 12:50, estimatedOff 11:35, estimatedOn 12:40',
  ],
  ['may have a revised arrival', 'EA1235 CDG', 'LHR-CDG 18:00: estimatedOn 12:35'],
  [
    'may end at the ramp, observed then, with the next estimate',
    'AD1115 RR1125|ED1300|EB1128|SI ABORTED TAKE-OFF',
    'LHR- 11:25: actualOff null, actualOut null, estimatedOut 13:00',
  ],
  ['may end at the ramp without a time', 'RR', 'LHR- 18:00: actualOff null, actualOut null'],
  ['may end in prose', 'AD1100|SI CREW CHANGE|AD HOC CHARTER|RR NOT PLANNED', 'LHR- 11:00: actualOut 11:00'],
])('a departure %s: %s', async (_, elements, expected) => {
  const message = await readOneTelegram(atLondon(...elements.split('|')));
  expect(formatMessage(message)).toBe(`${expected}${expected.endsWith(': ') ? '' : ', '}registration "GABCD"`);
});

test.each([
  ['gives on and in, without the departure airport', 'AA1215/1224|FLD01', '12:24: actualIn 12:24, actualOn 12:15'],
  ['may have only the time at the gate', 'AA/1224', '12:24: actualIn 12:24'],
  ['may have the estimate of the time at the gate', 'AA1210 EB1220', '12:10: actualOn 12:10, estimatedIn 12:20'],
  ['ignores the expected arrival of the next leg elsewhere', 'AA1210 EA1405 VIE', '12:10: actualOn 12:10'],
  ['may be revised', 'EA1235 EB1245|SI RADAR FAILURE', '18:00: estimatedIn 12:45, estimatedOn 12:35'],
])('an arrival %s: %s', async (_, elements, expected) => {
  const message = await readOneTelegram(atParis(...elements.split('|')));
  expect(formatMessage(message)).toBe(`-CDG ${expected}, registration "GABCD"`);
});

test.each(['EA1235 CDG 1400 VIE', 'EA1235 CDG\nEA1400 VIE'])(
  'of a flight with stops the first is used, the others are noted: %s',
  async (elements) => {
    const outcomes = await readTelegramText([...atLondon('AD1100'), elements].join('\n'));
    expect(listMessages(outcomes).map(({ facts }) => facts.estimatedOn)).toEqual([at('12:35')]);
    const line = elements.includes('\n') ? 5 : 4;
    const message = 'Only the first stop in a telegram is used; this element was ignored.';
    const entry = { severity: 'notice', line, field: 'EA', value: '1400 VIE', reason: 'further-stop', message };
    expect(listEntries(outcomes)).toStrictEqual([entry]);
  },
);

const inAirReturn = { id: 'LHR', airport: 'LHR', type: 'InAirReturn' } as const;

test('a return from the air is a landing at the departure airport', async () => {
  const message = await readOneTelegram(atLondon('FR1200/1215 PX112', 'SI ENGINE 1 TROUBLE'));
  const landings = [{ ...inAirReturn, actualOn: at('12:00'), actualIn: at('12:15') }];
  const observedAt = toMillisecond('2027-03-01T12:15');
  expect(message).toStrictEqual(buildMessage({ observedAt, from: 'LHR', facts: { registration }, landings }));
});

test('a return in the air may be reported before it has landed', async () => {
  const message = await readOneTelegram(atLondon('AD1100/1115', 'FR', 'EA1205', 'EB1212'));
  const facts = { actualOut: at('11:00'), actualOff: at('11:15'), registration };
  const landings = [{ ...inAirReturn, estimatedOn: at('12:05'), estimatedIn: at('12:12') }];
  const observedAt = toMillisecond('2027-03-01T11:15');
  expect(message).toStrictEqual(buildMessage({ observedAt, from: 'LHR', facts, landings }));
});

test.each([
  [['DR71 PX112', 'SI BAD WEATHER'], {}],
  [['DR71', 'CONT CDG', 'EO1400'], { continues: true, estimatedOff: at('14:00') }],
  [['TERM'], { continues: false }],
  [['SI TERM'], { continues: false }],
  [['SI BAD WEATHER', 'CONT'], { continues: true }],
  [['SI PAX CONT BY BUS FROM TERM 2'], {}],
])('a diversion has the other airport, and whether the flight continues: %s', async (elements, facts) => {
  const message = await readOneTelegram(diversion('EA1235 ORY', 'EB1245', ...elements));
  const landing = { id: 'ORY', airport: 'ORY', estimatedOn: at('12:35'), estimatedIn: at('12:45'), ...facts };
  const observedAt = toMillisecond('2027-03-01T18:00');
  const landings = [landing];
  expect(message).toStrictEqual(buildMessage({ observedAt, from: '', to: 'CDG', facts: { registration }, landings }));
});

test('the flight line may name an ICAO carrier, a suffix and the month, and leave out the registration', async () => {
  const message = await readOneTelegram(['MVA', 'ABC7A/28FEB..EGLL', 'AD2350'], '2027-03-01T02:00');
  const time = '2027-02-28T23:50';
  const facts = { actualOut: toSecond(time) };
  expect(message).toStrictEqual({
    ...buildMessage({ observedAt: toMillisecond(time), from: 'EGLL', facts }),
    flight: {
      by: 'designator',
      carrier: 'ABC',
      flightNumber: 7,
      suffix: 'A',
      originDate: localDate('2027-02-28'),
      datedBy: 'utc',
      hasDerivedDays: true,
      departureAirport: 'EGLL',
      arrivalAirport: undefined,
    },
  });
});

test('ignores elements without times, also where they look like an airport or an airport looks like them', async () => {
  const delays = ['DL31/62/0010/0005', 'EDL72/0015', 'DLA841/812', 'DLRA/0015'];
  const others = ['PX12/100 PAD 3', 'CRT1530/1540 MAP1105', 'TOF6400 TOW63452 ZFW132500'];
  const outcomes = await readTelegramText(atLondon('AD1100 EA1220 DLA', ...delays, ...others).join('\n'));
  expect(listEntries(outcomes)).toEqual([]);
  expect(listMessages(outcomes)[0]?.flight).toMatchObject({ arrivalAirport: 'DLA' });
});

test('unknown and misplaced elements give a notice, and the rest is accepted', async () => {
  const outcomes = await readTelegramText(atLondon('AD1100', 'QZ77 LAV OUT', 'CONT').join('\n'));
  expect(listMessages(outcomes)).toHaveLength(1);
  const unknown = { field: 'element', value: 'QZ77 LAV OUT', reason: 'unknown-element' };
  const misplaced = { field: 'CONT', value: '', reason: 'misplaced-element' };
  expect(listEntries(outcomes)).toStrictEqual([
    { severity: 'notice', line: 4, ...unknown, message: 'Unknown element; it was ignored.' },
    { severity: 'notice', line: 5, ...misplaced, message: 'CONT is not allowed in MVT.' },
  ]);
});

test('a telegram without a movement gives a notice and no message', async () => {
  const value = 'PX112 SI LATE LOAD SHEET';
  const message = 'The telegram contains no movement.';
  expect(await readTelegramText(atLondon('PX112', 'SI LATE LOAD SHEET').join('\n'))).toStrictEqual([
    { line: 1, entry: { severity: 'notice', line: 1, field: 'elements', value, reason: 'no-movement', message } },
  ]);
});
