import { expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import { entriesIn, instant, messageOf, messagesIn, readOne, readText, second } from './read-telegram-text.ts';

const registration = 'GABCD';
const atLondon = (...elements: readonly string[]): readonly string[] => ['MVT', 'XX0101/01.G-ABCD.LHR', ...elements];
const atParis = (...elements: readonly string[]): readonly string[] => ['MVT', 'XX0101/01.GABCD.CDG', ...elements];
const diversion = (...elements: readonly string[]): readonly string[] => ['DIV', 'XX0101/01.GABCD.CDG', ...elements];
const received = instant('2027-03-01T18:00');

test('a departure tells out and off, and where the flight goes and when it is to land there', async () => {
  const message = await readOne(atLondon('AD1100/1115 EA1220 CDG', 'DL72/0015', 'PX112', 'SI DEICING'));
  expect(message).toStrictEqual(
    messageOf({
      observedAt: instant('2027-03-01T11:15'),
      from: 'LHR',
      to: 'CDG',
      facts: {
        actualOut: second('2027-03-01T11:00'),
        actualOff: second('2027-03-01T11:15'),
        estimatedOn: second('2027-03-01T12:20'),
        registration,
      },
    }),
  );
});

test.each([
  ['AD1100', { actualOut: second('2027-03-01T11:00') }, '2027-03-01T11:00'],
  ['AD 1100', { actualOut: second('2027-03-01T11:00') }, '2027-03-01T11:00'],
  ['AD/1115', { actualOff: second('2027-03-01T11:15') }, '2027-03-01T11:15'],
  [
    'AD011100/011115',
    { actualOut: second('2027-03-01T11:00'), actualOff: second('2027-03-01T11:15') },
    '2027-03-01T11:15',
  ],
])('the departure %s may leave out a time or tell its day', async (element, times, observedAt) => {
  const message = await readOne(atLondon(element));
  expect(message).toStrictEqual(
    messageOf({ observedAt: instant(observedAt), from: 'LHR', facts: { ...times, registration } }),
  );
});

test('a delay tells the next estimated out, and the telegram is as new as its arrival', async () => {
  const message = await readOne(atLondon('ED011625', 'DL72/0025'));
  expect(message).toStrictEqual(
    messageOf({
      observedAt: received,
      from: 'LHR',
      facts: { estimatedOut: second('2027-03-01T16:25'), registration },
    }),
  );
});

test('a delay of unknown length tells only which aircraft is waiting', async () => {
  const message = await readOne(atLondon('NI011850', 'SI ENGINE TROUBLE'));
  expect(message).toStrictEqual(messageOf({ observedAt: received, from: 'LHR', facts: { registration } }));
});

test('a delayed take-off tells out, the estimated off, and estimates of the arrival after it', async () => {
  const message = await readOne(atLondon('AD1115', 'EO1135', 'EA1240 CDG', 'EB1250'));
  expect(message).toStrictEqual(
    messageOf({
      observedAt: instant('2027-03-01T11:15'),
      from: 'LHR',
      to: 'CDG',
      facts: {
        estimatedOff: second('2027-03-01T11:35'),
        actualOut: second('2027-03-01T11:15'),
        estimatedOn: second('2027-03-01T12:40'),
        estimatedIn: second('2027-03-01T12:50'),
        registration,
      },
    }),
  );
});

test('an arrival tells on and in at the arrival airport, and not where the flight left', async () => {
  const message = await readOne(atParis('AA1215/1224', 'FLD01'));
  expect(message).toStrictEqual(
    messageOf({
      observedAt: instant('2027-03-01T12:24'),
      from: '',
      to: 'CDG',
      facts: { actualOn: second('2027-03-01T12:15'), actualIn: second('2027-03-01T12:24'), registration },
    }),
  );
});

test('an arrival may tell the time at the gate alone, or expect it', async () => {
  expect((await readOne(atParis('AA/1224'))).facts).toStrictEqual({
    actualIn: second('2027-03-01T12:24'),
    registration,
  });
  expect((await readOne(atParis('AA1210 EB1220'))).facts).toStrictEqual({
    estimatedIn: second('2027-03-01T12:20'),
    actualOn: second('2027-03-01T12:10'),
    registration,
  });
});

test('beside an arrival, an expected arrival elsewhere is that of the next leg and no fact of this one', async () => {
  expect((await readOne(atParis('AA1210 EA1405 VIE'))).facts).toStrictEqual({
    actualOn: second('2027-03-01T12:10'),
    registration,
  });
});

test('a revised arrival without an airport is about the airport of movement', async () => {
  const message = await readOne(['.CDGKLXX 011200', ...atParis('EA1235 EB1245', 'SI RADAR FAILURE')]);
  expect(message).toStrictEqual(
    messageOf({
      observedAt: instant('2027-03-01T12:00'),
      from: '',
      to: 'CDG',
      facts: {
        estimatedOn: second('2027-03-01T12:35'),
        estimatedIn: second('2027-03-01T12:45'),
        registration,
      },
    }),
  );
});

test('a revised arrival at another airport than that of movement comes from the departure airport', async () => {
  const message = await readOne(atLondon('EA1235 CDG'));
  expect(message).toStrictEqual(
    messageOf({
      observedAt: received,
      from: 'LHR',
      to: 'CDG',
      facts: { estimatedOn: second('2027-03-01T12:35'), registration },
    }),
  );
});

test.each(['EA1235 CDG 1400 VIE', 'EA1235 CDG\nEA1400 VIE'])(
  'of a flight with stops the first is taken, the others are noted: %s',
  async (elements) => {
    const outcomes = await readText([...atLondon('AD1100'), elements].join('\n'));
    expect(messagesIn(outcomes)).toHaveLength(1);
    expect(messagesIn(outcomes)[0]?.facts.estimatedOn).toBe(second('2027-03-01T12:35'));
    expect(entriesIn(outcomes)).toStrictEqual([
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

test('a return to the ramp takes back out and off, is as new as the return, and may tell the next estimate', async () => {
  const message = await readOne(atLondon('AD1115 RR1125', 'ED1300', 'EB1128', 'SI ABORTED TAKE-OFF'));
  expect(message).toStrictEqual(
    messageOf({
      observedAt: instant('2027-03-01T11:25'),
      from: 'LHR',
      facts: { estimatedOut: second('2027-03-01T13:00'), actualOut: null, actualOff: null, registration },
    }),
  );
  expect((await readOne(atLondon('RR'))).facts).toStrictEqual({ actualOut: null, actualOff: null, registration });
});

test('a return from the air is a landing at the departure airport', async () => {
  const message = await readOne(atLondon('FR1200/1215 PX112', 'SI ENGINE 1 TROUBLE'));
  expect(message).toStrictEqual(
    messageOf({
      observedAt: instant('2027-03-01T12:15'),
      from: 'LHR',
      facts: { registration },
      landings: [
        {
          id: 'LHR',
          airport: 'LHR',
          type: 'InAirReturn',
          actualOn: second('2027-03-01T12:00'),
          actualIn: second('2027-03-01T12:15'),
        },
      ],
    }),
  );
});

test('a return from the air may be told before it has landed', async () => {
  const message = await readOne(atLondon('AD1100/1115', 'FR', 'EA1205', 'EB1212'));
  expect(message).toStrictEqual(
    messageOf({
      observedAt: instant('2027-03-01T11:15'),
      from: 'LHR',
      facts: { actualOut: second('2027-03-01T11:00'), actualOff: second('2027-03-01T11:15'), registration },
      landings: [
        {
          id: 'LHR',
          airport: 'LHR',
          type: 'InAirReturn',
          estimatedOn: second('2027-03-01T12:05'),
          estimatedIn: second('2027-03-01T12:12'),
        },
      ],
    }),
  );
});

test.each([
  [['DR71 PX112', 'SI BAD WEATHER'], {}],
  [['DR71', 'CONT CDG', 'EO1400'], { continues: true, estimatedOff: second('2027-03-01T14:00') }],
  [['TERM'], { continues: false }],
  [['SI TERM'], { continues: false }],
  [['SI BAD WEATHER', 'CONT'], { continues: true }],
  [['SI PAX CONT BY BUS FROM TERM 2'], {}],
])('a diversion names the other airport, and whether the flight goes on: %s', async (elements, told) => {
  const message = await readOne(diversion('EA1235 ORY', 'EB1245', ...elements));
  expect(message).toStrictEqual(
    messageOf({
      observedAt: received,
      from: '',
      to: 'CDG',
      facts: { registration },
      landings: [
        {
          id: 'ORY',
          airport: 'ORY',
          estimatedOn: second('2027-03-01T12:35'),
          estimatedIn: second('2027-03-01T12:45'),
          ...told,
        },
      ],
    }),
  );
});

test('the flight line may name an ICAO carrier, a suffix and the month, and leave out the registration', async () => {
  const message = await readOne(['MVA', 'ABC7A/28FEB..EGLL', 'AD2350'], '2027-03-01T02:00');
  expect(message).toStrictEqual({
    ...messageOf({
      observedAt: instant('2027-02-28T23:50'),
      from: 'EGLL',
      date: '2027-02-28',
      facts: { actualOut: second('2027-02-28T23:50') },
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

test('what is not about times is passed over, also where it looks like an airport and an airport looks like it', async () => {
  const other = [
    'DL31/62/0010/0005',
    'EDL72/0015',
    'DLA841/812',
    'DLRA/0015',
    'PX12/100 PAD 3',
    'CRT1530/1540 MAP1105',
  ];
  const outcomes = await readText(atLondon('AD1100 EA1220 DLA', ...other, 'TOF6400 TOW63452 ZFW132500').join('\n'));
  expect(entriesIn(outcomes)).toEqual([]);
  expect(messagesIn(outcomes)[0]?.flight).toMatchObject({ arrivalAirport: 'DLA' });
});

test('supplementary information is prose to the end of the telegram', async () => {
  const message = await readOne(atLondon('AD1100', 'SI CREW CHANGE', 'AD HOC CHARTER', 'RR NOT PLANNED'));
  expect(message.facts).toStrictEqual({ actualOut: second('2027-03-01T11:00'), registration });
});

test('unknown and misplaced elements give a notice, and the rest is taken', async () => {
  const outcomes = await readText(atLondon('AD1100', 'QZ77 LAV OUT', 'CONT').join('\n'));
  expect(messagesIn(outcomes)).toHaveLength(1);
  expect(entriesIn(outcomes)).toStrictEqual([
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

test('a telegram that tells no movement gives a notice and no message', async () => {
  expect(await readText(atLondon('PX112', 'SI LATE LOAD SHEET').join('\n'))).toStrictEqual([
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
