import { createRoute, z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { sendRendered } from '#http/context/body.ts';
import { createApi } from '#http/handler/create-api.ts';
import type { OtherMemberNames } from '#http/handler/misnamed-members.ts';
import { createHeaderSchema } from '#http/handler/query.ts';
import { createListRoute, serve, type zEcho } from '../tiny-service.ts';

const createRouteOf = createRoute({
  method: 'post',
  path: '/flight-instances',
  operationId: 'createFlight',
  request: {
    body: {
      required: true,
      content: {
        'application/json': { schema: z.object({ legs: z.array(z.object({ from: z.string().length(3) })) }) },
      },
    },
  },
  responses: {
    201: { description: 'Made.', content: { 'application/json': { schema: z.object({ legs: z.number() }) } } },
    204: { description: 'Nothing to do.' },
  },
});

const creating = (otherMembers: OtherMemberNames = {}) => {
  const api = createApi({ reads: 'primary', otherMembers });
  api.openapi(createRouteOf, (c) => {
    const { legs } = c.req.valid('json');
    if (legs.length === 0) return c.body(null, 204);
    return c.json({ legs: legs.length }, 201, { Location: '/flight-instances/1' });
  });
  return serve({ api });
};

const post = (body: string | ReadableStream, type = 'application/json') => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': type },
  ...(typeof body !== 'string' && { duplex: 'half' as const }),
});

test('sends rendered bytes unchanged', async () => {
  const api = createApi({ reads: 'primary' });
  const bytes = Buffer.from('{"data" : [ 1.0 ]}');
  api.openapi(createListRoute(), (c) => sendRendered<z.input<typeof zEcho>>(c, bytes));
  const response = await serve({ api }).send('/flight-instances');
  expect(await response.text()).toBe('{"data" : [ 1.0 ]}');
  const expected = ['application/json', '18'];
  expect([response.headers.get('content-type'), response.headers.get('content-length')]).toEqual(expected);
});

test('passes the validated query to the handler, with the version and without unknown parameters', async () => {
  const { send } = serve();
  const response = await send(
    '/flight-instances?carriercode=BA,,LH,BA&VERSION=V2&limit=20&x=y&__proto__=z&constructor=z',
  );
  expect(await response.json()).toMatchObject({
    query: { CarrierCode: ['BA', 'LH'], CodeType: ['IATA'], Limit: 20, version: 'v2' },
  });
});

test('resolves an alias of a version before validation', async () => {
  const { send } = serve({ today: '2024-06-01' });
  const expected = { version: 'v1', query: { version: 'v1' } };
  expect(await (await send('/flight-instances?version=1.0')).json()).toMatchObject(expected);
});

test('rejects an invalid query before the handler', async () => {
  const response = await serve().send('/flight-instances?limit=0&CarrierCode=b!&codetype=x');
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toEqual({
    type: '/docs/errors#invalid-parameter',
    title: 'Invalid parameter',
    status: 400,
    detail: "CarrierCode does not have the form /^[A-Z0-9]{2,3}$/: 'b!'. There are 2 more errors; see errors.",
    statusCode: 400,
    message: "CarrierCode does not have the form /^[A-Z0-9]{2,3}$/: 'b!'. There are 2 more errors; see errors.",
    instance: '/flight-instances',
    traceId: response.headers.get('x-request-id'),
    errors: {
      CarrierCode: ["does not have the form /^[A-Z0-9]{2,3}$/: 'b!'"],
      CodeType: ["must be one of IATA, ICAO, not 'x'"],
      Limit: ['must be at least 1, not 0'],
    },
  });
});

test('names an invalid path parameter', async () => {
  const response = await serve().send('/flight-instances/2026-02-30/abc');
  const expected = { status: 400, errors: { date: ["must be a date like 2026-01-31, not '2026-02-30'"] } };
  expect(await response.json()).toMatchObject(expected);
});

test('handles a huge query quickly', async () => {
  const { send } = serve();
  const codes = Array.from({ length: 200_000 }, () => 'BA').join(',');
  expect(await (await send(`/flight-instances?CarrierCode=${codes}`)).json()).toMatchObject({
    query: { CarrierCode: ['BA'] },
  });
  const many = Array.from({ length: 50_000 }, (_, index) => `p${index}=1`).join('&');
  expect((await send(`/flight-instances?${many}`)).status).toBe(200);
});

test('returns a problem for an operation without a handler', async () => {
  const response = await serve({ api: createApi({ reads: 'primary' }) }).send('/flight-instances');
  expect(await response.json()).toMatchObject({ status: 404, type: '/docs/errors#unknown-path' });
});

test('a body that is valid is passed to the handler, whose response has its own status and headers', async () => {
  const response = await creating().send('/flight-instances', post('{"legs":[{"from":"LHR"}]}'));
  const seen = [response.status, response.headers.get('location'), await response.json()];
  expect(seen).toEqual([201, '/flight-instances/1', { legs: 1 }]);
});

test('a request with a body can have a response without one', async () => {
  const response = await creating().send('/flight-instances', post('{"legs":[]}', 'Application/JSON; charset=utf-8'));
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([204, null, '']);
});

