import { beforeEach, expect, test } from 'vitest';
import { scheduleEvent, statusEvent } from '#test/domain/alerts/sample-events.ts';
import { insertTestEvents, insertLogEvents } from '../events/account-events.ts';
import { storeAlert } from '../alert-mismatches.ts';
import { serveAlerts } from '../alerts-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(() => serveAlerts({ eventLimits: { previewMs: 0 } }));
let accountId = '';
beforeEach(async () => {
  await world.db`truncate event_log, flight_event`;
  accountId = await world.createAccount();
});

const preview = async (alert: object): Promise<unknown> => {
  const response = await world.sendJson('POST', '/alerts/preview', { body: { accountId, ...alert } });
  return response.json();
};

const seatingCapacity = { actual: { totalSeats: 180 } };
const changes = [{ propertyName: 'State' }];
const status = { documentType: 'FlightStatus', seatingCapacity, changes };
const schedule = { documentType: 'ScheduleInstance' };

const hoursAgo = (hours: number): Date => new Date(Date.UTC(2026, 5, 1, 12) - hours * 3_600_000);

/** Events of four hours, oldest first: two days ago, yesterday, and today. */
const past = async (): Promise<readonly string[]> => {
  const reported: string[] = [];
  for (const [hours, body, flightNumber] of [
    [50, status, 101],
    [24, schedule, 101],
    [19, status, 202],
    [2, status, 101],
  ] as const) {
    const facts = { ...(body === status ? statusEvent : scheduleEvent), flightNumber };
    const now = hoursAgo(hours);
    const [event] = await insertLogEvents(world.db, { events: [{ body, facts, madeAt: now }], now });
    reported.push(event?.id ?? '');
  }
  return reported;
};

test('counts what the alert would have selected, day by day, and shows the newest as they would have been sent', async () => {
  const ids = await past();
  const stamp = (hours: number): string => String(hoursAgo(hours).getTime());
  const alert = { alertType: 'Carrier', iataCarrierCode: 'zz', flightNumber: 101 };
  const newest = { messageId: ids[3], messageTimestamp: stamp(2), documentType: 'FlightStatus' };
  expect(await preview({ ...alert, days: 3, content: 'seats', changeIndicator: true })).toEqual({
    from: '2026-05-29T12:00:00',
    complete: true,
    examined: 4,
    scheduleEvents: 1,
    statusEvents: 2,
    byDay: [
      { date: '2026-06-01', scheduleEvents: 0, statusEvents: 1 },
      { date: '2026-05-31', scheduleEvents: 1, statusEvents: 0 },
      { date: '2026-05-30', scheduleEvents: 0, statusEvents: 1 },
    ],
    coveredBy: null,
    samples: [
      { ...newest, seatingCapacity, changes },
      { messageId: ids[1], messageTimestamp: stamp(24), documentType: 'ScheduleInstance' },
      { messageId: ids[0], messageTimestamp: stamp(50), documentType: 'FlightStatus', seatingCapacity, changes },
    ],
  });
  const counts = { scheduleEvents: 0, statusEvents: 1 };
  expect(await preview({ ...alert, schedules: false })).toEqual({
    from: '2026-05-31T12:00:00',
    complete: true,
    examined: 3,
    ...counts,
    byDay: [{ date: '2026-06-01', ...counts }],
    coveredBy: null,
    samples: [newest],
  });
});

test('counts by the day of creation, newest first, whatever the order of the log', async () => {
  const events = [2, 3, 30, 50].map((hours) => ({ body: status, madeAt: hoursAgo(hours) }));
  await insertLogEvents(world.db, { events, now: hoursAgo(1) });
  expect(await preview({ alertType: 'Global' })).toMatchObject({
    byDay: [
      { date: '2026-06-01', statusEvents: 2 },
      { date: '2026-05-31', statusEvents: 1 },
      { date: '2026-05-30', statusEvents: 1 },
    ],
  });
});

test('days can be text, and null selects the default', async () => {
  await past();
  const alert = { alertType: 'Global' };
  expect(await preview({ ...alert, days: '3' })).toEqual(await preview({ ...alert, days: 3 }));
  expect(await preview({ ...alert, days: null })).toEqual(await preview(alert));
  for (const days of ['8', '0', '1.5', ''])
    expect(await preview({ ...alert, days })).toMatchObject({
      status: 400,
      errors: { days: [`must be a whole number from 1 to 7, not '${days}'`] },
    });
});

test('creates no alert and no account events', async () => {
  await past();
  await preview({ alertType: 'Global', days: 7 });
  const headers = { accountid: accountId };
  expect(await (await world.sendJson('GET', '/alerts', { headers })).json()).toEqual([]);
  expect(await (await world.sendJson('GET', '/events', { headers })).json()).toMatchObject({ latest: 0 });
});

test('shows up to ten events', async () => {
  const ids = await insertTestEvents(world.db, accountId, {
    events: Array.from({ length: 25 }, () => ({ body: status })),
    now: hoursAgo(1),
  });
  const matches = await preview({ alertType: 'Global' });
  expect(matches).toMatchObject({ examined: 25, statusEvents: 25 });
  const newest = ids.toReversed().slice(0, 10);
  expect(matches).toMatchObject({ samples: newest.map((messageId) => ({ messageId })) });
});

test('reports its progress if its time limit ends first', async () => {
  const newEvents = (count: number): { body: object }[] => Array.from({ length: count }, () => ({ body: schedule }));
  await insertLogEvents(world.db, { events: newEvents(10), now: hoursAgo(9) });
  await insertLogEvents(world.db, { events: newEvents(2100), now: hoursAgo(5) });
  await insertLogEvents(world.db, { events: newEvents(10), now: hoursAgo(3) });
  expect(await preview({ alertType: 'Global' })).toMatchObject({
    // 110 events of the same moment were not examined.
    from: '2026-06-01T07:00:01',
    complete: false,
    examined: 2000,
    scheduleEvents: 2000,
  });
});

test('names the covering alert and rejects only invalid bodies', async () => {
  await storeAlert(world.db, accountId, { alertType: 'Global', active: false });
  expect(await preview({ alertType: 'Global' })).toMatchObject({ coveredBy: null });
  const wide = await storeAlert(world.db, accountId, { iataCarrierCode: 'ZZ' });
  expect(await preview({ alertType: 'Carrier', iataCarrierCode: 'ZZ', flightNumber: 1 })).toMatchObject({
    coveredBy: wide,
  });
  expect(await preview({ alertType: 'Port' })).toMatchObject({
    status: 400,
    type: '/docs/errors#invalid-body',
    detail: 'An alert of the type Port needs departureAirport, arrivalAirport or both.',
  });
  expect(await preview({ alertType: 'Carrier', iataCarrierCode: 'ZZ', days: 8 })).toMatchObject({
    status: 400,
    errors: { days: ['must be at most 7, not 8'] },
  });
});
