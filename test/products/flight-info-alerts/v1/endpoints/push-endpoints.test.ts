import { beforeEach, describe, expect, test } from 'vitest';
import { PUSH_CHANNEL } from '#store/deliveries/endpoint-claims.ts';
import { HOOK, createEndpoint, readError, readResponse } from './create-endpoints.ts';
import { insertTestEvents } from '../events/account-events.ts';
import { serveAlerts } from '../alerts-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const now = new Date('2026-06-01T12:00:00Z');

const world = sharedService(serveAlerts);
let accountId = '';
beforeEach(async () => {
  world.setToday('2026-06-01');
  await world.db`delete from push_endpoint`;
  await world.db`delete from idempotency_key`;
  accountId = await world.createAccount();
});

const create = (body: object, more = {}): Promise<Response> =>
  world.sendJson('POST', '/endpoints', { body: { accountId, url: HOOK, ...body }, ...more });
const get = (id: string, path = ''): ReturnType<typeof readResponse> =>
  readResponse(world.sendJson('GET', `/endpoints/${id}${path}`));
const patch = (id: string, body: object, headers = {}): Promise<Response> =>
  world.sendJson('PATCH', `/endpoints/${id}`, { body, headers });
const progress = async (id: string): Promise<unknown> => (await get(id, '/progress'))[1];
const key = (publicKey: string | null = null, endsTimestamp: string | null = null) => ({
  publicKey,
  createdTimestamp: '2026-06-01T12:00:00',
  endsTimestamp,
});
const insertEvents = (count: number): Promise<readonly string[]> =>
  insertTestEvents(world.db, accountId, { events: Array.from({ length: count }, () => ({ body: {} })), now });

describe('creating', () => {
  test('an endpoint begins with the next event, signs with a secret, and shows it once', async () => {
    await insertEvents(3);
    const newItem = await createEndpoint(world, accountId);
    expect(newItem).toEqual({
      endpointId: expect.any(String),
      signing: 'hmac-sha256',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      publicKey: null,
      position: 3,
    });
    expect(await get(newItem.endpointId)).toEqual([
      200,
      {
        endpointId: newItem.endpointId,
        accountId,
        url: HOOK,
        description: null,
        headerName: null,
        signing: 'hmac-sha256',
        ordering: 'none',
        keys: [key()],
        state: 'active',
        disabledFor: null,
        disabledTimestamp: null,
        createdTimestamp: '2026-06-01T12:00:00',
        lastUpdatedTimestamp: '2026-06-01T12:00:00',
      },
    ]);
    expect(await progress(newItem.endpointId)).toEqual({
      position: 3,
      end: 3,
      backlog: 0,
      retries: 0,
      deadLetters: 0,
      failures: 0,
      failingSinceTimestamp: null,
      restsUntilTimestamp: null,
      lastDeliveryTimestamp: null,
    });
  });

  test('keeps the ordering with which it is created', async () => {
    const created = await createEndpoint(world, accountId, { ordering: 'flight' });
    const [, rendered] = await get(created.endpointId);
    expect(rendered['ordering']).toBe('flight');
    expect(await readError(create({ ordering: 'time' }))).toEqual([400, 'invalid-body', expect.any(Object)]);
  });

  test('with ed25519 the public key is returned, and the private one never', async () => {
    const created = await createEndpoint(world, accountId, { signing: 'ed25519' });
    expect(created).toMatchObject({ secret: null, publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/) });
    const [, rendered] = await get(created.endpointId);
    expect(rendered['keys']).toEqual([key(created.publicKey)]);
  });

  test('can start after any retained position and no other', async () => {
    await insertEvents(5);
    await world.db`delete from account_event where number <= 2`;
    expect(await createEndpoint(world, accountId, { after: 2 })).toMatchObject({ position: 2 });
    expect(await createEndpoint(world, accountId, { after: 5 })).toMatchObject({ position: 5 });
    expect(await readError(create({ after: 1 }))).toEqual([410, 'cursor-expired', undefined]);
    expect(await readError(create({ after: 6 }))).toEqual([
      400,
      'cursor-invalid',
      { after: ['must be at most 5, the last position of the stream, not 6'] },
    ]);
  });

  test('the same key returns the same response, although its secrets are not stored with it', async () => {
    const headers = { 'idempotency-key': 'one' };
    const first = await readResponse(create({}, { headers }));
    expect(await readResponse(create({}, { headers }))).toEqual(first);
    const secret = String(first[1]['secret']);
    const cached = await world.db<{ answer: string }[]>`select answer from idempotency_key`;
    expect(cached.map(({ answer }) => answer.includes(secret))).toEqual([false]);
    const id = String(first[1]['endpointId']);
    await world.sendJson('POST', `/endpoints/${id}/secret/rotate`, { body: { overlapHours: 0 } });
    expect(await readError(create({}, { headers }))).toEqual([404, 'not-found', undefined]);
    const listed = readResponse(world.sendJson('GET', '/endpoints', { headers: { accountid: accountId } }));
    expect(await listed).toMatchObject([200, [{ endpointId: id }]]);
  });

  test('an account has a limit of 20, with concurrent requests too', async () => {
    const responses = await Promise.all(Array.from({ length: 23 }, async () => (await create({})).status));
    expect(responses.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 20 }, () => 201), 409, 409, 409]);
    expect(await createEndpoint(world, await world.createAccount())).toMatchObject({ position: 0 });
  });

  test('senders are notified', async () => {
    const notified = Promise.withResolvers<string>();
    const { unlisten } = await world.db.listen(PUSH_CHANNEL, notified.resolve);
    await createEndpoint(world, accountId);
    expect(await notified.promise).toBe('');
    await unlisten();
  });

  test.each([
    ['a routing header', { name: 'Host', value: 'x' }],
    ['a signature header', { name: 'webhook-id', value: 'x' }],
    ['a value with a line break', { name: 'x-key', value: 'secret-value\r\nx: y' }],
    ['a value in another script', { name: 'x-key', value: 'secret-välue' }],
  ])('%s is rejected, and its value not repeated', async (_, header) => {
    const response = await create({ header });
    const text = await response.text();
    expect([response.status, text.includes('"header":["is not accepted'), text.includes('secret')]).toEqual([
      400,
      true,
      false,
    ]);
  });
});

