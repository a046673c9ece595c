/** Checks what receivers get from the real pipeline by webhook, stream, long polling and hub, also with planted faults. */
import { randomBytes } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { plainSecretBox } from '#lib/secret-box.ts';
import { createDeliverer, type Deliverer } from '#delivery/webhook/deliverer.ts';
import { createTargetGuard } from '#delivery/webhook/target-guard.ts';
import { parseStatusMessage } from '#feeds/status/read-message.ts';
import { openHttpServer } from '#http/server/server.ts';
import { BackgroundDriver } from '#jobs/driver.ts';
import { startEventPipeline } from '#jobs/events/event-pipeline.ts';
import { startHubPublisher } from '#jobs/events/publish-to-hub.ts';
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';
import { startPlainReceiver, type ReceivedRequest, type Receiver } from '../delivery/webhook/receivers.ts';
import { serveAlerts, type AlertsService } from '../products/flight-info-alerts/v1/alerts-service.ts';
import { createEndpoint } from '../products/flight-info-alerts/v1/endpoints/create-endpoints.ts';
import { schedule } from '../products/flight-info/v2/example-schedule.ts';
import { xx101 } from '../products/flight-info/v2/status-service.ts';
import { connectAsService } from '../support/hub/hub-messages.ts';
import { hasNatsServer, startBroker, type Broker } from '../support/hub/nats-server.ts';
import { JUNE_NOON } from '../support/test-app.ts';
import { publishText, TEST_KEY } from '../support/tiny-world.ts';
import { checkEvent, checkHubMessage, checkStream, checkWebhook, contract } from './live/check-delivery.ts';
import type { ConsumedMessage, Recipient } from './live/check-delivery.ts';
import { startTamperingProxy, type TamperingProxy } from './live/tampering-proxy.ts';
import { eventFaults, hubFaults, webhookFaults } from './planted/delivery-faults.ts';
import { FaultTally } from './planted/tally.ts';
import { withBody } from './planted/response-faults.ts';
import { countChecked, testChecked } from './responses/checker-counts.ts';
import { loopbackAllowList } from '../support/offline-deliverer.ts';

const tally = new FaultTally();

const now = JUNE_NOON();
const clock = (): Date => now;
const EVENTS = '/flight-info-alerts/events';

let world: AlertsService;
let receiver: Receiver;
/** The path of each request that the receiver got. */
const paths: string[] = [];
let port = 0;
const closes: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closes.toReversed()) await close();
});

const recipients: Recipient[] = [];
let stopPipeline = async (): Promise<void> => {};

/** Delivers each event as it is and, to a path of its own, with each planted fault. */
const createPlantingDeliverer = (): Pick<Deliverer, 'deliver'> => {
  const guard = createTargetGuard({ allow: loopbackAllowList });
  const real = createDeliverer({ guard, now: clock });
  const inMilliseconds = createDeliverer({ guard, now: () => new Date(now.getTime() * 1000) });
  closes.push(real.close, inMilliseconds.close);
  return {
    deliver: async (endpoint, event) => {
      for (const [index, [, plant]] of event.body.includes('"position"') ? webhookFaults.entries() : []) {
        const planted = plant({ endpoint, event });
        const target = { ...planted.endpoint, url: `${endpoint.url}/planted/${index}` };
        await (planted.isInMilliseconds ? inMilliseconds : real).deliver(target, planted.event);
      }
      return real.deliver(endpoint, event);
    },
  };
};

/** Reports status messages of a flight like a feed. */
const createReporter = async (): Promise<(minute: number) => Promise<void>> => {
  const ingester = await createStatusIngester(world.db, undefined, clock);
  return async (minute) => {
    const times = { departure: { estimated: { out: `2026-06-01T10:${minute}:00Z` } } };
    const message = { messageId: `m${minute}`, observedAt: `2026-06-01T09:${minute}:00Z`, flight: xx101(), ...times };
    const read = parseStatusMessage(JSON.stringify(message));
    if ('rejection' in read) throw new Error(read.rejection.message);
    expect(await ingester.ingest([read.message])).toMatchObject([{ kind: 'stored' }]);
  };
};

