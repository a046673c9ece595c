import { scheduleEvent, statusEvent } from '#test/domain/alerts/sample-events.ts';
import { insertTestEvents, insertLogEvents } from '#test/products/flight-info-alerts/v1/events/account-events.ts';
import { storeAlert, alertMismatches } from '#test/products/flight-info-alerts/v1/alert-mismatches.ts';
import type { AlertsService } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import type { Contract } from '../contract.ts';
import { findEventExample } from '../services/event-examples.ts';

/** Sends a request to an operation, with a body and headers. */
export type RequestCovered = (
  operation: string,
  request: { path: string; body?: unknown; headers?: Record<string, string> },
) => Promise<string>;

const base = '/flight-info-alerts';
const events = `${base}/events`;
const preview = `post ${base}/alerts/preview`;
const yesterday = new Date('2026-05-31T11:00:00Z');

/** Matches the example events only: other events of the tests do not conform to the document. */
const exampleFlight = { alertType: 'Carrier', iataCarrierCode: 'ZZ', flightNumber: 102 };

/** Inserts the example event of each kind for an account; returns the ID of one. */
export const insertExampleEvents = async (
  { db }: AlertsService,
  contract: Contract,
  { accountId, alertId }: { readonly accountId: string; readonly alertId: string },
): Promise<string> => {
  const exampleEvents = [
    { body: findEventExample(contract, 'ScheduleInstance'), facts: { ...scheduleEvent, flightNumber: 102 } },
    { body: findEventExample(contract, 'FlightStatus'), facts: { ...statusEvent, flightNumber: 102 } },
  ];
  const [eventId = ''] = await insertTestEvents(db, accountId, { events: exampleEvents, alertId, now: yesterday });
  return eventId;
};

/** Returns groups of responses that must all differ: their requests differ in one parameter or property. */
export const coverPull = async (
  world: AlertsService,
  send: RequestCovered,
  { accountId, eventId }: { readonly accountId: string; readonly eventId: string },
): Promise<readonly (readonly string[])[]> => {
  const other = await world.createAccount();
  const pulled = (query: string, id = accountId): Promise<string> =>
    send(events, { path: `/events${query}`, headers: { accountid: id } });
  const explained = (id: string): Promise<string> =>
    send(`${events}/{eventId}/explain`, { path: `/events/${eventId}/explain`, headers: { accountid: id } });
  const previewed = (change: object): Promise<string> =>
    send(preview, { path: '/alerts/preview', body: { accountId: other, ...exampleFlight, ...change } });
  return [
    [await pulled(''), await pulled('', other)],
    [await pulled(''), await pulled('?After=1'), await pulled('?After=end'), await pulled('?Limit=1')],
    [await explained(accountId), await explained(other)],
    [await previewed({}), await previewed({ days: 2 }), await previewed({ days: 2, status: false })],
  ];
};

/** Requests explanations with each alert setting that rejects an event, and previews up to their time limit. */
export const coverEventResponses = async (
  world: AlertsService,
  send: RequestCovered,
  { contract, accountId }: { readonly contract: Contract; readonly accountId: string },
): Promise<void> => {
  const status = findEventExample(contract, 'FlightStatus');
  for (const [setting, alert, facts] of alertMismatches) {
    const rejecting = await world.createAccount();
    await storeAlert(world.db, rejecting, { ...alert, name: setting, active: setting !== 'active' });
    await storeAlert(world.db, rejecting, { gaFlights: true, unscheduledFlights: true });
    const [event] = await insertLogEvents(world.db, { events: [{ body: status, facts }], now: yesterday });
    const path = `/events/${event?.id}/explain`;
    await send(`${events}/{eventId}/explain`, { path, headers: { accountid: rejecting } });
  }
  const body = { accountId, ...exampleFlight, days: 7 };
  await storeAlert(world.db, accountId, { iataCarrierCode: 'ZZ' });
  await send(preview, { path: '/alerts/preview', body });
  await insertLogEvents(world.db, { events: Array.from({ length: 2001 }, () => ({ body: status })), now: yesterday });
  await send(preview, { path: '/alerts/preview', body });
};
