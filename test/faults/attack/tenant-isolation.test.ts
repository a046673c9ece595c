/*
 * Resources of another subscription look as if they had never existed: each operation of Flight Info Alerts, with each of its IDs,
 * requested with another key. Operations and IDs come from the document: a new one is covered or fails the test.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { reportFault } from '../support/report-fault.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { buildTenantRequest, foreignIdUses, idUses, serveTenants } from './tenants.ts';

const tenants = await serveTenants();
const { world } = tenants;
afterAll(world.drop);

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
  for (const one of foreignIdUses) {
    const { id: name, in: where } = one[3];
    for (const condition of conditions) {
      const send = async (id: string) => {
        const request = buildTenantRequest(one, { ids: tenants.attacker, key: world.foreignKey, id });
        for (const [header, value] of Object.entries(condition)) request.headers.set(header, value);
        const response = await world.app.fetch(request);
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
  expect([leaks, unequal, idUses.length > 20]).toEqual([[], [], true]);
  expect(after).toEqual(before);
});

test('serves the owner', async () => {
  const rejected: string[] = [];
  for (const one of idUses.filter(([, , { method }]) => method !== 'delete')) {
    const id = tenants.victim[one[3].id];
    const response = await world.app.fetch(buildTenantRequest(one, { ids: tenants.victim, key: TEST_KEY, id }));
    await response.body?.cancel();
    // Limits may reject a second endpoint, ping or rotation, but the ID is found.
    if (response.status === 404 || response.status >= 500) rejected.push(`${one[0]}: ${response.status}`);
  }
  expect(rejected).toEqual([]);
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
