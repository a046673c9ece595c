import { failureReasons } from '#delivery/webhook/delivery-result.ts';
import { insertTestEvents } from '#test/products/flight-info-alerts/v1/events/account-events.ts';
import { createEndpoint } from '#test/products/flight-info-alerts/v1/endpoints/create-endpoints.ts';
import type { AlertsService } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import type { RequestCovered } from './pull-coverage.ts';

const base = '/flight-info-alerts/endpoints';
const url = 'https://hooks.zx.example/events';
const now = new Date('2026-06-01T12:00:00Z');
const later = new Date('2026-06-01T13:00:00Z');

const fillLog = async ({ db }: AlertsService, id: string): Promise<void> => {
  const attempts = [
    ...['delivered', 'retry', 'gone'].map((outcome) => [outcome, null] as const),
    ...failureReasons.map((reason) => ['failed', reason] as const),
  ];
  for (const [index, [outcome, reason]] of attempts.entries())
    await db`
      insert into push_attempt
        (endpoint_id, number, event_id, attempt, made_at, outcome, reason, status, duration_ms, answer, next_at)
      values (${id}, ${index + 1}, gen_random_uuid(), 1, ${now}, ${outcome}, ${reason}, 200, 5, 'ok', ${later})`;
  for (const [index, reason] of ['exhausted', 'gone', 'expired'].entries())
    await db`
      insert into push_dead_letter (endpoint_id, number, last_number, event_id, attempts, reason, given_up_at)
      values (${id}, ${index + 1}, ${index + 1}, gen_random_uuid(), 17, ${reason}, ${now})`;
  await db`update push_progress set failures = 3, failing_since = ${now}, rests_until = ${later} where endpoint_id = ${id}`;
  await db`insert into push_retry (endpoint_id, number, attempts, due_at) values (${id}, 1, 1, ${later})`;
};

/** Brings endpoints into every state. Returns pairs of responses whose requests differ in one thing: they must differ. */
export const coverPush = async (
  world: AlertsService,
  send: RequestCovered,
): Promise<readonly (readonly [what: string, without: string, having: string])[]> => {
  const account = await world.createAccount();
  const other = await world.createAccount();
  await insertTestEvents(world.db, account, { events: [{ body: {} }, { body: {} }], now });
  const { endpointId: id } = await createEndpoint(world, account);
  const post = `post ${base}`;
  const one = `${base}/{endpointId}`;
  const get = (path: string): Promise<string> =>
    send(`${one}${path.replace(/\?.*$/, '')}`, { path: `/endpoints/${id}${path}` });
  const patch = (body: object, headers = {}): Promise<string> =>
    send(`patch ${one}`, { path: `/endpoints/${id}`, body, headers });
  const create = (more: object, headers = {}): Promise<string> =>
    send(post, { path: '/endpoints', body: { accountId: account, url, ...more }, headers });
  const rotate = (body: object, headers = {}): Promise<string> =>
    send(`post ${one}/secret/rotate`, { path: `/endpoints/${id}/secret/rotate`, body, headers });
  const listed = (accountid: string): Promise<string> => send(base, { path: '/endpoints', headers: { accountid } });
  const pairs: (readonly [string, string, string])[] = [];
  const both = async (kind: string, without: Promise<string>, having: () => Promise<string>): Promise<void> => {
    pairs.push([kind, await without, await having()]);
  };

  await both('accountId', listed(account), () => listed(other));
  const signingOf = (text: string): string => String(JSON.parse(text)['signing']);
  const positionOf = (text: string): string => String(JSON.parse(text)['position']);
  await both('signing', create({}).then(signingOf), () => create({ signing: 'ed25519' }).then(signingOf));
  await both('after', create({}).then(positionOf), () => create({ after: 0 }).then(positionOf));
  const keyed = { 'idempotency-key': 'push' };
  const first = await create({}, keyed);
  if ((await create({}, keyed)) !== first) throw new Error('a key made two endpoints');
  await both('Idempotency-Key of create', Promise.resolve(first), () => create({}));
  for (const change of [
    { url: 'https://other.zx.example/' },
    { description: 'ours' },
    { header: { name: 'x-key', value: 'hush-hush' } },
    { active: false },
    { active: true },
  ])
    await both(`patch ${Object.keys(change).join()}`, get(''), () => patch(change));
  await both('If-Match', patch({}, { 'if-match': '*' }), () => patch({}, { 'if-match': '"x"' }));
  await fillLog(world, id);
  await get('/progress');
  await both('Outcome', get('/deliveries'), () => get('/deliveries?Outcome=retry'));
  for (const outcome of ['delivered', 'gone', 'failed'])
    await both(`Outcome ${outcome}`, get('/deliveries?Outcome=retry'), () => get(`/deliveries?Outcome=${outcome}`));
  await both('EventId', get('/deliveries'), () => get('/deliveries?EventId=00000000-0000-4000-8000-000000000000'));
  for (const list of ['/deliveries', '/dead-letters']) {
    await get(`${list}?Limit=1000`);
    await both(`Limit of ${list}`, get(list), () => get(`${list}?Limit=1`));
    const { paging } = await (await world.sendJson('GET', `/endpoints/${id}${list}?Limit=1`)).json();
    const after = String(paging.next).replace(/^.*\?/, '');
    await both(`After of ${list}`, get(`${list}?Limit=1`), () => get(`${list}?${after}`));
  }
  const again = (body: object): Promise<string> =>
    send(`post ${one}/redeliveries`, { path: `/endpoints/${id}/redeliveries`, body });
  const [event] = await world.db<{ id: string }[]>`select id from flight_event order by seq desc limit 1`;
  const range = (fromPosition: number, toPosition: number): Promise<string> => again({ fromPosition, toPosition });
  await both('a range', range(1, 1), () => range(1, 2));
  await both('the beginning of a range', range(1, 2), () => range(2, 2));
  await both('an event', range(1, 2), () => again({ eventId: event?.id }));
  await both('dead letters', again({ eventId: event?.id }), () => again({ deadLetters: true }));
  await send(`post ${one}/ping`, { path: `/endpoints/${id}/ping` });
  await world.db`update push_endpoint set pinged_until = null`;
  const rotated = await rotate({ overlapHours: 24 }, { 'idempotency-key': 'rotate' });
  if ((await rotate({ overlapHours: 24 }, { 'idempotency-key': 'rotate' })) !== rotated)
    throw new Error('a key made two secrets');
  await both('overlapHours', get(''), async () => {
    await rotate({ overlapHours: 0 });
    return get('');
  });
  for (const [reason, signing] of [
    ['gone', 'ed25519'],
    ['failing', 'hmac-sha256'],
  ] as const) {
    const { endpointId } = await createEndpoint(world, account, { signing });
    await world.sendJson('POST', `/endpoints/${endpointId}/secret/rotate`, { body: {} });
    await send(`post ${one}/secret/rotate`, { path: `/endpoints/${endpointId}/secret/rotate`, body: {} });
    await world.db`update push_endpoint set disabled_for = ${reason}, disabled_at = ${now} where id = ${endpointId}`;
    await send(one, { path: `/endpoints/${endpointId}` });
    await send(`delete ${one}`, { path: `/endpoints/${endpointId}` });
  }
  return pairs;
};
