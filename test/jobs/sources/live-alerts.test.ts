import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createDeliverer } from '#delivery/webhook/deliverer.ts';
import { createTargetGuard } from '#delivery/webhook/target-guard.ts';
import { BackgroundDriver } from '#jobs/driver.ts';
import { startEventPipeline } from '#jobs/events/event-pipeline.ts';
import { plainSecretBox } from '#lib/secret-box.ts';
import { respondOk, startPlainReceiver } from '#test/delivery/webhook/receivers.ts';
import { writeAvinor, type AvinorRow } from '#test/feeds/live/live-inputs.ts';
import { serveAlerts, type AlertsService } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { createEndpoint } from '#test/products/flight-info-alerts/v1/endpoints/create-endpoints.ts';
import { loopbackAllowList } from '#test/support/offline-deliverer.ts';
import { startReplayServer } from '#test/support/sources/replay-server.ts';
import { fail } from '../job-database.ts';
import { createFollower, followUntil, readIndex, saveLiveMasterData, TestClock } from './live-world.ts';

const clock = new TestClock('2026-10-07T12:00:00.000Z');
const replay = await startReplayServer(clock.get);
const receiver = await startPlainReceiver(respondOk);
const guard = createTargetGuard({ allow: loopbackAllowList });
const deliverer = createDeliverer({ guard, now: clock.get });
let world: AlertsService;

beforeAll(async () => {
  world = await serveAlerts({ guard, deliverer, today: '2026-10-07' });
  await saveLiveMasterData(world.db);
  await world.refresh();
});
afterAll(async () => {
  deliverer.close();
  await receiver.close();
  await world.drop();
});

const departure: AvinorRow = {
  airline: 'WF',
  flight_id: 'WF555',
  dom_int: 'D',
  schedule_time: '2026-10-07T14:00:00Z',
  arr_dep: 'D',
  airport: 'BGO',
  gate: 'A5',
};
const late = 'code="E" time="2026-10-07T14:25:00Z"';

/** States of the flight, each in the next answer of the feed, and the changes of the event that an alert of the flight gets. */
const states: readonly (readonly [state: AvinorRow, changes: readonly string[]])[] = [
  [departure, ['State', 'Departure.Gate']],
  [{ ...departure, status: late }, ['Departure.Times.Estimated.OutGate.UTC']],
  [{ ...departure, status: late, gate: 'A6' }, ['Departure.Gate']],
  [{ ...departure, gate: 'A6', status: 'code="C"' }, ['State']],
];

const listReceived = (): readonly (readonly string[])[] =>
  receiver.received.map(({ body }) => {
    const event: { flightNumber: number; changes: readonly { propertyName: string }[] } = JSON.parse(body);
    return [`WF${event.flightNumber}`, ...event.changes.map(({ propertyName }) => propertyName)];
  });

test(
  'a delay, a gate and a cancellation of a feed reach the webhook of an alert, each once',
  { timeout: 60_000 },
  async () => {
    const accountId = await world.createAccount();
    const flight = { iataCarrierCode: 'WF', flightNumber: 555, departureAirport: 'OSL' };
    await world.createAlert(accountId, { alertType: 'Carrier', ...flight, changeIndicator: true });
    await createEndpoint(world, accountId, { url: `http://127.0.0.1:${receiver.port}/`, after: 0 });
    const stop = await startEventPipeline(world.db, {
      clock: clock.get,
      onError: fail,
      deliverer,
      driver: new BackgroundDriver(world.db),
      secrets: plainSecretBox,
    });
    onTestFinished(stop);
    const { db } = world;
    const follower = await createFollower({ db, clock, replay, masterDataIndex: await readIndex(db) }, 'avinor:OSL');
    for (const [index, [state]] of states.entries()) {
      // The other flight changes with each answer, and has no alert.
      const other = { ...departure, flight_id: 'WF601', gate: `B${index}` };
      replay.respond = () => ({ body: writeAvinor('OSL', [state, other], { lastUpdate: clock.get().toISOString() }) });
      await followUntil(follower, clock, new Date(clock.get().getTime() + 181_000));
      await vi.waitUntil(() => receiver.received.length > index, { timeout: 30_000 });
    }
    expect(listReceived()).toEqual(states.map(([, changes]) => expect.arrayContaining(['WF555', ...changes])));
  },
);
