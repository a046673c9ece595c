import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secondToMinute } from '#domain/status/instants.ts';
import type { DesignatorReference } from '#domain/status/message.ts';
import { localDate, type UtcMinute } from '#domain/time/dates.ts';
import { toReportEntries } from '#jobs/status/ingest/report-results.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { buildFile, buildLeg, times } from '#test/feeds/ssim/build-file.ts';
import { publishText } from '#test/support/tiny-world.ts';
import {
  flight,
  formatOutcomes,
  ingest,
  listQuarantine,
  listStoredMessages,
  message,
  plan,
  planned,
  second,
} from '../messages.ts';
import { db, useStatusWorld } from '../status-world.ts';

useStatusWorld();

const at = (text: string): UtcMinute => secondToMinute(second(text));
const toAny = { arrivalAirport: undefined };
const fromAny = { departureAirport: '' };

/** XX 101 LHR-JFK, which departs at 10:00 and arrives at 18:00 UTC, by its scheduled departure. */
const timed = (members: Partial<DesignatorReference> = {}): DesignatorReference => ({
  ...flight(),
  originDate: undefined,
  scheduledOut: at('2026-06-01T10:00Z'),
  ...members,
});
const arriving = (time: string, members: Partial<DesignatorReference> = {}): DesignatorReference => {
  const { scheduledOut: _departure, ...arrival } = timed(members);
  return { ...arrival, scheduledIn: at(time) };
};

const out = (time: string) => ({ scheduledOut: at(time) });
const xx101 = 'XX101 LHR-JFK 06-01 11:00';
const first = { flightNumber: 301, ...out('2026-06-01T07:00Z') };
const second301 = { flightNumber: 301, departureAirport: 'JFK', ...toAny };
const yy201 = { carrier: 'YY', flightNumber: 201 };

test.each<readonly [string, DesignatorReference, string]>([
  ['its departure and both airports', timed(), xx101],
  ['its departure alone', timed(toAny), xx101],
  ['its arrival alone', arriving('2026-06-01T18:00Z', fromAny), xx101],
  ['both times', timed({ scheduledIn: at('2026-06-01T18:00Z') }), xx101],
  ['codes of ICAO', timed({ carrier: 'XXA', departureAirport: 'EGLL', arrivalAirport: 'KJFK' }), xx101],
  ['the designator of a marketing flight', timed({ carrier: 'YY', flightNumber: 5101 }), xx101],
  [
    'the arrival of a marketing flight',
    arriving('2026-06-01T18:00Z', { carrier: 'YY', flightNumber: 5101, ...fromAny }),
    xx101,
  ],
  ['its date too', timed({ originDate: localDate('2026-06-01') }), xx101],
  ['its suffix', timed({ flightNumber: 502, suffix: 'A', ...toAny }), 'XX502 LHR-CDG 06-01 11:00'],
  ['the first leg of several', timed({ ...first, ...toAny }), 'XX301 LHR-JFK 06-01 08:00'],
  ['the second leg of several', timed({ ...second301, ...out('2026-06-01T17:00Z') }), 'XX301 JFK-LAX 06-01 13:00'],
  [
    'the last arrival',
    arriving('2026-06-01T23:00Z', { flightNumber: 301, ...fromAny, arrivalAirport: 'LAX' }),
    'XX301 JFK-LAX 06-01 13:00',
  ],
  [
    'a departure on another date in UTC',
    timed({ ...yy201, departureAirport: 'AKL', ...toAny, ...out('2026-05-31T21:00Z') }),
    'YY201 AKL-HNL 06-01 09:00',
  ],
  [
    'an arrival across the date line',
    arriving('2026-06-01T05:45Z', { ...yy201, ...fromAny, arrivalAirport: 'HNL' }),
    'YY201 AKL-HNL 06-01 09:00',
  ],
])('a scheduled time finds a flight by %s', async (_, reference, expected) => {
  const outcomes = await ingest(db, [message({ id: 'm', flight: reference })]);
  expect([formatOutcomes(outcomes), await listStoredMessages(db)]).toEqual([['stored'], [`m: ${expected}`]]);
});

test.each(['2026-06-01T09:30Z', '2026-06-01T10:30Z'])(
  'a flight is found by a scheduled time that differs by half an hour, with a remark: %s',
  async (time) => {
    const [outcome] = await ingest(db, [message({ id: 'm', flight: timed(out(time)) })]);
    expect(await listStoredMessages(db)).toEqual([`m: ${xx101}`]);
    expect(outcome && toReportEntries(outcome, 3)).toEqual([
      {
        severity: 'notice',
        line: 3,
        field: 'flight',
        value: `XX 101, LHR ${time}-JFK`,
        reason: 'scheduled-time-differs',
        message: expect.stringContaining('up to 30 minutes'),
      },
    ]);
  },
);

