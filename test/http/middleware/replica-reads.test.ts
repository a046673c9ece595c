import { expect, test } from 'vitest';
import { withReplicas } from '../../../src/http/cache/replica-routing.ts';
import type { RequestContext } from '../../../src/http/request/request-context.ts';
import { jsonResponse, toFetchResponse } from '../../../src/http/response/http-response.ts';
import { Problem } from '../../../src/http/response/problem.ts';

const context = { path: '/list' } as RequestContext;

/** Sends requests to replicas that behave as named; returns the names of those that responded, and of those that failed. */
const sendRequests = async (replicas: readonly string[], methods: readonly string[], isRead = true) => {
  const failures: string[] = [];
  const handlers = replicas.map((name) => ({
    handle: async () => {
      if (name === 'broken') throw new Error(name);
      if (name === 'empty') throw new Problem('not-found', name);
      return jsonResponse(200, name);
    },
    isUpToDate: async () => name !== 'late',
    reportFailure: (error: unknown) => void failures.push(String(error)),
  }));
  const handle = withReplicas(handlers, () => isRead)(() => jsonResponse(200, 'primary'));
  const served: string[] = [];
  for (const method of methods) {
    const send = async () => toFetchResponse(await handle(new Request('http://x/list', { method }), context)).json();
    served.push(String(await send().catch(String)));
  }
  return { served, failures };
};

test.each([
  ['reads go to the replicas in turn', ['one', 'two'], ['GET', 'HEAD', 'GET'], true, ['one', 'two', 'one']],
  ['changes go to the primary', ['one'], ['POST', 'PATCH'], true, ['primary', 'primary']],
  ['other operations go to the primary', ['one'], ['GET'], false, ['primary']],
  ['a replica that has not caught up is skipped', ['late', 'two'], ['GET', 'GET'], true, ['primary', 'two']],
  ['the problem of a replica is the response', ['empty'], ['GET'], true, ['Problem: empty']],
  ['without replicas the primary responds', [], ['GET'], true, ['primary']],
])('%s', async (_, replicas, methods, isRead, served) => {
  expect(await sendRequests(replicas, methods, isRead)).toEqual({ served, failures: [] });
});

test('the primary handles and reports a request that fails on a replica', async () => {
  expect(await sendRequests(['broken'], ['GET'])).toEqual({ served: ['primary'], failures: ['Error: broken'] });
});
