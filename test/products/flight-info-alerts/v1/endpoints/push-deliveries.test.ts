import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { createDeliverer } from '#delivery/webhook/deliverer.ts';
import { failureReasons } from '#delivery/webhook/delivery-result.ts';
import { createTargetGuard } from '#delivery/webhook/target-guard.ts';
import { PUSH_CHANNEL } from '#store/deliveries/endpoint-claims.ts';
import { respondOk, startPlainReceiver } from '#test/delivery/webhook/receivers.ts';
import { loopbackAllowList, resolveExamples } from '#test/support/offline-deliverer.ts';
import { getJson, listPages } from '#test/products/responses.ts';
import { createEndpoint, readError, readResponse } from './create-endpoints.ts';
import { insertTestEvents } from '../events/account-events.ts';
import { serveAlerts } from '../alerts-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const now = new Date('2026-06-01T12:00:00Z');

const guard = createTargetGuard({ allow: loopbackAllowList, resolve: resolveExamples });
const deliverer = createDeliverer({ guard, now: () => now });
const receiver = await startPlainReceiver((request, response) => {
  if (request.url === '/busy') response.writeHead(503).end('later');
  else respondOk(request, response);
});
const url = `http://127.0.0.1:${receiver.port}/`;
const world = sharedService(() => serveAlerts({ guard, deliverer }));
let accountId = '';
beforeEach(async () => {
  await world.db`delete from push_endpoint`;
  accountId = await world.createAccount();
});
afterAll(async () => {
  deliverer.close();
  await receiver.close();
});

const at = (id: string, path: string): Promise<readonly [number, Record<string, unknown>]> =>
  readResponse(world.sendJson('GET', `/endpoints/${id}${path}`));
const ping = (id: string): Promise<Response> => world.sendJson('POST', `/endpoints/${id}/ping`);
const insertEvents = (count: number): Promise<readonly string[]> =>
  insertTestEvents(world.db, accountId, { events: Array.from({ length: count }, () => ({ body: {} })), now });

describe('a test', () => {
  test('is signed like events, with every signing key, and returns its outcome', async () => {
    const header = { name: 'x-key', value: 'hush-hush' };
    const created = await createEndpoint(world, accountId, { url, header });
    await world.sendJson('POST', `/endpoints/${created.endpointId}/secret/rotate`, { body: {} });
    const [status, body] = await readResponse(ping(created.endpointId));
    const request = receiver.received.at(-1);
    const sent: unknown = JSON.parse(request?.body ?? '');
    expect(sent).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      messageTimestamp: String(now.getTime()),
      documentType: 'Test',
      accountId,
      endpointId: created.endpointId,
    });
    const delivery = {
      eventId: request?.headers['webhook-id'],
      position: null,
      attempt: 1,
      attemptTimestamp: '2026-06-01T12:00:00',
      outcome: 'delivered',
      reason: null,
      status: 200,
      durationMs: expect.any(Number),
      answer: 'ok',
      nextAttemptTimestamp: null,
    };
    expect([status, body]).toEqual([200, { event: sent, delivery }]);
    expect(request?.headers).toMatchObject({ 'x-key': 'hush-hush' });
    const signatures = String(request?.headers['webhook-signature']).split(' ');
    const id = String(request?.headers['webhook-id']);
    const old = new Webhook(String(created.secret)).sign(id, now, request?.body ?? '');
    expect([signatures.length, signatures[1]]).toEqual([2, old]);
    const page = { data: [delivery], paging: { limit: 10, totalCount: 1, totalPages: 1 } };
    expect(await at(created.endpointId, '/deliveries')).toEqual([200, page]);
    const progress = { lastDeliveryTimestamp: null, failures: 0 };
    expect(await at(created.endpointId, '/progress')).toMatchObject([200, progress]);
  });

  test('can be sent to a paused or disabled endpoint, and changes neither', async () => {
    const { endpointId } = await createEndpoint(world, accountId, { url: `${url}busy` });
    await world.db`update push_endpoint set active = false, disabled_for = 'failing', disabled_at = now()`;
    const delivery = { outcome: 'retry', status: 503, answer: 'later' };
    expect(await readResponse(ping(endpointId))).toMatchObject([200, { delivery }]);
    expect(await at(endpointId, '')).toMatchObject([200, { state: 'disabled' }]);
  });

  test('is sent one at a time, with a minimum interval', async () => {
    const { endpointId } = await createEndpoint(world, accountId, { url });
    const other = await createEndpoint(world, accountId, { url });
    const before = receiver.received.length;
    const responses = await Promise.all([1, 2, 3].map(() => ping(endpointId)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429, 429]);
    const rejected = await ping(endpointId);
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await ping(other.endpointId)).status).toBe(200);
    expect(receiver.received).toHaveLength(before + 2);
    await world.db`update push_endpoint set pinged_until = now()`;
    expect((await ping(endpointId)).status).toBe(200);
  });

  test('to an address that is no longer allowed is not sent', async () => {
    const { endpointId } = await createEndpoint(world, accountId, { url });
    await world.db`update push_endpoint set url = 'https://10.0.0.1/'`;
    const delivery = { outcome: 'failed', reason: 'address-refused', status: null };
    expect(await readResponse(ping(endpointId))).toMatchObject([200, { delivery }]);
  });
});

