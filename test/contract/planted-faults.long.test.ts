/** Plants faults in responses of the real service and in how it treats requests: the checks must report each of them. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBoundaryRequests } from './random/bounds.ts';
import { findValidRequest } from './random/find-valid-request.ts';
import { createInvalidRequests } from './random/invalid-requests.ts';
import { listParameters } from './random/parameter-values.ts';
import { toInit, type TestRequest } from './random/valid-requests.ts';
import { checkDateRanges, checkDefaultLimit, checkEntityTags, checkFilters } from './documents/every-list.ts';
import { checkWalks, filtersOf, lists } from './documents/every-list.ts';
import {
  backwardFaults,
  entityTagFaults,
  lifecycleFaults,
  linkWithout,
  pageFaults,
  walkFaults,
} from './planted/list-faults.ts';
import { withoutParameter } from './planted/list-faults.ts';
import { bodyFaults, createRejected, locationFaults, problemFaults } from './planted/operation-faults.ts';
import { renameParameter, responseFaults, successOf } from './planted/operation-faults.ts';
import { withFault, withHeaders, withPaging, type Planted, type ResponseFault } from './planted/response-faults.ts';
import { FaultTally } from './planted/tally.ts';
import { checkResponse, type SendRequest } from './responses/check-response.ts';
import { toQuery, withFilters } from './services/list-filters.ts';
import { serveKnownData } from './services/known-service.ts';
import { hasPreviousPages, servedOperations } from './services/served-documents.ts';

const tally = new FaultTally();

const world = await serveKnownData();
afterAll(world.drop);

/** Plants faults one after the other; returns the messages about those that are not detected. */
const listMissed = async (faults: readonly Planted[], judge: (fault: ResponseFault) => Promise<readonly string[]>) => {
  const missed: string[] = [];
  for (const [name, fault, message] of faults) {
    const verdict = tally.check(await judge(fault).catch((error: unknown) => [String(error)]), message);
    if (verdict !== 'caught') missed.push(`${name}: ${verdict}`);
  }
  return missed;
};

/** Headers without invalid values; a service that supports them returns these statuses. */
const conditions = [
  ['If-None-Match', ({ headers }: Response) => headers.get('etag') ?? '', 304],
  ['If-Modified-Since', ({ headers }: Response) => headers.get('last-modified') ?? '', 304],
  ['If-Match', () => '"x"', 412],
] as const;

