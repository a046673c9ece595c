import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeliverer, type Deliverer } from '../../../src/delivery/webhook/deliverer.ts';
import { createTargetGuard } from '../../../src/delivery/webhook/target-guard.ts';
import { startEventDelivery } from '../../../src/jobs/deliveries/deliver-events.ts';
import { startPlainReceiver, type ReceivedRequest, type Receiver } from '../../delivery/webhook/receivers.ts';
import { createEndpoint, readResponse } from '../../products/flight-info-alerts/v1/endpoints/create-endpoints.ts';
import { insertTestEvents } from '../../products/flight-info-alerts/v1/events/account-events.ts';
import { fail } from '../job-database.ts';
import { serveAlerts, type AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { loopbackAllowList } from '../../support/offline-deliverer.ts';

const now = new Date('2026-06-01T12:00:00Z');
const clock = (): Date => now;
let world: AlertsService;
let deliverer: Deliverer;
let receiver: Receiver;
let status = 200;
let stop: () => Promise<void>;
beforeAll(async () => {
  const guard = createTargetGuard({ allow: loopbackAllowList });
  deliverer = createDeliverer({ guard, now: clock });
  receiver = await startPlainReceiver((_request, response) => void response.writeHead(status).end());
  world = await serveAlerts({ guard, deliverer });
  stop = await startEventDelivery(world.db, { deliverer, clock, onError: fail, pollMs: 20 });
});
afterAll(async () => {
  await stop();
  await world.drop();
  deliverer.close();
  await receiver.close();
});

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  await expect.poll(isSo, { interval: 5 }).toBe(true);
};

const verified = (secret: string | null, { headers, body }: ReceivedRequest): unknown => {
  const signature = new Webhook(String(secret)).sign(String(headers['webhook-id']), now, body);
  return String(headers['webhook-signature']).split(' ').includes(signature) ? JSON.parse(body) : undefined;
};

test('a registered endpoint receives events, is disabled by 410, enabled again, and receives redeliveries', async () => {
  const account = await world.createAccount();
  const give = (count: number): Promise<readonly string[]> => {
    const events = Array.from({ length: count }, (_, n) => ({ body: { n } }));
    return insertTestEvents(world.db, account, { events, now });
  };
  const before = await give(2);
  const url = `http://127.0.0.1:${receiver.port}/`;
  const created = await createEndpoint(world, account, { url, after: 1 });
  const at = `/endpoints/${created.endpointId}`;
  const read = async (path: string) => (await readResponse(world.sendJson('GET', `${at}${path}`)))[1];
  const { received } = receiver;
  const ids = (): readonly unknown[] => received.map(({ headers }) => headers['webhook-id']);
  const after = await give(2);
  await until(() => received.length === 3);
  expect(new Set(ids())).toEqual(new Set([before[1], ...after]));
  const positions = [2, 3, 4].map((position) => ({ position }));
  expect(received.map((one) => verified(created.secret, one))).toMatchObject(positions);
  await until(async () => (await read('/progress'))['position'] === 4);
  expect(await read('/progress')).toMatchObject({ end: 4, backlog: 0, retries: 0, deadLetters: 0, failures: 0 });
  expect(await read('/deliveries')).toMatchObject({ paging: { totalCount: 3 } });

  // Disabled, then enabled again.
  status = 410;
  const [event] = await give(1);
  await until(async () => (await read(''))['state'] === 'disabled');
  expect(await read('')).toMatchObject({ disabledFor: 'gone' });
  expect(await read('/dead-letters')).toMatchObject({ data: [{ position: 5, eventId: event, reason: 'gone' }] });
  const [waiting] = await give(1);
  status = 200;
  await world.sendJson('PATCH', at, { body: { active: true } });
  await until(() => ids().includes(waiting));

  // A redelivery has the same bytes.
  const redeliver = (body: object): Promise<Response> => world.sendJson('POST', `${at}/redeliveries`, { body });
  const count = received.length;
  expect(await readResponse(redeliver({ deadLetters: true }))).toEqual([202, { queued: 1 }]);
  await until(() => received.length === count + 1);
  const [first, second] = received.filter(({ headers }) => headers['webhook-id'] === event);
  expect(second?.body).toBe(first?.body);

  // With a second secret, a worker signs with both as soon as it is notified.
  const rotated = await readResponse(world.sendJson('POST', `${at}/secret/rotate`, { body: {} }));
  const signatures = (): number => String(received.at(-1)?.headers['webhook-signature']).split(' ').length;
  while (signatures() < 2) {
    await until(async () => (await read('/progress'))['retries'] === 0);
    const before = received.length;
    await redeliver({ eventId: event });
    await until(() => received.length > before);
  }
  const last = received.at(-1);
  const secrets = [created.secret, String(rotated[1]['secret'])];
  expect(last && secrets.map((secret) => verified(secret, last))).toMatchObject([{ position: 5 }, { position: 5 }]);
  expect(await read('/dead-letters')).toMatchObject({ data: [] });
  await until(async () => (await read('/progress'))['retries'] === 0);

  // While paused, it receives tests only.
  await world.sendJson('PATCH', at, { body: { active: false } });
  const [paused] = await give(1);
  const ping = await readResponse(world.sendJson('POST', `${at}/ping`));
  expect(ping).toMatchObject([200, { delivery: { outcome: 'delivered' } }]);
  expect(ids()).not.toContain(paused);
  await world.sendJson('PATCH', at, { body: { active: true } });
  await until(() => ids().includes(paused));
  expect((await world.sendJson('DELETE', at)).status).toBe(200);
});
