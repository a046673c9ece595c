import { scheduleEvent, statusEvent } from '../../domain/alerts/any-event.ts';
import { insertTestEvents, insertLogEvents } from '../../products/flight-info-alerts/v1/events/account-events.ts';
import { storeAlert, alertMismatches } from '../../products/flight-info-alerts/v1/alert-mismatches.ts';
import type { AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import type { Contract } from '../contract.ts';
import { findEventExample } from '../services/event-examples.ts';

/** Asks an operation by its name in the coverage, with a body and headers. */
export type RequestCovered = (
  operation: string,
  question: { path: string; body?: unknown; headers?: Record<string, string> },
) => Promise<string>;

const base = '/flight-info-alerts';
const events = `${base}/events`;
const preview = `post ${base}/alerts/preview`;
const yesterday = new Date('2026-05-31T11:00:00Z');

/** Chooses the events that are given here, and none that others give: those are not as the document says. */
const shownFlight = { alertType: 'Carrier', iataCarrierCode: 'ZZ', flightNumber: 102 };

/** The parameters of pull that are not those of other operations. Waiting and streaming are tested with the events that they wait for. */
export const pullParameters = ['eventId', 'After', 'Limit', 'Wait', 'Last-Event-ID'];

/** The body of the preview, by its operation. */
export const pullBodies = (accountId: string): Readonly<Record<string, object>> => ({
  [preview]: { accountId, ...shownFlight },
});

/** Gives an account an event of each kind, as the document shows them; answers the id of one. */
export const insertExampleEvents = async (
  { db }: AlertsService,
  contract: Contract,
  { accountId, alertId }: { readonly accountId: string; readonly alertId: string },
): Promise<string> => {
  const news = [
    { body: findEventExample(contract, 'ScheduleInstance'), facts: { ...scheduleEvent, flightNumber: 102 } },
    { body: findEventExample(contract, 'FlightStatus'), facts: { ...statusEvent, flightNumber: 102 } },
  ];
  const [eventId = ''] = await insertTestEvents(db, accountId, { events: news, alertId, now: yesterday });
  return eventId;
};

/** Answers that have to differ from one another, in groups: what they were asked differs by a parameter or a member. */
export const coverPull = async (
  world: AlertsService,
  ask: RequestCovered,
  { accountId, eventId }: { readonly accountId: string; readonly eventId: string },
): Promise<readonly (readonly string[])[]> => {
  const other = await world.createAccount();
  const pulled = (query: string, id = accountId): Promise<string> =>
    ask(events, { path: `/events${query}`, headers: { accountid: id } });
  const explained = (id: string): Promise<string> =>
    ask(`${events}/{eventId}/explain`, { path: `/events/${eventId}/explain`, headers: { accountid: id } });
  const previewed = (change: object): Promise<string> =>
    ask(preview, { path: '/alerts/preview', body: { accountId: other, ...shownFlight, ...change } });
  return [
    [await pulled(''), await pulled('', other)],
    [await pulled(''), await pulled('?After=1'), await pulled('?After=end'), await pulled('?Limit=1')],
    [await explained(accountId), await explained(other)],
    [await previewed({}), await previewed({ days: 2 }), await previewed({ days: 2, status: false })],
  ];
};

/** Has each setting refuse an event, and looks back as far as there are days and no further than its time allows. */
export const coverEventResponses = async (
  world: AlertsService,
  ask: RequestCovered,
  { contract, accountId }: { readonly contract: Contract; readonly accountId: string },
): Promise<void> => {
  const status = findEventExample(contract, 'FlightStatus');
  for (const [setting, alert, facts] of alertMismatches) {
    const refusing = await world.createAccount();
    await storeAlert(world.db, refusing, { ...alert, name: setting, active: setting !== 'active' });
    await storeAlert(world.db, refusing, { gaFlights: true, unscheduledFlights: true });
    const [event] = await insertLogEvents(world.db, { events: [{ body: status, facts }], now: yesterday });
    const path = `/events/${event?.id}/explain`;
    await ask(`${events}/{eventId}/explain`, { path, headers: { accountid: refusing } });
  }
  const body = { accountId, ...shownFlight, days: 7 };
  await storeAlert(world.db, accountId, { iataCarrierCode: 'ZZ' });
  await ask(preview, { path: '/alerts/preview', body });
  await insertLogEvents(world.db, { events: Array.from({ length: 2001 }, () => ({ body: status })), now: yesterday });
  await ask(preview, { path: '/alerts/preview', body });
};
