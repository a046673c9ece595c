/*
 * Resources of another subscription look as if they had never existed: each operation of Flight Info Alerts, with each of its IDs,
 * requested with another key. Operations and IDs come from the document: a new one is covered or fails the test.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveReference, toList, toJsonObject } from '../../../src/lib/openapi-document.ts';
import { profile, type AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { reportFault } from '../support/report-fault.ts';
import { TEST_KEY } from '../../support/tiny-world.ts';
import { idUses, requestBodies, isShared, buildTenantRequest, serveTenants, type Tenants } from './tenants.ts';

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

const readVictimRows = async (): Promise<unknown> => [
  await world.db`select * from alert_account where id = ${tenants.victim.accountId}`,
  await world.db`select * from alert where account_id = ${tenants.victim.accountId} order by number`,
  await world.db`select * from push_endpoint where account_id = ${tenants.victim.accountId} order by number`,
  await world.db`select * from push_key where endpoint_id = ${tenants.victim.endpointId}`,
  await world.db`select * from push_progress where endpoint_id = ${tenants.victim.endpointId}`,
  await world.db`select * from push_dead_letter where endpoint_id = ${tenants.victim.endpointId} order by number`,
  await world.db`select * from push_attempt where endpoint_id = ${tenants.victim.endpointId} order by id`,
  await world.db`select * from push_retry where endpoint_id = ${tenants.victim.endpointId}`,
];

test('treats an ID of another subscription, even a deleted one, like an unknown ID and changes nothing', async () => {
  const before = await readVictimRows();
  const leaks: unknown[] = [];
  const unequal: string[] = [];
  let pairs = 0;
  for (const one of idUses.filter(([, , operation, use]) => !isShared(operation, use))) {
    const { id: name, in: where } = one[3];
    for (const conditionHeaders of [
      {},
      { 'if-none-match': '*', 'if-modified-since': new Date(0).toUTCString() },
      { 'if-match': '*' },
    ]) {
      const send = async (id: string) => {
        const request = buildTenantRequest(one, { ids: tenants.attacker, key: world.foreignKey, id });
        for (const [header, value] of Object.entries(conditionHeaders)) request.headers.set(header, value);
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
  for (const one of idUses.toSorted((a, b) => Number(a[2].method === 'delete') - Number(b[2].method === 'delete'))) {
    if (one[2].method === 'delete') continue;
    const response = await world.app(
      buildTenantRequest(one, { ids: tenants.victim, key: TEST_KEY, id: tenants.victim[one[3].id] }),
    );
    await response.body?.cancel();
    // Limits may reject a second endpoint, ping or rotation, but the ID is found.
    if (response.status === 404 || response.status >= 500) rejected.push(`${one[0]}: ${response.status}`);
  }
  expect(rejected).toEqual([]);
});

test('rejects a page cursor of another subscription', async () => {
  const list = async (key: string, path: string) => {
    const response = await world.sendJson('GET', path, { key });
    const text = await response.text();
    return { status: response.status, text };
  };
  const statuses: (readonly unknown[])[] = [];
  for (const log of ['deliveries', 'dead-letters']) {
    const { text } = await list(TEST_KEY, `/endpoints/${tenants.victim.endpointId}/${log}?Limit=1`);
    const next = String(toJsonObject(toJsonObject(JSON.parse(text))['paging'])['next']);
    const after = new URL(next).searchParams.get('After') ?? '';
    const result = await list(world.foreignKey, `/endpoints/${tenants.attacker.endpointId}/${log}?After=${after}`);
    statuses.push([log, after === '', result.status, result.text.includes('cursor-invalid')]);
  }
  const rejected = statuses.filter(([, , status]) => status === 400).length;
  reportFault(24, { requests: statuses.length, rejected }, 'cursors');
  expect(statuses).toEqual([
    ['deliveries', false, 400, true],
    ['dead-letters', false, 400, true],
  ]);
});

test('lists only resources of the own subscription', async () => {
  const headers = { accountId: tenants.attacker.accountId };
  const leaked: string[] = [];
  for (const path of [
    '/alerts',
    '/endpoints',
    '/events?After=0',
    `/endpoints/${tenants.attacker.endpointId}/deliveries`,
    '/status',
  ]) {
    const text = await (await world.sendJson('GET', path, { key: world.foreignKey, headers })).text();
    for (const id of [...Object.values(tenants.victim), ...Object.values(tenants.deleted)])
      if (id !== tenants.attacker.eventId && text.includes(id)) leaked.push(`${path} shows ${id}`);
  }
  expect(leaked).toEqual([]);
});

test('explains an event of another account without data of that account', async () => {
  const explanation = await world.sendJson('GET', `/events/${tenants.victim.eventId}/explain`, {
    key: world.foreignKey,
    headers: { accountId: tenants.attacker.accountId },
  });
  const text = await explanation.text();
  const { eventId: _, ...others } = tenants.victim;
  expect([explanation.status, Object.values(others).filter((id) => text.includes(id))]).toEqual([200, []]);
});

test('keeps idempotency keys of subscriptions apart', async () => {
  const send = async (key: string, lastName: string) => {
    const body = { ...profile, lastName };
    const response = await world.sendJson('POST', '/profile', { body, key, headers: { 'idempotency-key': 'one' } });
    return [response.status, String(toJsonObject(await response.json())['accountId'])];
  };
  const results = [await send(TEST_KEY, 'A'), await send(world.foreignKey, 'B'), await send(TEST_KEY, 'A')];
  reportFault(
    24,
    { requests: results.length, accounts: new Set(results.map(([, accountId]) => accountId)).size },
    'idempotency keys',
  );
  expect(results.map(([status]) => status)).toEqual([201, 201, 201]);
  expect([results[0], results[1]]).toEqual([results[2], expect.not.arrayContaining([results[0]?.[1]])]);
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