const createRecipient = async (settings: object): Promise<Recipient> => {
  const accountId = await world.createAccount();
  const alertId = await world.createAlert(accountId, { alertType: 'Global', ...settings });
  const url = `http://127.0.0.1:${receiver.port}/${accountId}`;
  const { secret } = await createEndpoint(world, accountId, { url, after: 0 });
  const hasAll = 'changeIndicator' in settings;
  return { accountId, alertId, hasChanges: hasAll, hasSeats: hasAll, secret: String(secret) };
};

const fail = (error: unknown): void => {
  throw error;
};

let report: (minute: number) => Promise<void>;
beforeAll(async () => {
  receiver = await startPlainReceiver((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(204).end();
  });
  const deliverer = createPlantingDeliverer();
  const guard = createTargetGuard({ allow: loopbackAllowList });
  world = await serveAlerts({ guard, deliverer, eventLimits: { maxWaitMs: 60_000 } });
  const server = openHttpServer({ fetch: world.app.fetch, port: 0, hostname: '127.0.0.1' });
  ({ port } = await server.listening);
  closes.push(receiver.close, world.drop, () => server.close(0));
  await publishText(world.db, schedule);
  await world.refresh();
  recipients.push(await createRecipient({ changeIndicator: true, content: 'seats' }), await createRecipient({}));
  report = await createReporter();
  const driver = new BackgroundDriver(world.db);
  stopPipeline = await startEventPipeline(world.db, {
    clock,
    onError: fail,
    deliverer,
    driver,
    secrets: plainSecretBox,
  });
  closes.push(() => stopPipeline());
  await report(11);
  await publishText(world.db, schedule.replaceAll('0815', '0820'));
  await report(12);
  const isComplete = (): boolean =>
    recipients.map(kindsReceivedBy).every(([statuses, hasSchedules]) => statuses === 4 && hasSchedules === true);
  await vi.waitUntil(isComplete, { timeout: 60_000 });
});

const receivedBy = ({ accountId }: Recipient, under = ''): readonly ReceivedRequest[] =>
  receiver.received.filter((_, index) => paths[index] === `/${accountId}${under}`);

/** Returns the number of status events that a recipient got, and whether it got a schedule event. */
const kindsReceivedBy = (recipient: Recipient): readonly unknown[] => {
  const kinds = receivedBy(recipient).map(({ body }) => String(toJsonObject(JSON.parse(body))['documentType']));
  return [kinds.filter((kind) => kind === 'FlightStatus').length, kinds.includes('ScheduleInstance')];
};

const bodiesOf = (recipient: Recipient): readonly string[] =>
  receivedBy(recipient)
    .map(({ body }) => body)
    .filter((body) => body.includes('"position"'));

const countEvents = (recipient: Recipient): number => bodiesOf(recipient).length;

type Fetch = (request: Request) => Promise<Response>;

const requestOf = ({ accountId }: Recipient, query: string, headers: Record<string, string> = {}): Request =>
  new Request(`http://127.0.0.1:${port}${EVENTS}${query}`, {
    headers: { 'subscription-key': TEST_KEY, accountid: accountId, ...headers },
  });

/** Reads a stream from its start position up to a number of events. */
const readStream = async (send: Fetch, recipient: Recipient, count: number): Promise<readonly [Response, string]> => {
  const response = await send(requestOf(recipient, '?After=0', { accept: 'text/event-stream' }));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while ((text.match(/^data: .*\n\n/gm)?.length ?? 0) < 1 + count) text += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  return [new Response('', response), text];
};

