import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OutgoingEvent } from '#delivery/webhook/signatures.ts';
import type { DeliveryResult } from '#delivery/webhook/delivery-result.ts';
import { listPageChanges } from '#store/status/page-changes.ts';
import { BLOCKS_CHANNEL } from '#store/flights/registration-blocks.ts';
import { lockStatusesShared } from '#store/status/flight-statuses.ts';
import { blockRegistration, unblockRegistration } from '#jobs/status/privacy/block-registration.ts';
import { startHubPublisher } from '#jobs/events/publish-to-hub.ts';
import { startEventDelivery } from '#jobs/deliveries/deliver-events.ts';
import { formatFlight, serveStatuses, xx101 } from '#test/products/flight-info/v2/status-service.ts';
import type { StatusService, ReportedFacts } from '#test/products/flight-info/v2/status-service.ts';
import { sequence } from '#test/store/events/sample-events.ts';
import { fanOutToAll } from '#test/support/fan-out-events.ts';
import { readHubMessages } from '#test/support/hub/hub-messages.ts';
import { hasNatsServer, startBroker } from '#test/support/hub/nats-server.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { fail } from '#test/jobs/job-database.ts';
import { prepareAccount, findDisclosures, type PathParameters } from './find-disclosures.ts';

const OURS = 'GXYZA';
const blockedAt = new Date('2026-06-01T12:00:00Z');
const block = () => blockRegistration(world.db, { registration: OURS, reason: 'request', blockedAt });
let world: StatusService;
let pathParameters: PathParameters;
const ending: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  world = await serveStatuses();
  pathParameters = await prepareAccount(world);
});
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
  await world.drop();
});

const at = (minute: number): string => `2026-06-01T10:${String(minute).padStart(2, '0')}:00Z`;
const tail = (minute: number, registration: string): ReportedFacts => [at(minute), { aircraft: { registration } }];
const gate = (minute: number): ReportedFacts => [at(minute), { departure: { gate: `B${minute}` } }];

/** XX 101 of 1 June is in the air with our aircraft, and had another one before. */
const fly = async (): Promise<void> => {
  const off = { departure: { actual: { out: '2026-06-01T10:00:00Z', off: '2026-06-01T10:15:00Z' } } };
  await world.report(xx101(), tail(1, 'N342UP'));
  await world.report(xx101(), tail(2, 'G-XYZA'));
  await world.report(xx101(), [at(20), off]);
  await give();
};

const give = async (): Promise<void> => {
  await sequence(world.db);
  const [row] = await world.db<{ stream: number }[]>`
    select stream from alert_account where id = ${pathParameters['accountId'] ?? ''}`;
  await fanOutToAll(world.db, [row?.stream ?? 0]);
  await world.db`select pg_notify('account_events', '')`;
};

const byAircraft = async (registration: string): Promise<readonly string[]> =>
  (await world.getPage(`DepartureDateTime=2026-06-01&AircraftRegistrationNumber=${registration}`)).data
    .map(formatFlight)
    .toSorted();

const statuses = async (): Promise<unknown> => {
  const { data } = await world.getPage('DepartureDateTime=2026-06-01&Content=Status,StatusHistory');
  return data.map(({ statusDetails }) => statusDetails);
};

const open = [
  'flight-info-alerts/v1 get /flight-info-alerts/events',
  'flight-info/v1 get /flight-instances',
  'flight-info/v2 get /flight-instances',
  'flight-info/v2 get /flight-instances/{departureDate}/{scheduleInstanceKey}',
  'preview',
  'stream',
];

test('no operation of any version returns a blocked registration; unblocking restores it', async () => {
  await fly();
  const flights = ['XX101 LHR-JFK 06-01 11:00', 'YY5101 LHR-JFK 06-01 11:00'];
  const before = await statuses();
  expect(await findDisclosures(world, pathParameters, OURS)).toEqual(open);
  expect(await byAircraft('G-XYZA')).toEqual(flights);

  // Two designators share the status; each has one event with our aircraft and one of its departure.
  expect(await block()).toEqual({ flights: 1, events: 4 });
  expect(await findDisclosures(world, pathParameters, OURS)).toEqual([]);
  expect(await byAircraft('G-XYZA')).toEqual([]);
  const withHistory = open.filter((request) => request !== 'flight-info/v1 get /flight-instances');
  expect(await findDisclosures(world, pathParameters, 'N342UP')).toEqual(withHistory);
  // Facts of other aircraft stay.
  const redacted = JSON.stringify(before).replaceAll(`"equipment":{"aircraftRegistrationNumber":"${OURS}"},`, '');
  expect(JSON.stringify(await statuses())).toBe(redacted);

  // New messages are redacted on arrival, with the same registration or the next one.
  await world.report(xx101(), gate(21));
  await world.report(xx101(), tail(22, 'N711ZX'));
  await world.report(xx101(), tail(23, 'gx-yza'));
  await world.report(xx101('2026-06-02'), tail(3, 'G-XYZA'));
  await give();
  expect(await findDisclosures(world, pathParameters, OURS)).toEqual([]);
  expect(await block()).toEqual({ flights: 0, events: 0 });

  expect(await unblockRegistration(world.db, OURS)).toEqual({ flights: 2, events: 0 });
  expect(await unblockRegistration(world.db, OURS)).toBeUndefined();
  expect(await byAircraft('G-XYZA')).toEqual(flights);
  // Events stay redacted.
  const ofFlights = open.filter((request) => request.startsWith('flight-info/'));
  expect(await findDisclosures(world, pathParameters, OURS)).toEqual(ofFlights);
});