test('a deleted endpoint and a deleted account leave no response texts', async () => {
  const [first, second, other] = [
    await createEndpoint(world, accountId, { url }),
    await createEndpoint(world, accountId, { url }),
    await createEndpoint(world, await world.createAccount(), { url }),
  ];
  await world.db`delete from push_attempt`;
  const listLogged = async (): Promise<readonly string[]> =>
    (await world.db<{ id: string }[]>`select endpoint_id as id from push_attempt order by push_attempt.id`).map(
      ({ id }) => id,
    );
  for (const { endpointId } of [first, second, other]) await ping(endpointId);
  expect(await listLogged()).toEqual([first, second, other].map(({ endpointId }) => endpointId));
  await world.sendJson('DELETE', `/endpoints/${first.endpointId}`);
  expect(await listLogged()).toEqual([second.endpointId, other.endpointId]);
  await world.sendJson('DELETE', `/profile/${accountId}`);
  expect(await listLogged()).toEqual([other.endpointId]);
});

const log = async (
  endpointId: string,
  ...attempts: readonly (readonly [number: number | null, outcome: string, reason?: string])[]
): Promise<void> => {
  for (const [number, outcome, reason] of attempts)
    await world.db`
      insert into push_attempt (endpoint_id, number, event_id, attempt, made_at, outcome, reason, duration_ms, answer)
      values (${endpointId}, ${number}, ${`00000000-0000-7000-8000-${String(number ?? 0).padStart(12, '0')}`}, 1, ${now},
        ${outcome}, ${reason ?? null}, 1, '')`;
};

type Page = { readonly data: readonly Record<string, unknown>[]; readonly paging: { readonly next?: string } };

const listItems = async (path: string): Promise<readonly Record<string, unknown>[]> =>
  (await listPages<Page>(world, `/flight-info-alerts${path}`)).flatMap(({ data }) => data);