describe('changing', () => {
  test('changes only the members of the request; the response contains the header name only', async () => {
    const { endpointId } = await createEndpoint(world, accountId, { header: { name: 'x-key', value: 'hush-hush' } });
    world.setToday('2026-06-02');
    const [, before] = await get(endpointId);
    const changes = { url: 'https://other.zx.example/', description: 'ours', ordering: 'flight' };
    expect(await readResponse(patch(endpointId, changes))).toEqual([
      200,
      { ...before, ...changes, headerName: 'x-key', lastUpdatedTimestamp: '2026-06-02T12:00:00' },
    ]);
    expect(await readResponse(patch(endpointId, { header: null }))).toMatchObject([200, { headerName: null }]);
    const [row] = await world.db`select header_value from push_endpoint`;
    expect(row).toEqual({ header_value: null });
  });

  test('an endpoint can be sent back as it was returned', async () => {
    const { endpointId } = await createEndpoint(world, accountId, { header: { name: 'x-key', value: 'hush-hush' } });
    world.setToday('2026-06-02');
    const [, before] = await get(endpointId);
    expect(await readResponse(patch(endpointId, before))).toEqual([200, before]);
    const [row] = await world.db`select header_value from push_endpoint`;
    expect(row).toEqual({ header_value: 'hush-hush' });
  });

  test('is changed only with the current tag', async () => {
    const { endpointId } = await createEndpoint(world, accountId);
    const tag = (await world.sendJson('GET', `/endpoints/${endpointId}`)).headers.get('etag') ?? '';
    world.setToday('2026-06-02');
    const changed = await patch(endpointId, { description: 'a' }, { 'if-match': tag });
    expect(changed.status).toBe(200);
    const next = (await world.sendJson('GET', `/endpoints/${endpointId}`)).headers.get('etag');
    expect(changed.headers.get('etag')).toBe(next);
    const late = patch(endpointId, { description: 'b' }, { 'if-match': tag });
    expect(await readError(late)).toEqual([412, 'precondition-failed', undefined]);
  });

  test('activates a paused or disabled endpoint, and resets its failures', async () => {
    const { endpointId } = await createEndpoint(world, accountId);
    expect(await readResponse(patch(endpointId, { active: false }))).toMatchObject([200, { state: 'paused' }]);
    expect(await readResponse(patch(endpointId, { active: true }))).toMatchObject([200, { state: 'active' }]);
    await world.db`update push_endpoint set disabled_for = 'gone', disabled_at = ${now}`;
    await world.db`update push_progress set failures = 9, rests = 3, failing_since = ${now}, rests_until = '2026-06-01T12:02:00Z'`;
    expect(await get(endpointId)).toMatchObject([
      200,
      { state: 'disabled', disabledFor: 'gone', disabledTimestamp: '2026-06-01T12:00:00' },
    ]);
    const failing = { failingSinceTimestamp: '2026-06-01T12:00:00', restsUntilTimestamp: '2026-06-01T12:02:00' };
    expect(await progress(endpointId)).toMatchObject({ failures: 9, ...failing });
    world.setNow('2026-06-01T12:02:00Z');
    expect(await progress(endpointId)).toMatchObject({ failures: 9, ...failing, restsUntilTimestamp: null });
    expect(await readResponse(patch(endpointId, { description: 'x' }))).toMatchObject([200, { state: 'disabled' }]);
    expect(await readResponse(patch(endpointId, { active: true }))).toMatchObject([
      200,
      { state: 'active', disabledFor: null, disabledTimestamp: null },
    ]);
    const healthy = { failures: 0, failingSinceTimestamp: null, restsUntilTimestamp: null };
    expect(await progress(endpointId)).toMatchObject(healthy);
    expect(await world.db`select rests from push_progress`).toEqual([{ rests: 0 }]);
  });

  test('after deletion only its log remains, which cannot be read', async () => {
    const { endpointId } = await createEndpoint(world, accountId);
    await world.db`insert into push_retry (endpoint_id, number, attempts, due_at) values (${endpointId}, 1, 1, now())`;
    const remove = (): Promise<Response> => world.sendJson('DELETE', `/endpoints/${endpointId}`);
    expect(await readResponse(remove())).toMatchObject([200, { endpointId }]);
    const detail = `The endpoint ${endpointId} does not exist.`;
    expect(await readResponse(remove())).toMatchObject([404, { type: '/docs/errors#not-found', detail }]);
    const remaining = await world.db`
      select (select count(*)::int from push_key) as keys, (select count(*)::int from push_progress) as progress,
        (select count(*)::int from push_retry) as retries`;
    expect(remaining).toEqual([{ keys: 0, progress: 0, retries: 0 }]);
    for (const list of ['deliveries', 'dead-letters'])
      expect((await world.sendJson('GET', `/endpoints/${endpointId}/${list}`)).status).toBe(404);
  });
});