describe('webhooks', () => {
  test('deliver every event and a test event as documented', async () => {
    for (const recipient of recipients) {
      const [endpoint] = await readEndpoints(recipient);
      expect((await world.sendJson('POST', `/endpoints/${endpoint}/ping`)).status).toBe(200);
      expect(receivedBy(recipient).flatMap((request) => checkWebhook(request, recipient, now))).toEqual([]);
      expect(receivedBy(recipient).some(({ body }) => body.includes('"documentType":"Test"'))).toBe(true);
    }
  });

  test.each(webhookFaults.map((fault, index) => [fault[0], index, fault[2]] as const))(
    'detects %s',
    (_, index, message) => {
      for (const recipient of recipients) {
        const received = receivedBy(recipient, `/planted/${index}`);
        const errors = received.map((request) => checkWebhook(request, recipient, now).join('\n'));
        for (const error of errors) expect(tally.check(error, message)).toBe('caught');
        expect(received.length).toBeGreaterThan(4);
      }
    },
  );
});

const readEndpoints = async ({ accountId }: Recipient): Promise<readonly string[]> => {
  const response = await world.sendJson('GET', '/endpoints', { headers: { accountid: accountId } });
  const endpoints: readonly { endpointId: string }[] = await response.json();
  return endpoints.map(({ endpointId }) => endpointId);
};

describe('the stream', () => {
  test('has the same bytes as the webhooks, and each event has an id', async () => {
    for (const recipient of recipients) {
      const [response, text] = await readStream(fetch, recipient, countEvents(recipient));
      expect(checkStream(text, recipient)).toEqual([]);
      expect(await contract.problems('get', EVENTS, response)).toEqual([]);
      const [start, ...events] = text.match(/^data: .*/gm) ?? [];
      expect([start, ...events.toSorted()]).toEqual([
        'data: {"position":0}',
        ...bodiesOf(recipient)
          .map((body) => `data: ${body}`)
          .toSorted(),
      ]);
    }
  });

  const editData = (change: (event: JsonObject) => JsonObject) => (text: string) =>
    text.replaceAll(/^data: (.*)$/gm, (_, data: string) => `data: ${JSON.stringify(change(JSON.parse(data)))}`);
  test.each<readonly [string, (text: string) => string, RegExp]>([
    ...eventFaults.map(([name, change, message]) => [name, editData(change), message] as const),
    ['events without id', (text) => text.replaceAll(/^id: .*\nevent/gm, 'event'), /id undefined/],
    ['the id of another event', (text) => text.replaceAll(/^id: /gm, 'id: 9'), /id 9/],
    ['events without a name', (text) => text.replaceAll(/^event: .*\n/gm, ''), /event undefined/],
    ['an undeclared field', (text) => text.replaceAll(/^event/gm, 'note: x\nevent'), /undeclared field note/],
  ])('detects %s', async (_, change, message) => {
    const plant: Fetch = async (request) => {
      const response = await world.app.fetch(request);
      const edit = new TransformStream<string, Uint8Array>({
        transform: (piece, controller) =>
          controller.enqueue(new TextEncoder().encode(piece.startsWith('retry: ') ? piece : change(piece))),
      });
      return new Response(response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(edit), response);
    };
    for (const recipient of recipients) {
      const [, text] = await readStream(plant, recipient, 1);
      expect(tally.check(checkStream(text, recipient), message)).toBe('caught');
    }
  });
});

describe('long polling', () => {
  const checkPage = async (response: Response, recipient: Recipient): Promise<readonly string[]> => {
    const copy = response.clone();
    const { data }: { data: readonly unknown[] } = await response.json();
    if (data.length > 0) countChecked('long polling');
    return [
      ...(await contract.problems('get', EVENTS, copy)),
      ...data.flatMap((event) => checkEvent(event, recipient)),
    ];
  };

  test('returns events that arrive while it waits', async () => {
    const waiting = recipients.map((one) => fetch(requestOf(one, `?After=${countEvents(one)}&Wait=30`)));
    await report(13);
    for (const [index, recipient] of recipients.entries())
      expect(await checkPage(await (waiting[index] ?? Promise.reject(new Error('none'))), recipient)).toEqual([]);
  });

  test.each(eventFaults)('detects %s', async (_, change, message) => {
    const plant = withBody((body) => ({ ...body, data: toList(body['data']).map((one) => change(toJsonObject(one))) }));
    for (const recipient of recipients) {
      const request = requestOf(recipient, '?After=0&Wait=1');
      const response = await plant(await world.app.fetch(request), request.url);
      expect(tally.check(await checkPage(response, recipient), message)).toBe('caught');
    }
  });
});

