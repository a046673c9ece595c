/*
 * Resources of another subscription look as if they had never existed: each operation of Flight Info Alerts, with each of its IDs,
 * requested with another key. Operations and IDs come from the document: a new one is covered or fails the test.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveReference, toJsonObject, toList, type JsonObject } from '../../../src/lib/openapi-document.ts';
import { profile, type AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { reportFault } from '../support/report-fault.ts';
import { TEST_KEY } from '../../support/tiny-world.ts';
import {
  buildTenantRequest,
  idUses,
  isShared,
  requestBodies,
  serveTenants,
  type TenantIds,
  type Tenants,
} from './tenants.ts';

let tenants: Tenants;
let world: AlertsService;
beforeAll(async () => {
  tenants = await serveTenants();
  world = tenants.world;
});
afterAll(() => world.drop());

/** Returns the response without the requested ID and what differs between any two requests. */
const readComparable = async (response: Response, id: string): Promise<unknown> => {
  const own = new Set(['x-request-id', 'content-length', 'date', 'ratelimit']);
  const headers = [...response.headers].filter(([name]) => !own.has(name));
  const text = (await response.text()).replaceAll(id, '<id>').replace(/"traceId":"[^"]*"/, '');
  return { status: response.status, headers, text };
};

const readVictimRows = (): Promise<unknown> => {
  const { accountId, endpointId } = tenants.victim;
  const { db } = world;
  const read = (table: string, column: string, id: string) =>
    db`select * from ${db(table)} as r where ${db(column)} = ${id} order by r::text`;
  const ofEndpoint = ['push_key', 'push_progress', 'push_dead_letter', 'push_attempt', 'push_retry'];
  return Promise.all([
    read('alert_account', 'id', accountId),
    read('alert', 'account_id', accountId),
    read('push_endpoint', 'account_id', accountId),
    ...ofEndpoint.map((table) => read(table, 'endpoint_id', endpointId)),
  ]);
};

const conditions: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'if-none-match': '*', 'if-modified-since': new Date(0).toUTCString() },
  { 'if-match': '*' },
];

test('treats an ID of another subscription, even a deleted one, like an unknown ID and changes nothing', async () => {
  const before = await readVictimRows();
  const leaks: unknown[] = [];
  const unequal: string[] = [];
  let pairs = 0;
  for (const one of idUses.filter(([, , operation, use]) => !isShared(operation, use))) {
    const { id: name, in: where } = one[3];
    for (const condition of conditions) {
      const send = async (id: string) => {
        const request = buildTenantRequest(one, { ids: tenants.attacker, key: world.foreignKey, id });
        for (const [header, value] of Object.entries(condition)) request.headers.set(header, value);
        const response = await world.app(request);
        // A filter of the caller's own list matches nothing; everything else is 404.
        if (response.status !== 404 && !(where === 'query' && response.status === 200))
          unequal.push(`${one[0]}: ${response.status}`);
        return readComparable(response, id);
      };
      const unknownResult = JSON.stringify(await send(randomUUID()));
      for (const id of new Set([tenants.victim[name], tenants.deleted[name]])) {
        pairs += 1;
        const foreignResult = JSON.stringify(await send(id));
        if (foreignResult !== unknownResult) leaks.push({ of: one[0], unknown: unknownResult, foreign: foreignResult });
      }
    }
  }
  const after = await readVictimRows();
  reportFault(24, { uses: idUses.length, pairs, leaks: leaks.length }, 'ids');
  expect([leaks, unequal]).toEqual([[], []]);
  expect(after).toEqual(before);
});

test('serves the owner', async () => {
  const rejected: string[] = [];
  for (const one of idUses.filter(([, , { method }]) => method !== 'delete')) {
    const id = tenants.victim[one[3].id];
    const response = await world.app(buildTenantRequest(one, { ids: tenants.victim, key: TEST_KEY, id }));
    await response.body?.cancel();
    // Limits may reject a second endpoint, ping or rotation, but the ID is found.
    if (response.status === 404 || response.status >= 500) rejected.push(`${one[0]}: ${response.status}`);
  }
  expect(rejected).toEqual([]);
});

test.each(['deliveries', 'dead-letters'])('rejects a page cursor of the %s of another subscription', async (log) => {
  const list = async (key: string, { endpointId }: TenantIds, query: string): Promise<JsonObject> => {
    const response = await world.sendJson('GET', `/endpoints/${endpointId}/${log}?${query}`, { key });
    return { status: response.status, ...toJsonObject(await response.json()) };
  };
  const { paging } = await list(TEST_KEY, tenants.victim, 'Limit=1');
  const after = new URL(String(toJsonObject(paging)['next'])).searchParams.get('After');
  expect(await list(TEST_KEY, tenants.victim, `After=${after}`)).toMatchObject({ status: 200 });
  expect(await list(world.foreignKey, tenants.attacker, `After=${after}`)).toMatchObject({
    status: 400,
    type: '/docs/errors#cursor-invalid',
  });
});

test('lists and explains nothing of another subscription', async () => {
  const headers = { accountId: tenants.attacker.accountId };
  const { eventId, ...others } = tenants.victim;
  const leaked: string[] = [];
  for (const path of [
    '/alerts',
    '/endpoints',
    '/events?After=0',
    `/endpoints/${tenants.attacker.endpointId}/deliveries`,
    '/status',
    `/events/${eventId}/explain`,
  ]) {
    const response = await world.sendJson('GET', path, { key: world.foreignKey, headers });
    const text = await response.text();
    for (const id of [...Object.values(others), ...Object.values(tenants.deleted)])
      if (id !== eventId && text.includes(id)) leaked.push(`${path} shows ${id}`);
    if (response.status !== 200 || (!path.includes(eventId) && text.includes(eventId)))
      leaked.push(`${path}: ${response.status} ${text}`);
  }
  expect(leaked).toEqual([]);
});

test('keeps idempotency keys of subscriptions apart', async () => {
  const send = async (key: string, lastName: string) => {
    const body = { ...profile, lastName };
    const response = await world.sendJson('POST', '/profile', { body, key, headers: { 'idempotency-key': 'one' } });
    return `${response.status} ${String(toJsonObject(await response.json())['accountId'])}`;
  };
  const results = [await send(TEST_KEY, 'A'), await send(world.foreignKey, 'B'), await send(TEST_KEY, 'A')];
  expect(results).toEqual(results.map(() => expect.stringMatching(/^201 /)));
  expect([results[0] === results[2], results[0] === results[1]]).toEqual([true, false]);
});

test('has a body for every operation that takes a body and an ID', () => {
  const withBody = idUses.filter(
    ([, served, { operation }]) => resolveReference(served.contract.document, operation['requestBody']) !== undefined,
  );
  const missing = withBody
    .map(([, , { method, path }]) => `${method} ${path}`)
    .filter((name) => !(name in requestBodies));
  expect([toList(missing), idUses.length > 20]).toEqual([[], true]);
});
