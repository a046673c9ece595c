import { describe, expect, test } from 'vitest';
import { applyText, describeItinerary, readText } from './read-message-text.ts';

/**
 * Messages in the style of the public examples. All but the first section start from this schedule, in local time: X2 101 from London to
 * New York each day in June 2026, and X2 202 on Mondays from Paris over London to New York.
 */
const base = `SSM
LT
01MAY00001E001
NEW
X2101
01JUN26 30JUN26 1234567
J 738 CY.C6Y174
LHR1100 JFK1400
//
NEW
X2202
01JUN26 29JUN26 1
J 320 Y.Y180
CDG0800 LHR0815
LHR1000 JFK1300
`;

const ssm = (...lines: readonly string[]): string => `\nSSM\nLT\n02MAY00002E001\n${lines.join('\n')}\n`;
const asm = (...lines: readonly string[]): string => `\nASM\nLT\n03MAY00003E001\n${lines.join('\n')}\n`;

const untouched101 = 'X2101 2026-06-01/2026-06-30 1234567 LHR1100 JFK1400 738.C6Y174';
const untouched202 = 'X2202 2026-06-01/2026-06-29 1 CDG0800 LHR0815 320.Y180 LHR1000 JFK1300 320.Y180';
const before = 'X2101 2026-06-01/2026-06-09 1234567 LHR1100 JFK1400 738.C6Y174';
const after = 'X2101 2026-06-11/2026-06-30 1234567 LHR1100 JFK1400 738.C6Y174';
const rest202 = 'X2202 2026-06-15/2026-06-29 1 CDG0800 LHR0815 320.Y180 LHR1000 JFK1300 320.Y180';

type Example = {
  readonly title: string;
  readonly message: string;
  /** The flights that differ from the schedule above; the others are as before. */
  readonly schedule?: readonly string[];
  readonly rejected?: readonly string[];
  readonly status?: readonly string[];
};

