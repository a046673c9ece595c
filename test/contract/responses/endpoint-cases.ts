import { randomUUID } from 'node:crypto';
import { insertTestEvents, getStreamNumber } from '../../products/flight-info-alerts/v1/events/account-events.ts';
import { createEndpoint } from '../../products/flight-info-alerts/v1/endpoints/create-endpoints.ts';
import type { AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import type { ResponseCase } from './declared-responses.ts';

type RequestParts = { readonly path: string; readonly body?: unknown; readonly headers?: Record<string, string> };
type SendOptions = { readonly key?: string; readonly headers?: Record<string, string>; readonly query?: string };
type Operation = {
  readonly name: string;
  readonly send: (from: AlertsService, more?: SendOptions) => Promise<Response>;
};

/** Functions of the contract test, and the cases of every operation. */
export type EndpointCaseOptions = {
  readonly world: () => AlertsService;
  readonly operation: (name: string, getRequest: () => RequestParts) => Operation;
  readonly commonCases: (operation: Operation) => readonly ResponseCase[];
  readonly bodyCases: (operation: Operation) => readonly ResponseCase[];
};

const unknownId = '00000000-0000-4000-8000-000000000000';
const address = '/flight-info-alerts/endpoints';
const url = 'https://hooks.zx.example/events';

/** Creates all cases of the operations on endpoints. */
export const createEndpointCases = ({
  world,
  operation,
  commonCases,
  bodyCases,
}: EndpointCaseOptions): readonly ResponseCase[] => {
  let shared: Promise<{ readonly account: string; readonly id: string }> | undefined;
  const createAccountEndpoint = async (): Promise<{ readonly account: string; readonly id: string }> => {
    const account = await world().createAccount();
    return { account, id: (await createEndpoint(world(), account)).endpointId };
  };
  /** Returns the endpoint shared by all cases that do not change it. */
  const getSharedEndpoint = () => (shared ??= createAccountEndpoint());

  /** Creates an operation on an existing endpoint, and the case of an unknown one. */
  const on = (method: string, under: string, body?: object) => {
    const name = `${method === 'get' ? '' : `${method} `}${address}/{endpointId}${under}`;
    const at = (id: string): Operation =>
      operation(name, () => ({ path: `/endpoints/${id}${under}`, ...(body && { body }) }));
    const send: Operation['send'] = async (from, more) => at((await getSharedEndpoint()).id).send(from, more);
    const unknownEndpoint: ResponseCase = [name, 404, 'an unknown object', () => at(unknownId).send(world())];
    return { name, send, at, cases: [...commonCases({ name, send }), unknownEndpoint] };
  };

  const list: Operation = {
    name: address,
    send: async (from, more) => {
      const { account } = await getSharedEndpoint();
      return operation(address, () => ({ path: '/endpoints', headers: { accountid: account } })).send(from, more);
    },
  };
  const creating = (body: object) => operation(`post ${address}`, () => ({ path: '/endpoints', body }));
  const create: Operation = {
    name: `post ${address}`,
    send: async (from, more) => creating({ accountId: (await getSharedEndpoint()).account, url }).send(from, more),
  };
  const get = on('get', '');
  const update = on('patch', '', { description: 'ours' });
  const remove = on('delete', '');
  const progress = on('get', '/progress');
  const ping = on('post', '/ping');
  const rotate = on('post', '/secret/rotate', { overlapHours: 0 });
  const deliveries = on('get', '/deliveries');
  const letters = on('get', '/dead-letters');
  const again = on('post', '/redeliveries', { deadLetters: true });

  /** Sends a second request with the idempotency key of another one. */
  const reuseKey = async (sendWith: (body: object, headers: Record<string, string>) => Promise<Response>) => {
    const headers = { 'idempotency-key': randomUUID() };
    await sendWith({ overlapHours: 1 }, headers);
    return sendWith({ overlapHours: 2 }, headers);
  };
  /** Creates an account whose events have been pruned. */
  const createPrunedAccount = async (): Promise<string> => {
    const account = await world().createAccount();
    await insertTestEvents(world().db, account, { events: [{ body: {} }], now: new Date('2026-06-01T11:00:00Z') });
    await world().db`delete from account_event where stream = ${await getStreamNumber(world().db, account)}`;
    return account;
  };
  const full = async (): Promise<Response> => {
    const account = await world().createAccount();
    for (let n = 0; n < 20; n += 1) await createEndpoint(world(), account);
    return creating({ accountId: account, url }).send(world());
  };
  const withNewEndpoint = async (sendWith: (id: string) => Promise<Response>): Promise<Response> =>
    sendWith((await createAccountEndpoint()).id);
  const rotating = (id: string, overlapHours: number): Promise<Response> =>
    world().sendJson('POST', `/endpoints/${id}/secret/rotate`, { body: { overlapHours } });

  return [
    [list.name, 200, 'the endpoints', () => list.send(world())],
    [
      list.name,
      404,
      'no such account',
      () => operation(address, () => ({ path: '/endpoints', headers: { accountid: unknownId } })).send(world()),
    ],
    ...commonCases(list),
    [create.name, 201, 'an endpoint', () => create.send(world())],
    [
      create.name,
      400,
      'an address within a network',
      async () => creating({ accountId: (await getSharedEndpoint()).account, url: 'https://10.0.0.7/' }).send(world()),
    ],
    [create.name, 404, 'no such account', () => creating({ accountId: unknownId, url }).send(world())],
    [create.name, 409, 'more than the maximum', full],
    [
      create.name,
      410,
      'pruned events',
      async () => creating({ accountId: await createPrunedAccount(), url, after: 0 }).send(world()),
    ],
    [
      create.name,
      422,
      'a key of another request',
      async () => {
        const { account } = await getSharedEndpoint();
        return reuseKey((body, headers) =>
          creating({ accountId: account, url, description: JSON.stringify(body) }).send(world(), { headers }),
        );
      },
    ],
    ...commonCases(create),
    ...bodyCases(create),
    [get.name, 200, 'an endpoint', () => get.send(world())],
    [
      get.name,
      304,
      'an unchanged response',
      async () => {
        const tag = (await get.send(world())).headers.get('etag') ?? '';
        return get.send(world(), { headers: { 'if-none-match': tag } });
      },
    ],
    [
      get.name,
      304,
      'a response that is unchanged since then',
      async () => {
        const since = (await get.send(world())).headers.get('last-modified') ?? '';
        return get.send(world(), { headers: { 'if-modified-since': since } });
      },
    ],
    ...get.cases,
    [update.name, 200, 'a change', () => update.send(world())],
    [
      update.name,
      400,
      'an address within a network',
      () =>
        withNewEndpoint((id) => world().sendJson('PATCH', `/endpoints/${id}`, { body: { url: 'https://localhost/' } })),
    ],
    [update.name, 412, 'another tag', () => update.send(world(), { headers: { 'if-match': '"x"' } })],
    ...update.cases,
    ...bodyCases(update),
    [remove.name, 200, 'a deleted endpoint', () => withNewEndpoint((id) => remove.at(id).send(world()))],
    ...remove.cases,
    [progress.name, 200, 'the progress', () => progress.send(world())],
    ...progress.cases,
    [ping.name, 200, 'a test', () => ping.send(world())],
    [ping.name, 429, 'another one immediately', () => ping.send(world())],
    ...ping.cases,
    [rotate.name, 200, 'a new secret', () => rotate.send(world())],
    [
      rotate.name,
      409,
      'more than the maximum',
      () =>
        withNewEndpoint(async (id) => {
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
        const { id } = await createAccountEndpoint();
        const named = { path: `/endpoints/${id}/secret/rotate` };
        return reuseKey((body, headers) =>
          operation(rotate.name, () => ({ ...named, body })).send(world(), { headers }),
        );
      },
    ],
    ...rotate.cases,
    ...bodyCases(rotate),
    [deliveries.name, 200, 'a page', () => deliveries.send(world())],
    [deliveries.name, 400, 'no cursor', () => deliveries.send(world(), { query: '?After=x' })],
    ...deliveries.cases,
    [letters.name, 200, 'a page', () => letters.send(world())],
    ...letters.cases,
    [again.name, 202, 'queued events', () => again.send(world())],
    [
      again.name,
      404,
      'no such event',
      () =>
        withNewEndpoint((id) =>
          world().sendJson('POST', `/endpoints/${id}/redeliveries`, { body: { eventId: unknownId } }),
        ),
    ],
    [
      again.name,
      410,
      'pruned events',
      async () => {
        const { endpointId } = await createEndpoint(world(), await createPrunedAccount());
        const body = { fromPosition: 1, toPosition: 1 };
        return world().sendJson('POST', `/endpoints/${endpointId}/redeliveries`, { body });
      },
    ],
    ...again.cases,
    ...bodyCases(again),
  ];
};
