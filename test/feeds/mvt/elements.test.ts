import { expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import {
  listEntries,
  toMillisecond,
  buildMessage,
  listMessages,
  readOneTelegram,
  readTelegramText,
  toSecond,
} from './read-telegram-text.ts';

const registration = 'GABCD';
const atLondon = (...elements: readonly string[]): readonly string[] => ['MVT', 'XX0101/01.G-ABCD.LHR', ...elements];
const atParis = (...elements: readonly string[]): readonly string[] => ['MVT', 'XX0101/01.GABCD.CDG', ...elements];
const diversion = (...elements: readonly string[]): readonly string[] => ['DIV', 'XX0101/01.GABCD.CDG', ...elements];
const received = toMillisecond('2027-03-01T18:00');

test('a departure gives out, off, the arrival airport and its estimate', async () => {
  const message = await readOneTelegram(atLondon('AD1100/1115 EA1220 CDG', 'DL72/0015', 'PX112', 'SI DEICING'));
  expect(message).toStrictEqual(
    buildMessage({
      observedAt: toMillisecond('2027-03-01T11:15'),
      from: 'LHR',
      to: 'CDG',
      facts: {
        actualOut: toSecond('2027-03-01T11:00'),
        actualOff: toSecond('2027-03-01T11:15'),
        estimatedOn: toSecond('2027-03-01T12:20'),
        registration,
      },
    }),
  );
});

test.each([
  ['AD1100', { actualOut: toSecond('2027-03-01T11:00') }, '2027-03-01T11:00'],
  ['AD 1100', { actualOut: toSecond('2027-03-01T11:00') }, '2027-03-01T11:00'],
  ['AD/1115', { actualOff: toSecond('2027-03-01T11:15') }, '2027-03-01T11:15'],
  [
    'AD011100/011115',
    { actualOut: toSecond('2027-03-01T11:00'), actualOff: toSecond('2027-03-01T11:15') },
    '2027-03-01T11:15',
  ],
])('the departure %s may omit a time or include its day', async (element, times, observedAt) => {
  const message = await readOneTelegram(atLondon(element));
  expect(message).toStrictEqual(
    buildMessage({ observedAt: toMillisecond(observedAt), from: 'LHR', facts: { ...times, registration } }),
  );
});

test('a delay gives the next estimated out, and is observed at its receipt', async () => {
  const message = await readOneTelegram(atLondon('ED011625', 'DL72/0025'));
  expect(message).toStrictEqual(
    buildMessage({
      observedAt: received,
      from: 'LHR',
      facts: { estimatedOut: toSecond('2027-03-01T16:25'), registration },
    }),
  );
});

test('a delay of unknown length gives only the waiting aircraft', async () => {
  const message = await readOneTelegram(atLondon('NI011850', 'SI ENGINE TROUBLE'));
  expect(message).toStrictEqual(buildMessage({ observedAt: received, from: 'LHR', facts: { registration } }));
});

test('a delayed take-off gives out, the estimated off, and estimates of the arrival after it', async () => {
  const message = await readOneTelegram(atLondon('AD1115', 'EO1135', 'EA1240 CDG', 'EB1250'));
  expect(message).toStrictEqual(
    buildMessage({
      observedAt: toMillisecond('2027-03-01T11:15'),
      from: 'LHR',
      to: 'CDG',
      facts: {
        estimatedOff: toSecond('2027-03-01T11:35'),
        actualOut: toSecond('2027-03-01T11:15'),
        estimatedOn: toSecond('2027-03-01T12:40'),
        estimatedIn: toSecond('2027-03-01T12:50'),
        registration,
      },
    }),
  );
});

test('an arrival gives on and in at the arrival airport, without the departure airport', async () => {
  const message = await readOneTelegram(atParis('AA1215/1224', 'FLD01'));
  expect(message).toStrictEqual(
    buildMessage({
      observedAt: toMillisecond('2027-03-01T12:24'),
      from: '',
      to: 'CDG',
      facts: { actualOn: toSecond('2027-03-01T12:15'), actualIn: toSecond('2027-03-01T12:24'), registration },
    }),
  );
});

test('an arrival may have only the time at the gate, or its estimate', async () => {
  expect((await readOneTelegram(atParis('AA/1224'))).facts).toStrictEqual({
    actualIn: toSecond('2027-03-01T12:24'),
    registration,
  });
  expect((await readOneTelegram(atParis('AA1210 EB1220'))).facts).toStrictEqual({
    estimatedIn: toSecond('2027-03-01T12:20'),
    actualOn: toSecond('2027-03-01T12:10'),
    registration,
  });
});

test('beside an arrival, an expected arrival elsewhere belongs to the next leg and is ignored', async () => {
  expect((await readOneTelegram(atParis('AA1210 EA1405 VIE'))).facts).toStrictEqual({
    actualOn: toSecond('2027-03-01T12:10'),
    registration,
  });
});

test('a revised arrival without an airport is about the airport of movement', async () => {
  const message = await readOneTelegram(['.CDGKLXX 011200', ...atParis('EA1235 EB1245', 'SI RADAR FAILURE')]);
  expect(message).toStrictEqual(
    buildMessage({
      observedAt: toMillisecond('2027-03-01T12:00'),
      from: '',
      to: 'CDG',
      facts: {
        estimatedOn: toSecond('2027-03-01T12:35'),
        estimatedIn: toSecond('2027-03-01T12:45'),
        registration,
      },
    }),
  );
});

test('a revised arrival at another airport than that of movement is sent by the departure airport', async () => {
  const message = await readOneTelegram(atLondon('EA1235 CDG'));
  expect(message).toStrictEqual(
    buildMessage({
      observedAt: received,
      from: 'LHR',
      to: 'CDG',
      facts: { estimatedOn: toSecond('2027-03-01T12:35'), registration },
    }),
  );
});

test.each(['EA1235 CDG 1400 VIE', 'EA1235 CDG\nEA1400 VIE'])(
  'of a flight with stops the first is used, the others are noted: %s',
  async (elements) => {
    const outcomes = await readTelegramText([...atLondon('AD1100'), elements].join('\n'));
    expect(listMessages(outcomes)).toHaveLength(1);
    expect(listMessages(outcomes)[0]?.facts.estimatedOn).toBe(toSecond('2027-03-01T12:35'));
    expect(listEntries(outcomes)).toStrictEqual([
      {
        severity: 'notice',
        line: elements.includes('\n') ? 5 : 4,
        field: 'EA',
        value: '1400 VIE',
        reason: 'further-stop',
        message: 'Only the first stop of a flight is taken from a telegram.',
      },
    ]);
  },
);

test('a return to the ramp deletes out and off, is observed at the return, and may have the next estimate', async () => {
  const message = await readOneTelegram(atLondon('AD1115 RR1125', 'ED1300', 'EB1128', 'SI ABORTED TAKE-OFF'));
  expect(message).toStrictEqual(
    buildMessage({
      observedAt: toMillisecond('2027-03-01T11:25'),
      from: 'LHR',
      facts: { estimatedOut: toSecond('2027-03-01T13:00'), actualOut: null, actualOff: null, registration },
    }),
  );
  expect((await readOneTelegram(atLondon('RR'))).facts).toStrictEqual({
    actualOut: null,
    actualOff: null,
    registration,
  });
});

test('a return from the air is a landing at the departure airport', async () => {
  const message = await readOneTelegram(atLondon('FR1200/1215 PX112', 'SI ENGINE 1 TROUBLE'));
  expect(message).toStrictEqual(
    buildMessage({
      observedAt: toMillisecond('2027-03-01T12:15'),
      from: 'LHR',
      facts: { registration },
      landings: [
        {
          id: 'LHR',
          airport: 'LHR',
          type: 'InAirReturn',
          actualOn: toSecond('2027-03-01T12:00'),
          actualIn: toSecond('2027-03-01T12:15'),
        },
      ],
    }),
  );
});

test('a return in the air may be reported before it has landed', async () => {
  const message = await readOneTelegram(atLondon('AD1100/1115', 'FR', 'EA1205', 'EB1212'));
  expect(message).toStrictEqual(
    buildMessage({
      observedAt: toMillisecond('2027-03-01T11:15'),
      from: 'LHR',
      facts: { actualOut: toSecond('2027-03-01T11:00'), actualOff: toSecond('2027-03-01T11:15'), registration },
      landings: [
        {
          id: 'LHR',
          airport: 'LHR',
          type: 'InAirReturn',
          estimatedOn: toSecond('2027-03-01T12:05'),
          estimatedIn: toSecond('2027-03-01T12:12'),
        },
      ],
    }),
  );
});

test.each([
  [['DR71 PX112', 'SI BAD WEATHER'], {}],
  [['DR71', 'CONT CDG', 'EO1400'], { continues: true, estimatedOff: toSecond('2027-03-01T14:00') }],
  [['TERM'], { continues: false }],
  [['SI TERM'], { continues: false }],
  [['SI BAD WEATHER', 'CONT'], { continues: true }],
  [['SI PAX CONT BY BUS FROM TERM 2'], {}],
])('a diversion has the other airport, and whether the flight continues: %s', async (elements, landing) => {
  const message = await readOneTelegram(diversion('EA1235 ORY', 'EB1245', ...elements));
  expect(message).toStrictEqual(
    buildMessage({
      observedAt: received,
      from: '',
      to: 'CDG',
      facts: { registration },
      landings: [
        {
          id: 'ORY',
          airport: 'ORY',
          estimatedOn: toSecond('2027-03-01T12:35'),
          estimatedIn: toSecond('2027-03-01T12:45'),
          ...landing,
        },
      ],
    }),
  );
});

test('the flight line may name an ICAO carrier, a suffix and the month, and leave out the registration', async () => {
  const message = await readOneTelegram(['MVA', 'ABC7A/28FEB..EGLL', 'AD2350'], '2027-03-01T02:00');
  expect(message).toStrictEqual({
    ...buildMessage({
      observedAt: toMillisecond('2027-02-28T23:50'),
      from: 'EGLL',
      date: '2027-02-28',
      facts: { actualOut: toSecond('2027-02-28T23:50') },
    }),
    flight: {
      by: 'designator',
      carrier: 'ABC',
      flightNumber: 7,
      suffix: 'A',
      originDate: localDate('2027-02-28'),
      datedBy: 'utc',
      departureAirport: 'EGLL',
      arrivalAirport: undefined,
    },
  });
});

test('ignores elements without times, also where they look like an airport or an airport looks like them', async () => {
  const other = [
    'DL31/62/0010/0005',
    'EDL72/0015',
    'DLA841/812',
    'DLRA/0015',
    'PX12/100 PAD 3',
    'CRT1530/1540 MAP1105',
  ];
  const outcomes = await readTelegramText(
    atLondon('AD1100 EA1220 DLA', ...other, 'TOF6400 TOW63452 ZFW132500').join('\n'),
  );
  expect(listEntries(outcomes)).toEqual([]);
  expect(listMessages(outcomes)[0]?.flight).toMatchObject({ arrivalAirport: 'DLA' });
});

test('supplementary information is prose to the end of the telegram', async () => {
  const message = await readOneTelegram(atLondon('AD1100', 'SI CREW CHANGE', 'AD HOC CHARTER', 'RR NOT PLANNED'));
  expect(message.facts).toStrictEqual({ actualOut: toSecond('2027-03-01T11:00'), registration });
});

test('unknown and misplaced elements give a notice, and the rest is accepted', async () => {
  const outcomes = await readTelegramText(atLondon('AD1100', 'QZ77 LAV OUT', 'CONT').join('\n'));
  expect(listMessages(outcomes)).toHaveLength(1);
  expect(listEntries(outcomes)).toStrictEqual([
    {
      severity: 'notice',
      line: 4,
      field: 'element',
      value: 'QZ77 LAV OUT',
      reason: 'unknown-element',
      message: 'The element is not known.',
    },
    {
      severity: 'notice',
      line: 5,
      field: 'CONT',
      value: '',
      reason: 'misplaced-element',
      message: 'CONT has no place in MVT.',
    },
  ]);
});

test('a telegram without a movement gives a notice and no message', async () => {
  expect(await readTelegramText(atLondon('PX112', 'SI LATE LOAD SHEET').join('\n'))).toStrictEqual([
    {
      line: 1,
      entry: {
        severity: 'notice',
        line: 1,
        field: 'elements',
        value: 'PX112 SI LATE LOAD SHEET',
        reason: 'no-movement',
        message: 'The telegram tells no movement.',
      },
    },
  ]);
});