test('an event of a change of aircraft omits blocked registrations; a block of a former one invalidates cached pages', async () => {
  await fly();
  await block();
  await world.report(xx101(), tail(22, 'N711ZX'));
  await give();
  const response = await world.send('/flight-info-alerts/events?version=v1', {
    headers: { 'subscription-key': TEST_KEY, accountid: pathParameters['accountId'] ?? '' },
  });
  const body: { data: { scheduleInstanceKey: string; equipment?: object; changes: { propertyName: string }[] }[] } =
    await response.json();
  const ours = body.data.filter((event) => event.scheduleInstanceKey === pathParameters['scheduleInstanceKey']);
  const propertyName = 'Equipment.AircraftRegistrationNumber';
  const aircraftType: unknown = expect.anything();
  const changed = ours.map((event) => [
    event.equipment,
    event.changes.filter((one) => one.propertyName === propertyName),
  ]);
  expect(changed).toEqual([
    [{ aircraftType, aircraftRegistrationNumber: 'N342UP' }, [{ propertyName }]],
    [{ aircraftType }, [{ propertyName, previousValue: 'N342UP' }]],
    [{ aircraftType }, []],
    [{ aircraftType, aircraftRegistrationNumber: 'N711ZX' }, [{ propertyName }]],
  ]);
  // Of this registration only the history is left.
  const { now } = await listPageChanges(world.db, undefined);
  const blocked = await blockRegistration(world.db, { registration: 'N342UP', reason: '', blockedAt });
  expect(blocked).toMatchObject({ flights: 0 });
  expect((await listPageChanges(world.db, now)).changes).toEqual([{ kind: 'all' }]);
  const { now: then } = await listPageChanges(world.db, now);
  await unblockRegistration(world.db, 'N342UP');
  expect((await listPageChanges(world.db, then)).changes).toEqual([{ kind: 'all' }]);
});

test('a block waits for earlier writers and redacts what they wrote; unblocking restores it byte for byte', async () => {
  await fly();
  await world.report(xx101(), [at(30), { aircraft: { type: { iata: '789', icao: 'B789' } } }]);
  const listDocs = async (): Promise<unknown> => await world.db`select doc, registration from flight_status order by 1`;
  const before = [await listDocs(), await statuses()];
  const written = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const writing = world.db.begin(async (sql) => {
    await lockStatusesShared(sql);
    await sql`update flight_status set doc = doc`;
    written.resolve();
    await goOn.promise;
  });
  await written.promise;
  const blocking = block();
  await expect
    .poll(async () => (await world.db`select from pg_locks where locktype = 'advisory' and not granted`).length)
    .toBeGreaterThan(0);
  // Filters and history omit it already.
  expect(await byAircraft(OURS)).toEqual([]);
  goOn.resolve();
  await writing;
  expect(await blocking).toEqual({ flights: 1, events: 4 });
  expect(await findDisclosures(world, pathParameters, OURS)).toEqual([]);
  expect(JSON.stringify(await listDocs())).toMatch(/actualAircraftType(?!.*aircraftRegistrationNumber)/);
  await unblockRegistration(world.db, OURS);
  expect([await listDocs(), await statuses()]).toEqual(before);
});

test('queued and repeated webhook deliveries of a running server omit a registration that is blocked meanwhile', async () => {
  await world.report(xx101(), tail(1, 'G-XYZA'));
  await world.report(xx101(), gate(2));
  await world.report(xx101(), gate(3));
  await give();
  const sent: OutgoingEvent[] = [];
  const first = Promise.withResolvers<DeliveryResult>();
  const response = { status: 200, durationMs: 1, responseBytes: 0, responseText: '' };
  const delivered: DeliveryResult = { kind: 'delivered', ...response };
  let now = blockedAt;
  const stop = await startEventDelivery(world.db, {
    // One event of each flight is sent at a time: the first hangs, and the others wait behind it.
    deliverer: {
      deliver: (_, event) => {
        sent.push(event);
        return sent.length <= 2 ? first.promise : Promise.resolve(delivered);
      },
    },
    clock: () => now,
    onError: fail,
    pollMs: 20,
  });
  ending.push(stop);
  await expect.poll(() => sent.length).toBe(2);
  // Listeners are called in order: after this one, the worker has been notified.
  const notified = Promise.withResolvers<void>();
  await world.db.listen(BLOCKS_CHANNEL, () => notified.resolve());
  await block();
  await notified.promise;
  first.resolve({ ...response, kind: 'retry', status: 503, retryAfterSeconds: undefined });
  await expect.poll(() => sent.length).toBe(6);
  now = new Date(blockedAt.getTime() + 3_600_000);
  await expect.poll(() => sent.length).toBe(8);
  expect(sent.map(({ body }) => body.includes(OURS))).toEqual([true, true, ...Array.from({ length: 6 }, () => false)]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(6);
});

test.skipIf(!hasNatsServer)('events published to the hub after a block omit the registration', async () => {
  await fly();
  await block();
  const broker = await startBroker(randomBytes(32));
  ending.push(broker.drop);
  let published = 0;
  const stop = await startHubPublisher(world.db, {
    url: broker.url,
    keys: broker.keys,
    clock: () => new Date(),
    onError: fail,
    onPublished: (events) => {
      published += events;
    },
    pollMs: 20,
  });
  await expect.poll(() => published).toBe(6);
  await stop();
  const texts = (await readHubMessages(broker)).map(({ text }) => text);
  expect([texts.length, texts.filter((text) => text.includes(OURS))]).toEqual([6, []]);
});