describe.skipIf(!hasNatsServer)('the hub', () => {
  let broker: Broker;
  let proxy: TamperingProxy;
  let planted = -1;
  beforeAll(async () => {
    broker = await startBroker(randomBytes(32));
    proxy = await startTamperingProxy(Number(new URL(broker.url).port), (frame) => {
      const [, pattern = /$^/, replacement = ''] = planted < 0 ? [] : (hubFaults[planted] ?? []);
      planted += planted < 0 ? 0 : 1;
      return frame.replace(pattern, replacement);
    });
    const options = { url: proxy.url, keys: broker.keys, clock: () => new Date(), onError: fail, pollMs: 20 };
    const stop = await startHubPublisher(world.db, options);
    closes.push(broker.drop, proxy.close, stop);
  });

  /** Returns the messages of the stream once there are as many as given events. */
  const readMessages = (): Promise<readonly ConsumedMessage[]> =>
    connectAsService(broker, async (connection) => {
      const { streams } = await jetstreamManager(connection);
      const { state } = await streams.info('FLIGHT_EVENTS').catch(() => ({ state: { last_seq: 0 } }));
      const messages: ConsumedMessage[] = [];
      for (let seq = 1; seq <= state.last_seq; seq += 1) {
        const stored = await streams.getMessage('FLIGHT_EVENTS', { seq });
        const headers = Object.fromEntries(stored?.header.keys().map((name) => [name, stored.header.get(name)]) ?? []);
        messages.push({ subject: stored?.subject ?? '', headers, text: stored?.string() ?? '' });
      }
      return messages;
    });

  const countAllEvents = async (): Promise<number> => {
    const [row] = await world.db<{ count: number }[]>`select count(*)::int as count from account_event`;
    return row?.count ?? 0;
  };

  const check = (message: ConsumedMessage): readonly string[] => {
    const recipient = recipients.find(({ accountId }) => message.subject.includes(accountId));
    return recipient ? checkHubMessage(message, recipient) : [`a message of no account: ${message.subject}`];
  };

  test('has every event of every account as the AsyncAPI document says', async () => {
    await expect.poll(async () => (await readMessages()).length).toBe(await countAllEvents());
    expect((await readMessages()).flatMap(check)).toEqual([]);
  });

  test('detects each planted fault', async () => {
    const { length } = await readMessages();
    planted = 0;
    for (const minute of [14, 15]) await report(minute);
    await expect.poll(async () => (await readMessages()).length).toBe(length + hubFaults.length);
    const faulty = (await readMessages()).slice(length);
    const verdicts = hubFaults.map(([name, , , pattern], index) => {
      const message = faulty[index];
      return [name, tally.check(message ? check(message) : [], pattern)];
    });
    expect(verdicts).toEqual(hubFaults.map(([name]) => [name, 'caught']));
  });
});

test('every webhook declares the same responses', () => {
  const webhooks = Object.values(toJsonObject(contract.document['webhooks'])).map(toJsonObject);
  const statuses = webhooks.map(({ post }) => Object.keys(toJsonObject(toJsonObject(post)['responses'])).toSorted());
  expect(statuses).toEqual(webhooks.map(() => ['2XX', '410', '429', '503', 'default']));
});

tally.testCounts('deliveries', 100);
testChecked('event', 'webhook', 'server-sent event', 'long polling', ...(hasNatsServer ? ['hub message'] : []));