const examples: Readonly<Record<string, readonly Example[]>> = {
  'SSM changes periods': [
    {
      title: 'NEW adds a designator with an operational suffix',
      message: ssm('NEW', 'X2300A', '01JUN 07JUN 67', 'J 738 .Y189', 'LHR2200 CDG0020/1'),
      schedule: [untouched101, untouched202, 'X2300A 2026-06-06/2026-06-07 67 LHR2200 CDG0020+1 738.Y189'],
    },
    {
      title: 'NEW adds days to a designator',
      message: ssm('NEW', 'X2202', '01JUN26 30JUN26 3', 'J 320 .Y180', 'CDG0900 LHR0915'),
      schedule: [untouched101, untouched202, 'X2202 2026-06-03/2026-06-24 3 CDG0900 LHR0915 320.Y180'],
    },
    {
      title: 'NEW over an existing date is a contradiction',
      message: ssm('NEW', 'X2202', '01JUN26 30JUN26 1', 'J 320 .Y180', 'CDG0900 LHR0915'),
      rejected: ['already-scheduled X2202 2026-06-01'],
    },
    {
      title: 'NEW every other week, in UTC: an arrival a day earlier by the local clock',
      message: ssm('NEW', 'X2300', '05JUN26 31JUL26 5/W2', 'J 789 .Y300', 'AKL0900 HNL1945/M1'),
      schedule: [untouched101, untouched202, 'X2300 2026-06-05/2026-07-31 5/W2 AKL0900 HNL1945-1 789.Y300'],
    },
    {
      title: 'CNL withdraws the days of a period',
      message: ssm('CNL', 'X2101', '10JUN26 10JUN26 3'),
      schedule: [untouched202, before, after],
    },
    {
      title: 'CNL of more days than are scheduled withdraws those that are',
      message: ssm('CNL', 'X2202', '01JUN26 08JUN26 12'),
      schedule: [untouched101, rest202],
    },
    {
      title: 'CNL of dates that are not scheduled at all is outside the period',
      message: ssm('CNL', 'X2202', '02JUN26 09JUN26 2'),
      rejected: ['outside-period X2202 2026-06-02'],
    },
    {
      title: 'CNL of an unknown flight waits for the flight',
      message: ssm('CNL', 'X2999', '01JUN26 08JUN26 1'),
      rejected: ['no-such-flight X2999'],
    },
    {
      title: 'RPL replaces everything of the dates stated',
      message: ssm('RPL', 'X2202', '08JUN26 08JUN26 1', 'J 319 .Y140', 'CDG0700 JFK0930'),
      schedule: [
        untouched101,
        'X2202 2026-06-01 CDG0800 LHR0815 320.Y180 LHR1000 JFK1300 320.Y180',
        rest202,
        'X2202 2026-06-08 CDG0700 JFK0930 319.Y140',
      ],
    },
    {
      title: 'RPL does not extend the period: it replaces the dates that are scheduled',
      message: ssm('RPL', 'X2202', '29JUN26 06JUL26 1', 'J 319 .Y140', 'CDG0700 JFK0930'),
      schedule: [
        untouched101,
        'X2202 2026-06-01/2026-06-22 1 CDG0800 LHR0815 320.Y180 LHR1000 JFK1300 320.Y180',
        'X2202 2026-06-29 CDG0700 JFK0930 319.Y140',
      ],
    },
    {
      title: 'SKD ends what is in force, and NEW follows',
      message: ssm(
        'SKD',
        'X2101',
        '01JUN26 30JUN26 1234567',
        '//',
        'NEW',
        'X2101',
        '01JUN26 30JUN26 12',
        'J 789 .Y300',
        'LHR1200 JFK1500',
      ),
      schedule: [untouched202, 'X2101 2026-06-01/2026-06-30 12 LHR1200 JFK1500 789.Y300'],
    },
    {
      title: 'REV moves a period',
      message: ssm('REV', 'X2202', '22JUN26 29JUN26 1', '23JUN26 30JUN26 2'),
      schedule: [
        untouched101,
        'X2202 2026-06-01/2026-06-15 1 CDG0800 LHR0815 320.Y180 LHR1000 JFK1300 320.Y180',
        'X2202 2026-06-23/2026-06-30 2 CDG0800 LHR0815 320.Y180 LHR1000 JFK1300 320.Y180',
      ],
    },
    {
      title: 'TIM retimes one of two legs',
      message: ssm('TIM', 'X2202', '01JUN26 29JUN26 1', 'LHR1030 JFK1330'),
      schedule: [untouched101, 'X2202 2026-06-01/2026-06-29 1 CDG0800 LHR0815 320.Y180 LHR1030 JFK1330 320.Y180'],
    },
    {
      title: 'TIM with passenger times after a second slash',
      message: ssm('TIM', 'X2101', '01JUN26 30JUN26 1234567', 'LHR1130//1125 JFK1430/0/1435'),
      schedule: [untouched202, 'X2101 2026-06-01/2026-06-30 1234567 LHR1130 JFK1430 738.C6Y174'],
    },
    {
      title: 'TIM that would let a leg depart before the previous one arrives',
      message: ssm('TIM', 'X2202', '01JUN26 29JUN26 1', 'LHR0800 JFK1330'),
      rejected: ['legs-not-aligned LHR-JFK'],
    },
    {
      title: 'TIM of a leg that the flight does not have',
      message: ssm('TIM', 'X2101', '01JUN26 30JUN26 1', 'LHR1130 CDG1430'),
      rejected: ['no-such-leg LHR-CDG'],
    },
    {
      title: 'EQT changes the aircraft of one leg',
      message: ssm('EQT', 'X2202', '01JUN26 29JUN26 1', 'LHR/JFK', 'J 321 .Y220'),
      schedule: [untouched101, 'X2202 2026-06-01/2026-06-29 1 CDG0800 LHR0815 320.Y180 LHR1000 JFK1300 321.Y220'],
    },
    {
      title: 'CON changes the configuration alone',
      message: ssm('CON', 'X2101', '01JUN26 30JUN26 1234567', 'J 738 .Y189'),
      schedule: [untouched202, 'X2101 2026-06-01/2026-06-30 1234567 LHR1100 JFK1400 738.Y189'],
    },
    {
      title: 'CON does not change the aircraft type',
      message: ssm('CON', 'X2101', '01JUN26 30JUN26 1', 'J 739 .Y189'),
      rejected: ['other-equipment 739'],
    },
    {
      title: 'FLT changes the designator',
      message: ssm('FLT', 'X2101', '01JUN26 30JUN26 1234567', 'X2111'),
      schedule: [untouched202, 'X2111 2026-06-01/2026-06-30 1234567 LHR1100 JFK1400 738.C6Y174'],
    },
    {
      title: 'ADM sets terminals and flights that share the aircraft, and NIL deletes them',
      message: ssm(
        'ADM',
        'X2101',
        '01JUN26 30JUN26 1234567',
        'LHRJFK 99/5',
        'QQQQQQ 10/BA7117/IB4217A',
        '//',
        'ADM',
        'X2202',
        '01JUN26 29JUN26 1',
        'QQQQQQ 10/NIL',
      ),
      schedule: [
        untouched202,
        'X2101 2026-06-01/2026-06-30 1234567 LHR1100 JFK1400 738.C6Y174 LHR:5 10=BA 7117 /IB 4217A',
      ],
    },
  ],
  'ASM changes single dates': [
    {
      title: 'NEW adds a flight',
      message: asm('NEW', 'X2900/12JUN', 'G 738 .Y189', 'LHR0600 CDG0805'),
      schedule: [untouched101, untouched202, 'X2900 2026-06-12 LHR0600 CDG0805 738.Y189'],
    },
    {
      title: 'CNL cancels: the flight stays in the schedule',
      message: asm('CNL WEAT', 'X2101/10JUN26'),
      status: ['cancelled X2101 2026-06-10'],
    },
    {
      title: 'RIN reinstates',
      message: asm('CNL', 'X2101/10JUN26', '//', 'RIN', 'X2101/10JUN26'),
      status: ['cancelled X2101 2026-06-10', 'operates X2101 2026-06-10'],
    },
    {
      title: 'RIN of a flight that operates is a contradiction',
      message: asm('RIN', 'X2101/10JUN26'),
      rejected: ['not-cancelled X2101 2026-06-10'],
    },
    {
      title: 'TIM retimes a date',
      message: asm('TIM', 'X2101/10JUN', 'LHR1300 JFK1600'),
      schedule: [untouched202, before, after, 'X2101 2026-06-10 LHR1300 JFK1600 738.C6Y174'],
    },
    {
      title: 'EQT for several flights in one sub-message',
      message: asm('EQT TECH', 'X2101/01JUN', 'X2101/30JUN', 'J 789 .Y300'),
      schedule: [
        untouched202,
        'X2101 2026-06-02/2026-06-29 1234567 LHR1100 JFK1400 738.C6Y174',
        'X2101 2026-06-01 LHR1100 JFK1400 789.Y300',
        'X2101 2026-06-30 LHR1100 JFK1400 789.Y300',
      ],
    },
    {
      title: 'RRT changes the routing and keeps the aircraft',
      message: asm('RRT', 'X2202/08JUN', 'CDG0800 JFK1030'),
      schedule: [
        untouched101,
        'X2202 2026-06-01 CDG0800 LHR0815 320.Y180 LHR1000 JFK1300 320.Y180',
        rest202,
        'X2202 2026-06-08 CDG0800 JFK1030 320.Y180',
      ],
    },
    {
      title: 'FLT changes the designator of a date',
      message: asm('FLT', 'X2101/10JUN', 'X2101D/10JUN'),
      schedule: [untouched202, before, after, 'X2101D 2026-06-10 LHR1100 JFK1400 738.C6Y174'],
    },
  ],
  'ASM over SSM over SSIM': [
    {
      title: 'an SSM leaves the dates of an ASM alone',
      message: `${asm('TIM', 'X2101/10JUN', 'LHR1300 JFK1600')}${ssm('EQT', 'X2101', '01JUN26 30JUN26 1234567', 'J 789 .Y300')}`,
      schedule: [
        untouched202,
        'X2101 2026-06-01/2026-06-09 1234567 LHR1100 JFK1400 789.Y300',
        'X2101 2026-06-11/2026-06-30 1234567 LHR1100 JFK1400 789.Y300',
        'X2101 2026-06-10 LHR1300 JFK1600 789.Y300',
      ],
    },
    {
      title: 'XASM withdraws the ASMs of the period',
      message: `${asm('TIM', 'X2101/10JUN', 'LHR1300 JFK1600')}\nSSM\nLT\n04MAY00009E001\nEQT XASM\nX2101\n01JUN26 30JUN26 1234567\nJ 789 .Y300\n`,
      schedule: [untouched202, 'X2101 2026-06-01/2026-06-30 1234567 LHR1100 JFK1400 789.Y300'],
    },
    {
      title: 'RIN with RTNS returns a date to the schedule',
      message: asm('TIM', 'X2101/10JUN', 'LHR1300 JFK1600', '//', 'RIN RTNS', 'X2101/10JUN'),
      status: [],
    },
    {
      title: 'the order is that of the references, not of the receipt',
      message: `${asm('CNL', 'X2900/12JUN')}\nASM\nLT\n02MAY00001E001\nNEW\nX2900/12JUN\nG 738 .Y189\nLHR0600 CDG0805\n`,
      schedule: [untouched101, untouched202, 'X2900 2026-06-12 LHR0600 CDG0805 738.Y189'],
      status: ['cancelled X2900 2026-06-12'],
    },
    {
      title: 'UTC and local time meet: a UTC message finds the local flight and keeps its own clock',
      message: '\nSSM\nUTC\n02MAY00002E001\nTIM\nX2101\n01JUN26 30JUN26 1234567\nLHR1030 JFK1830\n',
      schedule: [untouched202, 'X2101 2026-06-01/2026-06-30 1234567 LHR1030 JFK1830Z 738.C6Y174'],
    },
  ],
};