describe('the log', () => {
  test('is paged, newest first, while it grows and is pruned', async () => {
    const { endpointId } = await createEndpoint(world, accountId);
    const numbers = [1, 2, 3, 4, 5, 6, 7];
    const path = `/flight-info-alerts/endpoints/${endpointId}/deliveries?Limit=3`;
    await log(endpointId, ...numbers.map((number) => [number, 'delivered'] as const));
    const positions = (pages: readonly Page[]): unknown[] =>
      pages.flatMap(({ data }) => data.map(({ position }) => position));
    expect(positions(await listPages<Page>(world, path))).toEqual(numbers.toReversed());
    const { paging } = await getJson<Page>(world, path);
    expect(paging).toEqual({ limit: 3, totalCount: 7, totalPages: 3, next: expect.any(String) });
    await log(endpointId, [8, 'delivered']);
    await world.db`delete from push_attempt where number in (1, 5)`;
    expect(positions(await listPages<Page>(world, paging.next))).toEqual([4, 3, 2]);
  });

  test('is filtered by outcome and by event', async () => {
    const { endpointId } = await createEndpoint(world, accountId);
    const failed = failureReasons.map((reason) => [4, 'failed', reason] as const);
    await log(endpointId, [1, 'delivered'], [2, 'retry'], [3, 'gone'], ...failed);
    const base = `/endpoints/${endpointId}/deliveries`;
    const failures = await listItems(`${base}?Outcome=FAILED&Limit=4`);
    expect(failures.map(({ reason }) => reason)).toEqual(failureReasons.toReversed());
    const event = '00000000-0000-7000-8000-000000000002';
    expect(await listItems(`${base}?EventId=${event}`)).toMatchObject([{ eventId: event, outcome: 'retry' }]);
    expect(await listItems(`${base}?EventId=${event}&Outcome=gone`)).toEqual([]);
  });

  test('a cursor is valid for its endpoint and filter only', async () => {
    const { endpointId } = await createEndpoint(world, accountId);
    const other = await createEndpoint(world, accountId);
    await log(endpointId, [1, 'delivered'], [2, 'delivered']);
    const [first] = await listPages<Page>(world, `/flight-info-alerts/endpoints/${endpointId}/deliveries?Limit=1`);
    const after = first?.paging.next?.replace(/^.*After=/, '');
    const invalid = [400, 'cursor-invalid', { After: ['is not a cursor of this query'] }];
    for (const path of [`${other.endpointId}/deliveries?`, `${endpointId}/deliveries?Outcome=gone&`])
      expect(await readError(world.sendJson('GET', `/endpoints/${path}After=${after}`)), path).toEqual(invalid);
  });
});