test.each<readonly [string, DesignatorReference, string]>([
  [
    'that differs by more than half an hour',
    timed(out('2026-06-01T10:31Z')),
    'no-such-flight: XX 101, LHR 2026-06-01T10:31Z-JFK',
  ],
  [
    'of the flight on another day',
    timed(out('2026-06-09T10:00Z')),
    'no-such-flight: XX 101, LHR 2026-06-09T10:00Z-JFK',
  ],
  ['at another airport', timed({ departureAirport: 'CDG' }), 'no-such-flight: XX 101, CDG 2026-06-01T10:00Z-JFK'],
  ['to another airport', timed({ arrivalAirport: 'LAX' }), 'no-such-flight: XX 101, LHR 2026-06-01T10:00Z-LAX'],
  ['without its suffix', timed({ flightNumber: 502, ...toAny }), 'no-such-flight: XX 502, LHR 2026-06-01T10:00Z-?'],
  ['with a suffix that it does not have', timed({ suffix: 'A' }), 'no-such-flight: XX 101A, LHR 2026-06-01T10:00Z-JFK'],
  [
    'of a whole flight with stops',
    timed({ ...first, arrivalAirport: 'LAX' }),
    'flight-with-stops: XX 301, LHR 2026-06-01T07:00Z-LAX',
  ],
  [
    'of which only one is that of the flight',
    timed({ scheduledIn: at('2026-06-01T19:00Z') }),
    'no-such-flight: XX 101, LHR 2026-06-01T10:00Z-JFK 2026-06-01T19:00Z',
  ],
  [
    'of another flight than the date',
    timed({ originDate: localDate('2026-06-02') }),
    'contradictory-flight: XX 101 of 2026-06-02, LHR 2026-06-01T10:00Z-JFK',
  ],
  [
    'that the flight of the date does not have',
    timed({ originDate: localDate('2026-06-01'), ...out('2026-06-01T13:00Z') }),
    'contradictory-flight: XX 101 of 2026-06-01, LHR 2026-06-01T13:00Z-JFK',
  ],
])('a message goes to quarantine with a scheduled time %s', async (_, reference, expected) => {
  expect(formatOutcomes(await ingest(db, [message({ id: 'm', flight: reference })]))).toEqual([expected]);
  expect([await listStoredMessages(db), await listQuarantine(db)]).toEqual([
    [],
    [`m: ${expected.slice(0, expected.indexOf(':'))}`],
  ]);
});

test('a scheduled time finds an unscheduled flight, before and after its plan', async () => {
  const reference = { ...timed(out('2026-06-01T10:00Z')), ...planned, originDate: undefined };
  const outcomes = await ingest(db, [
    message({ id: 'early', flight: reference }),
    message({ id: 'plan', flight: reference, plan: plan() }),
  ]);
  expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored']);
  await ingest(db, [
    message({ id: 'late', flight: arriving('2026-06-01T11:00Z', { ...planned, originDate: undefined, ...fromAny }) }),
  ]);
  const ww7 = 'WW7 OPO-LIS 06-01 11:00';
  expect(await listStoredMessages(db)).toEqual([`early: ${ww7}`, `late: ${ww7}`, `plan: ${ww7}`]);
});

describe('two departures of a designator on one route and day', () => {
  beforeAll(async () => {
    const daily = { 15: '01JUN26', 22: '03JUN26', 6: '0801' };
    const evening = { 10: '02', ...times('1130', '1430') };
    await publishText(db, buildFile(buildLeg(daily), buildLeg(daily, evening)));
  });
  afterAll(() => publishText(db, schedule));

  const xx801 = (time: string) => timed({ flightNumber: 801, ...out(time) });
  test.each([
    ['the first', '2026-06-01T10:00Z', '06-01 11:00'],
    ['the second', '2026-06-01T10:30Z', '06-01 11:30'],
    ['the nearer one within half an hour, if no other is that near', '2026-06-01T09:50Z', '06-01 11:00'],
  ])('are distinguished by their scheduled times: %s', async (_, time, expected) => {
    await ingest(db, [message({ id: 'm', flight: xx801(time) })]);
    expect(await listStoredMessages(db)).toEqual([`m: XX801 LHR-JFK ${expected}`]);
  });

  test('are ambiguous for a time between them', async () => {
    const outcomes = await ingest(db, [message({ id: 'm', flight: xx801('2026-06-01T10:15Z') })]);
    expect(formatOutcomes(outcomes)).toEqual(['ambiguous-flight: XX 801, LHR 2026-06-01T10:15Z-JFK']);
  });
});

test('a message with a scheduled time is released from quarantine when a schedule contains its flight', async () => {
  const reference = timed({ flightNumber: 802 });
  await ingest(db, [message({ id: 'm', flight: reference })]);
  expect(await listQuarantine(db)).toEqual(['m: no-such-flight']);
  await publishText(db, buildFile(buildLeg({ 6: '0802', 22: '03JUN26' })));
  expect([await listStoredMessages(db), await listQuarantine(db)]).toEqual([['m: XX802 LHR-JFK 06-01 11:00'], []]);
  await publishText(db, schedule);
});
