import { afterAll, expect, test } from 'vitest';
import { readFromReplica } from '#http/middleware/replica-reads.ts';
import { Problem } from '#http/response/problem.ts';
import { openDatabase, type Database, type Sql } from '#store/pool/database.ts';
import { createApiOf, serve } from '../tiny-service.ts';

const opened: { readonly end: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const sql of opened) await sql.end();
});

const NAMES = ['primary', 'lost', 'one', 'two', 'late', 'broken', 'empty', 'paused'];
/** Handles of databases that are never connected to, by name. */
const databases = new Map<string, Database>();
for (const name of NAMES) {
  const sql = openDatabase({ url: 'postgres://nowhere.invalid/x', applicationName: name, max: 1 });
  opened.push(sql);
  databases.set(name, sql);
}
const databaseOf = (name: string): Database => {
  const sql = databases.get(name);
  if (!sql) throw new Error(`no database ${name}`);
  return sql;
};
const nameOf = (sql: Sql): string => NAMES.find((name) => databases.get(name) === sql) ?? 'unknown';

type Outage = {
  /** Whether the last check of the primary has failed. */
  readonly isAway?: boolean;
  /** The replicas that take the place of the primary, in turn. */
  readonly stale?: readonly string[];
  readonly maxStalenessMs?: number;
};

/** Data of stale replicas are as of this instant, a second and a half before the requests. */
const AS_OF = new Date('2026-04-01T11:59:58.500Z');

/**
 * Sends requests to replicas that behave as named; returns the names of those that responded, and of those that failed. With an outage, the
 * primary is lost.
 */
const sendRequests = async (
  replicas: readonly string[],
  methods: readonly string[],
  { path = '/flight-instances', outage }: { readonly path?: string; readonly outage?: Outage } = {},
) => {
  const failures: string[] = [];
  const primary = databaseOf(outage ? 'lost' : 'primary');
  const stale = [...(outage?.stale ?? [])];
  const served: string[] = [];
  const api = createApiOf(async (c) => {
    const name = await readFromReplica(c, primary, async (sql) => {
      if (nameOf(sql) === 'broken') throw new Error('broken');
      if (nameOf(sql) === 'lost') throw new Error('lost');
      if (nameOf(sql) === 'empty') throw new Problem('not-found', 'empty');
      return nameOf(sql);
    });
    served.push(name);
    return c.json({}, 200);
  });
  api.post('/flight-instances', async (c) => {
    served.push(await readFromReplica(c, primary, async (sql) => nameOf(sql)));
    return c.json({}, 200);
  });
  const { send } = serve({
    api,
    isUnavailable: () => true,
    staleness: { maxStalenessMs: outage?.maxStalenessMs ?? 0 },
    primary: outage && {
      isAway: () => outage.isAway === true,
      findReplica: async () => {
        const name = stale.shift();
        return name === undefined
          ? undefined
          : { sql: databaseOf(name), asOf: AS_OF, reportFailure: (error) => void failures.push(String(error)) };
      },
    },
    replicas: replicas.map((name) => ({
      sql: databaseOf(name),
      isPaused: () => name === 'paused',
      isUpToDate: async () => name !== 'late',
      reportFailure: (error) => void failures.push(String(error)),
    })),
  });
  const statuses: number[] = [];
  const headers: string[] = [];
  const json = { 'Content-Type': 'application/json' };
  for (const method of methods) {
    const init = method === 'POST' ? { method, body: '{}', headers: json } : { method };
    const response = await send(path, init);
    statuses.push(response.status);
    headers.push(['age', 'data-as-of', 'cache-control'].map((name) => response.headers.get(name)).join(' '));
  }
  return { served, failures, statuses: [...new Set(statuses)], ...(outage && { headers: [...new Set(headers)] }) };
};

test.each([
  ['reads go to the replicas in turn', ['one', 'two'], ['GET', 'HEAD', 'GET'], ['one', 'two', 'one']],
  ['changes go to the primary', ['one'], ['POST', 'POST'], ['primary', 'primary']],
  ['a replica that has not caught up is skipped', ['late', 'two'], ['GET', 'GET'], ['primary', 'two']],
  ['a replica that is paused leaves its turn to the next', ['paused', 'two'], ['GET', 'GET'], ['two', 'two']],
  ['without replicas the primary responds', [], ['GET'], ['primary']],
])('%s', async (_, replicas, methods, served) => {
  expect(await sendRequests(replicas, methods)).toEqual({ served, failures: [], statuses: [200] });
});

test('public operations go to the primary', async () => {
  const expected = { served: ['primary'], failures: [], statuses: [200] };
  expect(await sendRequests(['one'], ['GET'], { path: '/flights/health' })).toEqual(expected);
});

test('the problem of a replica is the response', async () => {
  expect(await sendRequests(['empty'], ['GET'])).toEqual({ served: [], failures: [], statuses: [404] });
});

test('the primary handles and reports a request that fails on a replica', async () => {
  const expected = { served: ['primary'], failures: ['Error: broken'], statuses: [200] };
  expect(await sendRequests(['broken'], ['GET'])).toEqual(expected);
});

const staleHeaders = ['2 2026-04-01T11:59:58.500Z no-store'];

test.each([
  ['a read that fails on the primary goes to a replica that may be behind', { stale: ['one'] }, ['one'], []],
  ['a replica that fails then leaves the read to the next', { stale: ['broken', 'two'] }, ['two'], ['Error: broken']],
  ['while the primary is away, no read waits for it', { isAway: true, stale: ['two'] }, ['two'], []],
])('%s', async (_, outage, served, failures) => {
  expect(await sendRequests(['late'], ['GET'], { outage: { ...outage, maxStalenessMs: 2000 } })).toEqual({
    served,
    failures,
    statuses: [200],
    headers: staleHeaders,
  });
});

test('a 404 from a replica has the instant, too', async () => {
  const outage = { isAway: true, stale: ['empty'], maxStalenessMs: 2000 };
  const expected = { served: [], failures: [], statuses: [404], headers: staleHeaders };
  expect(await sendRequests(['late'], ['GET'], { outage })).toEqual(expected);
});

test.each([
  ['there is no replica', 'GET', { isAway: true, maxStalenessMs: 2000 }],
  ['the replica is too far behind', 'GET', { isAway: true, stale: ['one'], maxStalenessMs: 1000 }],
])('without the primary, a request is rejected when %s', async (_, method, outage) => {
  const expected = { served: [], failures: [], statuses: [503], headers: ['  no-store'] };
  expect(await sendRequests(['late'], [method], { outage })).toEqual(expected);
});