const cutOff = () =>
  new ReadableStream({
    pull: (controller) => controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
  });
const manyBytes = () =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) });
test.each([
  ['of another media type', () => post('legs=1', 'application/x-www-form-urlencoded'), 415, 'unsupported-media-type'],
  ['that is nested too deeply', () => post('['.repeat(500_000)), 400, 'invalid-body'],
  ['that is too large', () => post(' '.repeat(1024 * 1024 + 1)), 413, 'body-too-large'],
  [
    'that is nested deeply and well-formed',
    () => post(`${'['.repeat(400_000)}${']'.repeat(400_000)}`),
    400,
    'invalid-body',
  ],
  ['that is cut off', () => post(cutOff()), 400, 'malformed-request'],
  ['that never ends', () => post(manyBytes()), 413, 'body-too-large'],
])('a body rejects %s', async (_behaviour, init, status, kind) => {
  const response = await creating().send('/flight-instances', init());
  expect(await response.json()).toMatchObject({ status, type: `/docs/errors#${kind}` });
});

test('a body of another media type is rejected with the beginning of that type', async () => {
  const response = await creating().send('/flight-instances', post('x', `text/${'x'.repeat(100)}`));
  const detail = `Send the body as application/json, not as 'text/${'x'.repeat(59)}'.`;
  expect(await response.json()).toMatchObject({ detail });
});

test('a body with errors is rejected with the path of each error', async () => {
  const response = await creating().send('/flight-instances', post('{"legs":[{"from":"LHR"},{"from":"LOND"},{}]}'));
  expect(await response.json()).toMatchObject({
    type: '/docs/errors#invalid-body',
    detail: 'legs.1.from must have at most 3 characters, not 4. There is 1 more error; see errors.',
    errors: { 'legs.1.from': ['must have at most 3 characters, not 4'], 'legs.2.from': ['is required'] },
  });
});

test.each([
  ['[]', 'The body must be an object, not a list'],
  ['', 'A body is required. Send it as application/json'],
  ['{"legs":[],"a":{"legs":1},"legs":[{}]}', "The body has the member 'legs' twice in one object"],
  ['{"legs":[{"from":"L","fro\\u006d":"M"}]}', "The body has the member 'from' twice in one object"],
  ['{"legs":[{"from":"AB\\u0000"}]}', 'legs.0.from must not contain a NUL character (U+0000)'],
  ['{"legs":[{"from":"AB\\ud83d"}]}', 'legs.0.from must not contain an unpaired surrogate (U+D800 to U+DFFF)'],
  ['{"legs":[],"\\u0000":1}', 'The body must not have a member whose name contains a NUL character (U+0000)'],
  ['{"legs":\n  oops}', 'The body is not valid JSON. The error is in line 2, column 3'],
])('a body %j is rejected as a whole', async (text, message) => {
  expect(await (await creating().send('/flight-instances', post(text))).json()).toMatchObject({
    type: '/docs/errors#invalid-body',
    detail: `${message}.`,
    ...(text === '[]' && { errors: { '': [message] } }),
  });
});

const guardedRoute = createRoute({
  method: 'get',
  path: '/flight-instances',
  operationId: 'listFlights',
  request: {
    headers: createHeaderSchema(z.object({ 'If-Match': z.string().optional(), accountId: z.string().length(2) })),
  },
  responses: { 200: { description: 'OK.', content: { 'application/json': { schema: z.unknown() } } } },
});
const readHeaders = async (headers: Record<string, string>): Promise<unknown> => {
  const api = createApi({ reads: 'primary' });
  api.openapi(guardedRoute, (c) => c.json(c.req.valid('header'), 200));
  return (await serve({ api }).send('/flight-instances', { headers })).json();
};

test('headers of the contract are passed to the handler under their contract names, blank ones as absent', async () => {
  expect(await readHeaders({ ACCOUNTID: ' ab ', 'if-match': ' ', other: 'x' })).toEqual({ accountId: 'ab' });
});

test('headers that are invalid are rejected by name', async () => {
  expect(await readHeaders({ accountid: 'abc' })).toMatchObject({
    type: '/docs/errors#invalid-parameter',
    errors: { accountId: ['must have at most 2 characters, not 3'] },
  });
  expect(await readHeaders({ accountid: '' })).toMatchObject({ errors: { accountId: ['is required'] } });
});

test('a member of a body in another letter case or by another name is an error with the right name; others are ignored', async () => {
  const { send } = creating({ origin: 'from' });
  const legs = [
    { from: 'LHR', FROM: 'LGW', note: 'x' },
    { from: 'JFK', origin: 'EWR' },
  ];
  const response = await send('/flight-instances', post(JSON.stringify({ legs, sentAt: 1 })));
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({
      errors: {
        'legs.0.FROM': ['is not a member of this object: send from'],
        'legs.1.origin': ['is not a member of this object: send from'],
      },
    }),
  ]);
  const ignored = await send(
    '/flight-instances',
    post(JSON.stringify({ legs: [{ from: 'LHR', note: 'x' }], sentAt: 1 })),
  );
  expect([ignored.status, await ignored.json()]).toEqual([201, { legs: 1 }]);
});
