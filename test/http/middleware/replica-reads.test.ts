import { afterAll, expect, test } from 'vitest';
import { readFromReplica } from '#http/middleware/replica-reads.ts';
import { Problem } from '#http/response/problem.ts';
import type { Sql } from '#store/pool/database.ts';
import { openDatabase } from '#store/pool/database.ts';
import { createApiOf, serve } from '../tiny-service.ts';

const opened: { readonly end: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const sql of opened) await sql.end();
});

const NAMES = ['primary', 'one', 'two', 'late', 'broken', 'empty'];
/** Handles of databases that are never connected to, by name. */
const databases = new Map<string, Sql>();
for (const name of NAMES) {
  const sql = openDatabase({ url: 'postgres://nowhere.invalid/x', applicationName: name, max: 1 });
  opened.push(sql);
  databases.set(name, sql);
}
const databaseOf = (name: string): Sql => {
  const sql = databases.get(name);
  if (!sql) throw new Error(`no database ${name}`);
  return sql;
};
const nameOf = (sql: Sql): string => NAMES.find((name) => databases.get(name) === sql) ?? 'unknown';

/** Sends requests to replicas that behave as named; returns the names of those that responded, and of those that failed. */
const sendRequests = async (replicas: readonly string[], methods: readonly string[], path = '/flight-instances') => {
  const failures: string[] = [];
  const served: string[] = [];
  const api = createApiOf(async (c) => {
    const name = await readFromReplica(c, databaseOf('primary'), async (sql) => {
      if (nameOf(sql) === 'broken') throw new Error('broken');
      if (nameOf(sql) === 'empty') throw new Problem('not-found', 'empty');
      return nameOf(sql);
    });
    served.push(name);
    return c.json({}, 200);
  });
  api.post('/flight-instances', async (c) => {
    served.push(await readFromReplica(c, databaseOf('primary'), async (sql) => nameOf(sql)));
    return c.json({}, 200);
  });
  const { send } = serve({
    api,
    replicas: replicas.map((name) => ({
      sql: databaseOf(name),
      isUpToDate: async () => name !== 'late',
      reportFailure: (error) => void failures.push(String(error)),
    })),
  });
  const statuses: number[] = [];
  const json = { 'Content-Type': 'application/json' };
  for (const method of methods) {
    const init = method === 'POST' ? { method, body: '{}', headers: json } : { method };
    statuses.push((await send(path, init)).status);
  }
  return { served, failures, statuses: [...new Set(statuses)] };
};

test.each([
  ['reads go to the replicas in turn', ['one', 'two'], ['GET', 'HEAD', 'GET'], ['one', 'two', 'one']],
  ['changes go to the primary', ['one'], ['POST', 'POST'], ['primary', 'primary']],
  ['a replica that has not caught up is skipped', ['late', 'two'], ['GET', 'GET'], ['primary', 'two']],
  ['without replicas the primary responds', [], ['GET'], ['primary']],
])('%s', async (_, replicas, methods, served) => {
  expect(await sendRequests(replicas, methods)).toEqual({ served, failures: [], statuses: [200] });
});

test('public operations go to the primary', async () => {
  const expected = { served: ['primary'], failures: [], statuses: [200] };
  expect(await sendRequests(['one'], ['GET'], '/flights/health')).toEqual(expected);
});

test('the problem of a replica is the response', async () => {
  expect(await sendRequests(['empty'], ['GET'])).toEqual({ served: [], failures: [], statuses: [404] });
});

test('the primary handles and reports a request that fails on a replica', async () => {
  const expected = { served: ['primary'], failures: ['Error: broken'], statuses: [200] };
  expect(await sendRequests(['broken'], ['GET'])).toEqual(expected);
});