describe('redelivery', () => {
  const queued = async (id: string): Promise<unknown> =>
    world.db`
      select number::int, attempts, due_at = ${now} as due from push_retry where endpoint_id = ${id} order by number`;
  const redeliver = (id: string, body: object): Promise<Response> =>
    world.sendJson('POST', `/endpoints/${id}/redeliveries`, { body });
  const due = (...numbers: readonly number[]): unknown => numbers.map((number) => ({ number, attempts: 0, due: true }));
  const insertDeadLetters = (
    id: string,
    ...letters: readonly (readonly [first: number, last: number, event: string | null])[]
  ) =>
    world.db`
      insert into push_dead_letter (endpoint_id, number, last_number, event_id, attempts, reason, given_up_at)
      select ${id}, l.first, l.last, l.event, 17, case when l.event is null then 'expired' else 'exhausted' end, ${now}
      from unnest(
        ${letters.map(([first]) => first)}::bigint[], ${letters.map(([, last]) => last)}::bigint[],
        ${letters.map(([, , event]) => event)}::uuid[]) as l(first, last, event)`;

  test('one event is due immediately, and senders are notified', async () => {
    const ids = await insertEvents(3);
    const { endpointId } = await createEndpoint(world, accountId);
    const notified = Promise.withResolvers<string>();
    const { unlisten } = await world.db.listen(PUSH_CHANNEL, notified.resolve);
    expect(await readResponse(redeliver(endpointId, { eventId: ids[1]?.toUpperCase() }))).toEqual([202, { queued: 1 }]);
    expect(await queued(endpointId)).toEqual(due(2));
    expect(await notified.promise).toBe('');
    await unlisten();
  });

  test('queues attempted events of a range; later ones are sent in order', async () => {
    await insertEvents(5);
    const { endpointId } = await createEndpoint(world, accountId);
    await insertEvents(5);
    await world.db`
      insert into push_retry (endpoint_id, number, attempts, due_at) values (${endpointId}, 4, 9, '2026-06-02T00:00:00Z')`;
    expect(await readResponse(redeliver(endpointId, { fromPosition: 3, toPosition: 9 }))).toEqual([202, { queued: 3 }]);
    expect(await queued(endpointId)).toEqual(due(3, 4, 5));
    expect(await readResponse(redeliver(endpointId, { fromPosition: 8, toPosition: 9 }))).toEqual([202, { queued: 0 }]);
    expect(await readResponse(redeliver(endpointId, { fromPosition: 2, toPosition: 2 }))).toEqual([202, { queued: 1 }]);
    expect(await queued(endpointId)).toEqual(due(2, 3, 4, 5));
  });

  test('dead letters leave their list when they are redelivered; those with pruned events stay', async () => {
    const ids = await insertEvents(6);
    const { endpointId } = await createEndpoint(world, accountId);
    await world.db`
      delete from account_event where number = 1 and stream = (select stream from alert_account where id = ${accountId})`;
    const letters = [1, 3, 5, 6].map((number) => [number, number, ids[number - 1] ?? ''] as const);
    await insertDeadLetters(endpointId, ...letters, [2, 2, null]);
    const givenUp = { attempts: 17, reason: 'exhausted', givenUpTimestamp: '2026-06-01T12:00:00' };
    const first = { position: 1, toPosition: 1, eventId: ids[0], ...givenUp };
    const page = { data: [first], paging: { totalCount: 5 } };
    expect(await at(endpointId, '/dead-letters?Limit=1')).toMatchObject([200, page]);
    expect(await readResponse(redeliver(endpointId, { eventId: ids[5] }))).toEqual([202, { queued: 1 }]);
    expect(await readResponse(redeliver(endpointId, { deadLetters: true }))).toEqual([202, { queued: 2 }]);
    expect(await queued(endpointId)).toEqual(due(3, 5, 6));
    const remaining = await listItems(`/endpoints/${endpointId}/dead-letters?Limit=1`);
    expect(remaining.map(({ position, eventId, reason }) => [position, eventId, reason])).toEqual([
      [1, ids[0], 'exhausted'],
      [2, null, 'expired'],
    ]);
  });

  test('rejects pruned positions, and returns 404 for unknown events', async () => {
    const ids = await insertEvents(4);
    const { endpointId } = await createEndpoint(world, accountId);
    await world.db`
      delete from account_event where number <= 2 and stream = (select stream from alert_account where id = ${accountId})`;
    const pruned = redeliver(endpointId, { fromPosition: 2, toPosition: 3 });
    expect(await readError(pruned)).toEqual([410, 'cursor-expired', undefined]);
    expect(await readError(redeliver(endpointId, { eventId: ids[0] }))).toEqual([404, 'not-found', undefined]);
    const [foreign] = await insertTestEvents(world.db, await world.createAccount(), { events: [{ body: {} }], now });
    expect(await readError(redeliver(endpointId, { eventId: foreign }))).toEqual([404, 'not-found', undefined]);
    expect(await queued(endpointId)).toEqual([]);
  });

  const oneOf = {
    '': ['Exactly one of eventId, a range (fromPosition and toPosition) and deadLetters: true must be sent.'],
  };
  const reversed = ['must not be greater than toPosition, but 2 is greater than 1'];
  const tooLong = ['must be at most 100001: a range has 100000 positions at most'];
  test.each([
    [{}, oneOf],
    [{ deadLetters: true, fromPosition: 1, toPosition: 1 }, oneOf],
    [{ fromPosition: 1 }, oneOf],
    [{ toPosition: 1 }, oneOf],
    [{ deadLetters: false }, oneOf],
    [{ fromPosition: 2, toPosition: 1 }, { fromPosition: reversed }],
    [{ fromPosition: 2, toPosition: 100_002 }, { toPosition: tooLong }],
  ])('%j is rejected', async (body, errors) => {
    const { endpointId } = await createEndpoint(world, accountId);
    expect(await readError(redeliver(endpointId, body))).toEqual([400, 'invalid-body', errors]);
  });

  test('a range of one position, and one of 100,000, are accepted', async () => {
    const { endpointId } = await createEndpoint(world, accountId);
    for (const toPosition of [1, 100_000])
      expect((await redeliver(endpointId, { fromPosition: 1, toPosition })).status).toBe(202);
  });
});