describe.each(Object.entries(examples))('%s', (_, list) => {
  test.each(list)(
    '$title',
    async ({ message, schedule = [untouched101, untouched202], rejected = [], status = [] }) => {
      const items = await readText(`${base}${message}`);
      expect(items.flatMap(({ entries }) => entries)).toEqual([]);
      const applied = await applyText(`${base}${message}`);
      expect({
        schedule: applied.itineraries.map(describeItinerary).toSorted(),
        rejected: applied.rejections,
        status: applied.cancellations,
      }).toEqual({ schedule: [...schedule].toSorted(), rejected, status });
    },
  );
});

test('a leg change identifier that limits nothing is rejected rather than applied to the whole flight', async () => {
  const items = await readText(
    `${ssm('CNL', 'X2202', '08JUN26 08JUN26 1', 'LHR/JFK')}${asm('EQT', 'X2202/08JUN', 'CDG/LHR', 'J 321 .Y220', 'LHR/JFK')}`,
  );
  expect(
    items.map(({ part, entries }) => [
      part?.subMessages.length,
      ...entries.map(({ reason, value }) => `${reason} ${value}`),
    ]),
  ).toEqual([
    [0, 'misplaced-part LHR/JFK'],
    [0, 'misplaced-part LHR/JFK'],
  ]);
});
