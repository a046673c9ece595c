import { expect, test } from 'vitest';
import { alertSettings } from '#domain/alerts/alert-match.ts';
import { insertTestEvents, insertLogEvents } from './account-events.ts';
import { storeAlert, alertMismatches } from '../alert-mismatches.ts';
import { serveAlerts } from '../alerts-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const now = new Date('2026-06-01T11:59:00.250Z');
const body = { documentType: 'FlightStatus' };

const world = sharedService(serveAlerts);

const explain = (accountId: string, eventId: string | undefined): Promise<Response> =>
  world.sendJson('GET', `/events/${eventId}/explain`, { headers: { accountid: accountId } });

test.each(alertMismatches)('names %s if it excludes the event', async (setting, alert, facts) => {
  const account = await world.createAccount();
  const alertId = await storeAlert(world.db, account, { ...alert, name: 'a', active: setting !== 'active' });
  const wide = await storeAlert(world.db, account, { gaFlights: true, unscheduledFlights: true });
  const [event] = await insertLogEvents(world.db, { events: [{ body, facts }], now });
  const response = await explain(account, event?.id);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({
    messageId: event?.id,
    documentType: facts.kind === 'status' ? 'FlightStatus' : 'ScheduleInstance',
    position: null,
    alertId: null,
    alerts: [
      { alertId, name: 'a', matched: false, refusedBy: setting },
      { alertId: wide, name: null, matched: true, refusedBy: null },
    ],
  });
});

test('covers every setting', () => {
  expect(alertMismatches.map(([setting]) => setting)).toEqual(alertSettings);
});

test('reports an event that was added to the account, whatever its alerts are now', async () => {
  const account = await world.createAccount();
  const alertId = await storeAlert(world.db, account, { status: false });
  const other = await world.createAccount();
  const [, id] = await insertTestEvents(world.db, account, { events: [{ body }, { body }], now, alertId });
  expect(await (await explain(account, id)).json()).toMatchObject({
    position: 2,
    alertId,
    alerts: [{ alertId, matched: false, refusedBy: 'status' }],
  });
  expect(await (await explain(other, id)).json()).toMatchObject({ position: null, alertId: null, alerts: [] });
});

test('returns 404 for a pruned event and for an unknown one', async () => {
  const account = await world.createAccount();
  const [id] = await insertTestEvents(world.db, account, { events: [{ body }], now });
  await world.db`delete from flight_event where id = ${id ?? ''}`;
  expect(await (await explain(account, id)).json()).toMatchObject({
    status: 404,
    type: '/docs/errors#not-found',
    detail: `The event ${id} does not exist or is no longer retained.`,
  });
});