describe('replacing the secret', () => {
  const rotate = (id: string, body: object = {}, headers = {}): Promise<Response> =>
    world.sendJson('POST', `/endpoints/${id}/secret/rotate`, { body, headers });
  const keys = async (id: string): Promise<unknown> => (await get(id))[1]['keys'];

  test('both keys sign for the requested time, 24 hours by default', async () => {
    const created = await createEndpoint(world, accountId);
    const { position: _, ...receiverKey } = created;
    const rotated = await readResponse(rotate(created.endpointId));
    expect(rotated).toEqual([200, { ...receiverKey, secret: expect.stringMatching(/^whsec_/) }]);
    expect(rotated[1]['secret']).not.toBe(created.secret);
    expect(await keys(created.endpointId)).toEqual([key(), key(null, '2026-06-02T12:00:00')]);
    world.setToday('2026-06-02');
    expect(await keys(created.endpointId)).toEqual([key()]);
  });

  test('up to three sign, and 0 hours end all older ones immediately', async () => {
    const { endpointId } = await createEndpoint(world, accountId);
    await rotate(endpointId, { overlapHours: 1 });
    expect((await rotate(endpointId, { overlapHours: 168 })).status).toBe(200);
    expect(await readError(rotate(endpointId))).toEqual([409, 'limit-reached', undefined]);
    expect((await rotate(endpointId, { overlapHours: 0 })).status).toBe(200);
    expect(await keys(endpointId)).toHaveLength(1);
    expect(await world.db`select count(*)::int from push_key`).toEqual([{ count: 1 }]);
  });

  test('a repeated request with the same key creates no second one', async () => {
    const { endpointId } = await createEndpoint(world, accountId, { signing: 'ed25519' });
    const headers = { 'idempotency-key': 'r' };
    const first = await readResponse(rotate(endpointId, {}, headers));
    expect(first[1]['publicKey']).toMatch(/^whpk_/);
    expect(await readResponse(rotate(endpointId, {}, headers))).toEqual(first);
    expect(await keys(endpointId)).toHaveLength(2);
  });

  test('a conditional request returns the endpoint once a key has ended', async () => {
    const { endpointId } = await createEndpoint(world, accountId);
    await rotate(endpointId, { overlapHours: 12 });
    world.setToday('2026-06-02');
    await world.db`update push_key set key = '' where ends_at is not null`;
    const since = (date: string): Promise<Response> =>
      world.sendJson('GET', `/endpoints/${endpointId}`, { headers: { 'if-modified-since': date } });
    expect((await since('Mon, 01 Jun 2026 12:00:00 GMT')).status).toBe(200);
    expect((await since('Tue, 02 Jun 2026 00:00:00 GMT')).status).toBe(304);
  });
});

// Other spellings are tested in test/faults/webhooks/forbidden-targets.test.ts.
test('rejects private addresses when an endpoint is created or changed', async () => {
  const { endpointId } = await createEndpoint(world, accountId);
  const rejected = [400, 'invalid-body', { url: [expect.stringMatching(/^is not accepted: /)] }];
  const url = 'https://10.0.0.1/';
  expect(await readError(create({ url }))).toEqual(rejected);
  expect(await readError(patch(endpointId, { url }))).toEqual(rejected);
  expect(await get(endpointId)).toMatchObject([200, { url: HOOK }]);
});
