/*
 * What belongs to another subscription is to whoever asks as if it had never been: each operation of Flight Info Alerts, with each of
 * its ids in turn, asked with another key. Operations and ids are taken from the document: one more is covered or fails.
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

/** All that an answer tells, but for the id that was asked for and what tells requests apart. */
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

test('an id of another subscription, also one that was deleted, is answered like one that never was, and does nothing', async () => {
  const before = await readVictimRows();
  const leaks: unknown[] = [];
  const unequal: string[] = [];
  let pairs = 0;
  for (const one of idUses.filter(([, , operation, place]) => !isShared(operation, place))) {
    const { id: name, in: where } = one[3];
    for (const extra of [
      {},
      { 'if-none-match': '*', 'if-modified-since': new Date(0).toUTCString() },
      { 'if-match': '*' },
    ]) {
      const ask = async (id: string) => {
        const asked = buildTenantRequest(one, { ids: tenants.attacker, key: world.foreignKey, id });
        for (const [header, value] of Object.entries(extra)) asked.headers.set(header, value);
        const response = await world.app(asked);
        // A filter of one's own list finds nothing; everything else is not there.
        if (response.status !== 404 && !(where === 'query' && response.status === 200))
          unequal.push(`${one[0]}: ${response.status}`);
        return readComparable(response, id);
      };
      const never = JSON.stringify(await ask(randomUUID()));
      for (const id of new Set([tenants.victim[name], tenants.deleted[name]])) {
        pairs += 1;
        const foreign = JSON.stringify(await ask(id));
        if (foreign !== never) leaks.push({ of: one[0], never, foreign });
      }
    }
  }
  const after = await readVictimRows();
  reportFault({
    fault: 24,
    part: 'ids',
    figure: { places: idUses.length, pairs, leaks: leaks.length },
    bound: 'leaks 0, nothing changed',
  });
  expect([leaks, unequal]).toEqual([[], []]);
  expect(after).toEqual(before);
});

test('who owns them is answered', async () => {
  const refused: string[] = [];
  for (const one of idUses.toSorted((a, b) => Number(a[2].method === 'delete') - Number(b[2].method === 'delete'))) {
    if (one[2].method === 'delete') continue;
    const response = await world.app(
      buildTenantRequest(one, { ids: tenants.victim, key: TEST_KEY, id: tenants.victim[one[3].id] }),
    );
    await response.body?.cancel();
    // A second endpoint, ping or rotation at once has its own limits: but it is known what is meant.
    if (response.status === 404 || response.status >= 500) refused.push(`${one[0]}: ${response.status}`);
  }
  expect(refused).toEqual([]);
});

test('a page of another subscription cannot be read on', async () => {
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
    const answered = await list(world.foreignKey, `/endpoints/${tenants.attacker.endpointId}/${log}?After=${after}`);
    statuses.push([log, after === '', answered.status, answered.text.includes('cursor-invalid')]);
  }
  const refused = statuses.filter(([, , status]) => status === 400).length;
  reportFault({
    fault: 24,
    part: 'cursors',
    figure: { asked: statuses.length, refused },
    bound: 'all refused with 400',
  });
  expect(statuses).toEqual([
    ['deliveries', false, 400, true],
    ['dead-letters', false, 400, true],
  ]);
});

test('the lists of one subscription hold nothing of another', async () => {
  const headers = { accountId: tenants.attacker.accountId };
  const found: string[] = [];
  for (const path of [
    '/alerts',
    '/endpoints',
    '/events?After=0',
    `/endpoints/${tenants.attacker.endpointId}/deliveries`,
    '/status',
  ]) {
    const text = await (await world.sendJson('GET', path, { key: world.foreignKey, headers })).text();
    for (const id of [...Object.values(tenants.victim), ...Object.values(tenants.deleted)])
      if (id !== tenants.attacker.eventId && text.includes(id)) found.push(`${path} shows ${id}`);
  }
  expect(found).toEqual([]);
});

test('the explanation of an event that another account got tells nothing of that account', async () => {
  const explained = await world.sendJson('GET', `/events/${tenants.victim.eventId}/explain`, {
    key: world.foreignKey,
    headers: { accountId: tenants.attacker.accountId },
  });
  const text = await explained.text();
  const { eventId: _, ...others } = tenants.victim;
  expect([explained.status, Object.values(others).filter((id) => text.includes(id))]).toEqual([200, []]);
});

test('an idempotency key of one subscription says nothing to another, whatever is sent with it', async () => {
  const send = async (key: string, lastName: string) => {
    const body = { ...profile, lastName };
    const response = await world.sendJson('POST', '/profile', { body, key, headers: { 'idempotency-key': 'one' } });
    return [response.status, String(toJsonObject(await response.json())['accountId'])];
  };
  const answers = [await send(TEST_KEY, 'A'), await send(world.foreignKey, 'B'), await send(TEST_KEY, 'A')];
  reportFault({
    fault: 24,
    part: 'idempotency keys',
    figure: { 'sent by two': answers.length, accounts: new Set(answers.map(([, accountId]) => accountId)).size },
    bound: 'accounts 2: each its own, and its own again',
  });
  expect(answers.map(([status]) => status)).toEqual([201, 201, 201]);
  expect([answers[0], answers[1]]).toEqual([answers[2], expect.not.arrayContaining([answers[0]?.[1]])]);
});

test('every operation that takes a body and an id has one here', () => {
  const taking = idUses.filter(
    ([, served, { operation }]) => resolveReference(served.contract.document, operation['requestBody']) !== undefined,
  );
  const missing = taking
    .map(([, , { method, path }]) => `${method} ${path}`)
    .filter((name) => !(name in requestBodies));
  expect([toList(missing), idUses.length > 20]).toEqual([[], true]);
});