describe.each(servedOperations)('%s', (_, served, operation) => {
  const at = { served, operation };
  const send: SendRequest = (path, init) => world.on(served)(path, init);
  const { headers, schema } = successOf(served, operation);
  let request: TestRequest;
  beforeAll(async () => {
    request = await findValidRequest(world, served, operation);
  });
  const repeat = (from: SendRequest, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
    from(request.path, toInit({ ...request, headers: { ...request.headers, ...more } }));
  const judge = (one: TestRequest) => (fault: ResponseFault) => checkResponse(withFault(send, fault), at, one);

  test('detects faults of a response', async () => {
    const response = await repeat(send);
    const faults: readonly Planted[] = [
      ...headers.map((name): Planted => [name, withHeaders({ [name]: null }), new RegExp(`missing header ${name}`)]),
      ...responseFaults,
      ...lifecycleFaults(response.headers.has('deprecation')),
      ...bodyFaults(served.contract.document, schema, await response.clone().json()),
      ...(response.status === 201 ? locationFaults : []),
    ];
    expect(await listMissed(faults, judge(request))).toEqual([]);
    expect(headers).toEqual(expect.arrayContaining(['API-Version', 'X-Request-Id']));
  });

  test('detects a service that accepts what it must reject', async () => {
    const acceptsAll: ResponseFault = () => repeat(send);
    const beyond = createBoundaryRequests(served, operation, request).filter(({ expected }) => expected.status === 400);
    const missed: string[] = [];
    for (const one of [...createRejected(served, operation, request), ...beyond]) {
      expect(await checkResponse(send, at, one)).toEqual([]);
      missed.push(...(await listMissed([[one.path, acceptsAll, /gets 20\d, not 4|a 405/]], judge(one))));
    }
    expect(missed).toEqual([]);
    const [first] = beyond;
    expect(first ? await listMissed(problemFaults, judge(first)) : []).toEqual([]);
  });

  test('detects another parameter name', async () => {
    const known = await world.findKnownData(served, operation);
    const samples = fc.sample(createInvalidRequests(served, operation, known), { seed: 20_260_601, numRuns: 600 });
    const invalid = Map.groupBy(samples, ({ expected }) => (expected.status === 400 ? expected.parameter : undefined));
    const isDistinguished = async (name: string): Promise<boolean> => {
      for (const one of [request, ...(invalid.get(name) ?? [])].slice(0, 20))
        if ((await checkResponse(renameParameter(send, name), at, one)).length > 0) return true;
      return false;
    };
    const missed: string[] = [];
    for (const { name, in: location } of listParameters(served.contract, operation)) {
      if (location === 'path' || conditions.some(([condition]) => condition === name)) continue;
      const verdict = tally.check((await isDistinguished(name)) ? 'reported' : '', /reported/);
      if (verdict !== 'caught') missed.push(name);
    }
    for (const [name, valueIn, status] of conditions) {
      if (!operation.parameters.some((one) => one['name'] === name)) continue;
      const condition = { [name.toLowerCase()]: valueIn(await repeat(send)) };
      expect((await repeat(send, condition)).status).toBe(status);
      const renamed = await repeat(renameParameter(send, name), condition);
      if (tally.check(renamed.status === status ? '' : 'reported', /reported/) !== 'caught') missed.push(name);
    }
    expect(missed).toEqual([]);
  });
});

describe.each(lists)('the list %s', (_, served, operation) => {
  const at = { served, operation };
  const send: SendRequest = (path, init) => world.on(served)(path, init);
  let path = '';
  let page: TestRequest;
  beforeAll(async () => {
    path = await world.wholeList(served, operation);
    const valid = await findValidRequest(world, served, operation);
    const headers = { 'subscription-key': valid.headers['subscription-key'] ?? '' };
    const listPath = withFilters(path, 'Limit=2');
    const query = Object.entries(toQuery(listPath.split('?')[1] ?? ''));
    const values = Object.fromEntries(query.map(([name, value]) => [name, [value]]));
    page = { ...valid, path: listPath, headers, values, expected: { status: 200 } };
  });

  test('detects faults of a page', async () => {
    expect(await checkResponse(send, at, page)).toEqual([]);
    expect(await listMissed(pageFaults, (fault) => checkResponse(withFault(send, fault), at, page))).toEqual([]);
  });

  test('detects a HEAD response that differs from GET', async () => {
    const head = { ...page, method: 'HEAD' };
    expect(await checkResponse(send, at, head)).toEqual([]);
    const sendHeadBody: SendRequest = async (to, init) => (init.method === 'HEAD' ? new Response('x') : send(to, init));
    const errors = await checkResponse(sendHeadBody, at, head);
    expect(errors).toEqual(['HEAD has other headers than GET', 'HEAD has a body']);
  });

  test('detects faults of entity tags', async () => {
    const { headers } = await send(path, { method: 'GET', headers: page.headers });
    const faults = headers.has('etag') ? entityTagFaults : [];
    expect(await listMissed(faults, (fault) => checkEntityTags(withFault(send, fault), path))).toEqual([]);
  });

  test('detects faults of the whole list, the default limit and date ranges', async () => {
    const faults = [...walkFaults, ...(hasPreviousPages(served, operation) ? backwardFaults : [])];
    expect(await listMissed(faults, (fault) => checkWalks(withFault(send, fault), at, path))).toEqual([]);
    const otherDefault = withPaging((one) => ({ ...one, limit: Number(one['limit']) + 1 }));
    const limitFault: Planted = ['another default limit', otherDefault, /not 10/];
    expect(await listMissed([limitFault], (fault) => checkDefaultLimit(withFault(send, fault), at, path))).toEqual([]);
    // Accepts what it must reject.
    const first = withFilters(path, 'Limit=1');
    const accepts: SendRequest = async (to, init) => {
      const response = await send(to, init);
      return response.status === 400 ? send(first, init) : response;
    };
    const errors = await checkDateRanges(accepts, { ...at, path });
    const hasRange = (await checkDateRanges(() => Promise.resolve(Response.json({})), { ...at, path })).length > 0;
    expect(hasRange ? tally.check(errors, /200 \[\], not 400/) : 'caught').toBe('caught');
  });

  test('detects lost filters', async () => {
    const missed: string[] = [];
    const done = new Set<string>();
    for (const filter of filtersOf(at)) {
      const name = Object.keys(toQuery(filter[0])).at(-1) ?? '';
      const { records } = await checkFilters(send, { ...at, path }, [filter]);
      if (done.has(name) || records.length < 2) continue;
      done.add(name);
      const judge = (fault: ResponseFault) => checkFilters(withFault(send, fault), { ...at, path }, [filter]);
      missed.push(...(await listMissed([linkWithout(name)], async (fault) => (await judge(fault)).errors)));
      if (/^(Content|AsOf|CodeType|FlightType|Codeshare)$/.test(name)) continue;
      const ignores = withoutParameter(send, [name]);
      const checkIgnoring = async () => (await checkFilters(ignores, { ...at, path }, [filter])).errors;
      const ignored: Planted = [`ignored ${name}`, (one) => one, /^not |does not repeat|: 400/m];
      missed.push(...(await listMissed([ignored], checkIgnoring)));
    }
    expect(missed).toEqual([]);
  });
});

tally.testCounts('responses', 1228);
