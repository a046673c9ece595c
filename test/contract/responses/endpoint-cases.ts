import { randomUUID } from 'node:crypto';
import { insertTestEvents, getStreamNumber } from '../../products/flight-info-alerts/v1/events/account-events.ts';
import { newEndpoint } from '../../products/flight-info-alerts/v1/endpoints/create-endpoints.ts';
import type { AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import type { ResponseCase } from './declared-responses.ts';

type Asked = { readonly path: string; readonly body?: unknown; readonly headers?: Record<string, string> };
type More = { readonly key?: string; readonly headers?: Record<string, string>; readonly query?: string };
type Operation = { readonly name: string; readonly way: (from: AlertsService, more?: More) => Promise<Response> };

/** How the contract test asks, and what every operation can answer. */
export type EndpointCaseOptions = {
  readonly world: () => AlertsService;
  readonly operation: (name: string, asked: () => Asked) => Operation;
  readonly common: (operation: Operation) => readonly ResponseCase[];
  readonly bodied: (operation: Operation) => readonly ResponseCase[];
};

const nobody = '00000000-0000-4000-8000-000000000000';
const address = '/flight-info-alerts/endpoints';
const url = 'https://hooks.zx.example/events';

/** Every answer of the operations on endpoints. */
export const createEndpointCases = ({
  world,
  operation,
  common,
  bodied,
}: EndpointCaseOptions): readonly ResponseCase[] => {
  let made: Promise<{ readonly account: string; readonly id: string }> | undefined;
  const make = async (): Promise<{ readonly account: string; readonly id: string }> => {
    const account = await world().createAccount();
    return { account, id: (await newEndpoint(world(), account)).endpointId };
  };
  /** One endpoint for all that leave it as it is. */
  const standing = () => (made ??= make());

  /** An operation on an endpoint that is there, and its answer where there is none. */
  const on = (method: string, under: string, body?: object) => {
    const name = `${method === 'get' ? '' : `${method} `}${address}/{endpointId}${under}`;
    const at = (id: string): Operation =>
      operation(name, () => ({ path: `/endpoints/${id}${under}`, ...(body && { body }) }));
    const way: Operation['way'] = async (from, more) => at((await standing()).id).way(from, more);
    const nowhere: ResponseCase = [name, 404, 'nothing of the kind', () => at(nobody).way(world())];
    return { name, way, at, cases: [...common({ name, way }), nowhere] };
  };

  const list: Operation = {
    name: address,
    way: async (from, more) => {
      const { account } = await standing();
      return operation(address, () => ({ path: '/endpoints', headers: { accountid: account } })).way(from, more);
    },
  };
  const creating = (body: object) => operation(`post ${address}`, () => ({ path: '/endpoints', body }));
  const create: Operation = {
    name: `post ${address}`,
    way: async (from, more) => creating({ accountId: (await standing()).account, url }).way(from, more),
  };
  const get = on('get', '');
  const change = on('patch', '', { description: 'ours' });
  const remove = on('delete', '');
  const progress = on('get', '/progress');
  const ping = on('post', '/ping');
  const rotate = on('post', '/secret/rotate', { overlapHours: 0 });
  const deliveries = on('get', '/deliveries');
  const letters = on('get', '/dead-letters');
  const again = on('post', '/redeliveries', { deadLetters: true });

  /** A second request with the key of another one. */
  const reused = async (ask: (body: object, headers: Record<string, string>) => Promise<Response>) => {
    const headers = { 'idempotency-key': randomUUID() };
    await ask({ overlapHours: 1 }, headers);
    return ask({ overlapHours: 2 }, headers);
  };
  /** An account whose events are gone. */
  const late = async (): Promise<string> => {
    const account = await world().createAccount();
    await insertTestEvents(world().db, account, { events: [{ body: {} }], now: new Date('2026-06-01T11:00:00Z') });
    await world().db`delete from account_event where stream = ${await getStreamNumber(world().db, account)}`;
    return account;
  };
  const full = async (): Promise<Response> => {
    const account = await world().createAccount();
    for (let n = 0; n < 20; n += 1) await newEndpoint(world(), account);
    return creating({ accountId: account, url }).way(world());
  };
  const afresh = async (ask: (id: string) => Promise<Response>): Promise<Response> => ask((await make()).id);
  const rotating = (id: string, overlapHours: number): Promise<Response> =>
    world().sendJson('POST', `/endpoints/${id}/secret/rotate`, { body: { overlapHours } });

  return [
    [list.name, 200, 'the endpoints', () => list.way(world())],
    [
      list.name,
      404,
      'no such account',
      () => operation(address, () => ({ path: '/endpoints', headers: { accountid: nobody } })).way(world()),
    ],
    ...common(list),
    [create.name, 201, 'an endpoint', () => create.way(world())],
    [
      create.name,
      400,
      'an address within a network',
      async () => creating({ accountId: (await standing()).account, url: 'https://10.0.0.7/' }).way(world()),
    ],
    [create.name, 404, 'no such account', () => creating({ accountId: nobody, url }).way(world())],
    [create.name, 409, 'more than there can be', full],
    [
      create.name,
      410,
      'events no longer kept',
      async () => creating({ accountId: await late(), url, after: 0 }).way(world()),
    ],
    [
      create.name,
      422,
      'a key of another request',
      async () => {
        const { account } = await standing();
        return reused((body, headers) =>
          creating({ accountId: account, url, description: JSON.stringify(body) }).way(world(), { headers }),
        );
      },
    ],
    ...common(create),
    ...bodied(create),
    [get.name, 200, 'an endpoint', () => get.way(world())],
    [
      get.name,
      304,
      'what is known already',
      async () => {
        const tag = (await get.way(world())).headers.get('etag') ?? '';
        return get.way(world(), { headers: { 'if-none-match': tag } });
      },
    ],
    [
      get.name,
      304,
      'what was known then',
      async () => {
        const since = (await get.way(world())).headers.get('last-modified') ?? '';
        return get.way(world(), { headers: { 'if-modified-since': since } });
      },
    ],
    ...get.cases,
    [change.name, 200, 'a change', () => change.way(world())],
    [
      change.name,
      400,
      'an address within a network',
      () => afresh((id) => world().sendJson('PATCH', `/endpoints/${id}`, { body: { url: 'https://localhost/' } })),
    ],
    [change.name, 412, 'another tag', () => change.way(world(), { headers: { 'if-match': '"x"' } })],
    ...change.cases,
    ...bodied(change),
    [remove.name, 200, 'an endpoint that was', () => afresh((id) => remove.at(id).way(world()))],
    ...remove.cases,
    [progress.name, 200, 'how far it is', () => progress.way(world())],
    ...progress.cases,
    [ping.name, 200, 'a test', () => ping.way(world())],
    [ping.name, 429, 'another one at once', () => ping.way(world())],
    ...ping.cases,
    [rotate.name, 200, 'a new secret', () => rotate.way(world())],
    [
      rotate.name,
      409,
      'more than there can be',
      () =>
        afresh(async (id) => {
          await rotating(id, 1);
          await rotating(id, 2);
          return rotating(id, 3);
        }),
    ],
    [
      rotate.name,
      422,
      'a key of another request',
      async () => {
        const { id } = await make();
        const named = { path: `/endpoints/${id}/secret/rotate` };
        return reused((body, headers) => operation(rotate.name, () => ({ ...named, body })).way(world(), { headers }));
      },
    ],
    ...rotate.cases,
    ...bodied(rotate),
    [deliveries.name, 200, 'a page', () => deliveries.way(world())],
    [deliveries.name, 400, 'no cursor', () => deliveries.way(world(), { query: '?After=x' })],
    ...deliveries.cases,
    [letters.name, 200, 'a page', () => letters.way(world())],
    ...letters.cases,
    [again.name, 202, 'events that are queued', () => again.way(world())],
    [
      again.name,
      404,
      'no such event',
      () => afresh((id) => world().sendJson('POST', `/endpoints/${id}/redeliveries`, { body: { eventId: nobody } })),
    ],
    [
      again.name,
      410,
      'events no longer kept',
      async () => {
        const { endpointId } = await newEndpoint(world(), await late());
        const body = { fromPosition: 1, toPosition: 1 };
        return world().sendJson('POST', `/endpoints/${endpointId}/redeliveries`, { body });
      },
    ],
    ...again.cases,
    ...bodied(again),
  ];
};
