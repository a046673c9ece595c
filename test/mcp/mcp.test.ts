/** The Model Context Protocol with its own client, over HTTP and over standard input and output. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import { readDocuments } from '#cli/shared/published-files.ts';
import { root } from '#contract/run-tool.ts';
import { openHttpServer } from '#http/server/server.ts';
import { toJsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { type ServedDocument, servedOperations } from '../contract/services/served-documents.ts';
import { toExampleCall } from '../mock/example-calls.ts';
import { createEnvironment } from '../cli/run-command.ts';
import { sharedService } from '../support/shared-service.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '../support/tiny-world.ts';

const guide = {
  path: '/docs/how-to/pagination.md',
  bytes: Buffer.from('# Pagination\n\nRequest `next`.\n'),
  mediaType: 'text/markdown',
};
const published = [...readDocuments(), guide];
const world = sharedService(() => serveTinyWorld({ mcp: 'read', published }));
const writing = sharedService(() => serveTinyWorld({ mcp: 'write', published }));

/** Connects a client over HTTP; `mode` selects the revision of the protocol. */
const connect = async (
  { app }: Pick<TinyService, 'app'>,
  headers: Readonly<Record<string, string>> = { 'Subscription-Key': TEST_KEY },
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Client> => {
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('http://service.test/mcp'), {
    fetch: async (url, init) => app.fetch(new Request(url, init)),
    requestInit: { headers },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
};

/** Calls a tool and returns its text, and whether it is an error. */
const call = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return { text: first?.type === 'text' ? first.text : '', isError };
};

const parse = (text: string) => toJsonObject(JSON.parse(text));

/** The operations of the contract with a key and a method, in the versions that readers use. */
const listOperationIds = (isIncluded: (method: string) => boolean): readonly string[] =>
  catalog
    .filter(({ isIngest }) => isIngest !== true)
    .flatMap(({ versions }) => versions.at(-1)?.operations ?? [])
    .filter(({ isPublic, method }) => !isPublic && isIncluded(method))
    .map(({ operationId }) => operationId)
    .toSorted();

const secrets = ['createPushEndpoint', 'getAccessKey', 'rotatePushSecret'];

test('offers each operation that reads as a tool, without those whose responses contain secrets', async () => {
  const { tools } = await (await connect(world)).listTools();
  const expected = listOperationIds((method) => method === 'get').filter((name) => !secrets.includes(name));
  expect(tools.map(({ name }) => name).toSorted()).toEqual(expected);
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  expect(tools.filter(({ description = '' }) => description === '' || description.length > 300)).toEqual([]);
  expect(tools.find(({ name }) => name === 'getCarrier')?.inputSchema).toEqual({
    type: 'object',
    properties: expect.objectContaining({ code: expect.objectContaining({ type: 'string' }) }),
    required: ['code'],
  });
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(60_000);
});

/** Returns the arguments of a documented request of an operation. */
const toArguments = (served: ServedDocument, operation: OpenApiOperation): Record<string, unknown> => {
  const { path, init } = toExampleCall(served, operation, { example: undefined });
  const { pathname, searchParams } = new URL(path, 'http://service.test');
  searchParams.delete('version');
  const names = operation.path.split('/');
  const inPath = pathname.split('/').flatMap((value, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(names[index] ?? '') ?? [];
    return name === undefined ? [] : [[name, decodeURIComponent(value)] as const];
  });
  const standard = new Set(['Subscription-Key', 'Prefer', 'Accept', 'Content-Type']);
  const inHeaders = Object.entries(init.headers).filter(([name]) => !standard.has(name));
  return Object.fromEntries([...searchParams, ...inPath, ...inHeaders]);
};

test('every tool sends the documented request of its operation', async () => {
  const client = await connect(world);
  const { tools } = await client.listTools();
  const results = [];
  for (const [, served, operation] of servedOperations) {
    const name = String(operation.operation['operationId']);
    if (!served.isCurrent || operation.method !== 'get' || !tools.some((tool) => tool.name === name)) continue;
    const { text, isError } = await call(client, name, toArguments(served, operation));
    results.push([name, isError ? text.slice(0, 200) : 'ok']);
  }
  expect(new Set(results.map(([name]) => name)).size).toBe(tools.length);
  // The documented objects are not in this world, and it has no connections.
  expect(
    results.filter(([, text = '']) => !/^(?:ok|404 |503 Service unavailable: The connection set)/.test(text)),
  ).toEqual([]);
});

test('offers operations that write only if the server permits it', async () => {
  const client = await connect(writing);
  const { tools } = await client.listTools();
  const expected = listOperationIds(() => true).filter((name) => !secrets.includes(name));
  expect(tools.map(({ name }) => name).toSorted()).toEqual(expected);
  const profile = { firstName: 'Ada', lastName: 'Field', email: 'ada@zx.example', country: 'GB', companyName: 'ZX' };
  const created = await call(client, 'createProfile', { body: profile });
  const { accountId } = parse(created.text);
  expect(created).toEqual({ isError: false, text: `{"accountId":"${String(accountId)}"}` });
  expect(parse((await call(client, 'getProfile', { accountId })).text)).toMatchObject({ firstName: 'Ada' });
  await expect(call(await connect(world), 'createProfile', { body: profile })).rejects.toThrow('Unknown tool');
});

test.each(['auto', 'legacy'] as const)('returns compact pages with a handle of the next one (%s)', async (mode) => {
  const client = await connect(world, { 'Subscription-Key': TEST_KEY }, mode);
  const first = parse((await call(client, 'listLocations', { Limit: 1 })).text);
  expect(first).toEqual({
    data: [expect.any(Object)],
    totalCount: expect.any(Number),
    next: expect.stringMatching(/^\/locations\?version=v1&Limit=1&After=/),
  });
  const second = parse((await call(client, 'listLocations', { next: first['next'] })).text);
  expect(second['data']).not.toEqual(first['data']);
  expect(JSON.stringify(second)).not.toMatch(/:(?:null|""|\[\]|\{\})/);
});

test('reports the version of the package as that of the server', async () => {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const client = await connect(world);
  expect(client.getServerVersion()).toEqual({ name: 'flightdata', title: 'Flight data', version });
});

test('returns the problem of the service as an error that the model can correct', async () => {
  const client = await connect(world);
  expect(await call(client, 'getCarrier', { code: '!!' })).toEqual({
    isError: true,
    text: expect.stringMatching(/^40[04] .+/),
  });
  expect(await call(client, 'listLocations', { Limits: 3 })).toEqual({
    isError: true,
    text: 'Limits is not an argument of listLocations',
  });
  expect(await call(client, 'listLocations', { next: '/carriers?Limit=1' })).toEqual({
    isError: true,
    text: "next: not a handle of listLocations: '/carriers?Limit=1'",
  });
  expect(await call(client, 'getCarrier')).toEqual({ isError: true, text: 'code is required' });
});

test.each<[string, Record<string, unknown>, string]>([
  ['getCarrier', { code: '..' }, "code must not be '..'"],
  ['getCarrier', { code: '.' }, "code must not be '.'"],
  ['getCarrier', { code: '' }, 'code is required'],
  ['getFlightInstance', { departureDate: '..', scheduleInstanceKey: 'flights' }, "departureDate must not be '..'"],
  ['getCarrier', { code: 'XX', body: { a: 1 } }, 'body is not an argument of getCarrier'],
  ['getCarrier', { code: 'XX', next: '/carriers?Limit=1' }, 'next is not an argument of getCarrier'],
  ['getCarrier', { code: 'XX', constructor: 1 }, 'constructor is not an argument of getCarrier'],
  ['getCarrier', { code: 'XX', 'Subscription-Key': 'k' }, 'Subscription-Key is not an argument of getCarrier'],
  ['listCarriers', { next: 5 }, 'next must be a text'],
  ['listEvents', { accountId: 'a\r\nX-Other: b' }, 'accountId must be printable ASCII text'],
  ['listEvents', { accountId: 'ключ' }, 'accountId must be printable ASCII text'],
])('a hostile argument is an error without a request: %s %j', async (name, args, text) => {
  const before = world.logged().length;
  const client = await connect(world);
  const connected = world.logged().length;
  expect(connected).toBeGreaterThan(before);
  expect(await call(client, name, args)).toEqual({ isError: true, text });
  const paths = world
    .logged()
    .slice(connected)
    .map((line) => toJsonObject(JSON.parse(line))['path']);
  expect(paths).toEqual(['/mcp']);
});

test('has guides and documents as resources, and recipes as prompts', async () => {
  const client = await connect(world);
  const { resources } = await client.listResources();
  expect(resources.find(({ uri }) => uri.endsWith('.md'))).toEqual({
    uri: 'flightdata://docs/how-to/pagination.md',
    name: 'docs/how-to/pagination.md',
    title: 'Pagination',
    mimeType: 'text/markdown',
  });
  expect(resources.map(({ uri }) => uri)).toContain('flightdata://openapi/flight-info/v2.json');
  const { contents } = await client.readResource({ uri: 'flightdata://docs/how-to/pagination.md' });
  expect(contents).toEqual([
    { uri: 'flightdata://docs/how-to/pagination.md', mimeType: 'text/markdown', text: guide.bytes.toString() },
  ]);
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name).toSorted()).toEqual(
    ['connections', 'first-alert', 'life-of-a-flight', 'move-to-v2', 'search-and-paging', 'webhook'].toSorted(),
  );
  const inputs = prompts.flatMap((prompt) => prompt.arguments ?? []).map(({ name }) => name);
  expect(inputs).not.toContain('subscriptionKey');
  const { messages } = await client.getPrompt({ name: 'connections', arguments: { date: '2027-03-01' } });
  expect(JSON.stringify(messages)).toContain('$inputs.date: 2027-03-01');
  expect(JSON.stringify(messages)).toContain('Call `listConnections`');
});

/** Sends a message without a client. */
const post = async (service: TinyService, headers: Readonly<Record<string, string>>, body = '{}'): Promise<Response> =>
  service.send('/mcp', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

test('rejects keys, origins, methods and bodies with problems', async () => {
  const key = { 'subscription-key': TEST_KEY };
  const kindOf = async (response: Response) => {
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const { type } = toJsonObject(await response.json());
    return [response.status, String(type).replace('/docs/errors#', '')];
  };
  expect(await kindOf(await post(world, {}))).toEqual([401, 'key-missing']);
  expect(await kindOf(await post(world, { 'subscription-key': 'wrong' }))).toEqual([401, 'key-invalid']);
  expect(await kindOf(await post(world, { ...key, origin: 'https://evil.example' }))).toEqual([
    403,
    'origin-not-permitted',
  ]);
  // The name of the service could be one that a page has rebound to it.
  expect(await kindOf(await post(world, { ...key, origin: 'http://service.test' }))).toEqual([
    403,
    'origin-not-permitted',
  ]);
  expect(await kindOf(await post(world, key, '{'))).toEqual([400, 'invalid-body']);
  const listing = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  expect(await kindOf(await post(world, key, `[${listing},${listing}]`))).toEqual([400, 'invalid-body']);
  const get = await world.send('/mcp', { headers: key });
  expect([get.headers.get('allow'), ...(await kindOf(get))]).toEqual(['POST', 405, 'method-not-allowed']);
  await insertKeyIfMissing(world.db, { name: 'feed', products: ['status-feed'], key: 'key-of-a-feed' });
  expect(await kindOf(await post(world, { 'subscription-key': 'key-of-a-feed' }))).toEqual([403, 'key-not-permitted']);
});

test.each(['flight-info', 'master-data', 'schedules'])('a key of %s alone calls its tools', async (product) => {
  await insertKeyIfMissing(world.db, { name: product, products: [product], key: `key-of-${product}` });
  const client = await connect(world, { 'Subscription-Key': `key-of-${product}` });
  const isPermitted = async (name: string, args: Record<string, unknown>): Promise<boolean> =>
    !(await call(client, name, args)).isError;
  expect([
    await isPermitted('listFlightInstances', { DepartureDateTime: '2026-06-01', DepartureAirport: 'LHR' }),
    await isPermitted('listCarriers', {}),
    await isPermitted('listSchedules', { IataCarrierCode: 'XX', FlightNumber: 101 }),
  ]).toEqual(['flight-info', 'master-data', 'schedules'].map((one) => one === product));
});

test('logs messages and tool calls without keys, and counts a tool call once', async () => {
  const limited = await serveTinyWorld({
    mcp: 'read',
    published,
    limits: { perMinute: 4, perMonth: 1000, atOnce: 10 },
  });
  onTestFinished(limited.drop);
  const client = await connect(limited, { 'Subscription-Key': TEST_KEY }, 'auto');
  const results: boolean[] = [];
  for (let n = 0; n < 6; n += 1) results.push((await call(client, 'getCarrier', { code: 'ZX' })).isError);
  const text = limited.logged().join('\n');
  expect(text).not.toContain(TEST_KEY);
  const paths = limited.logged().map((line) => toJsonObject(JSON.parse(line))['path']);
  expect(paths.filter((path) => path === '/carriers/ZX')).toHaveLength(6);
  expect(results.at(-1)).toBe(true);
  expect((await call(client, 'getCarrier', { code: 'ZX' })).text).toContain('429 Rate limit exceeded');
});

test('a tool call that makes no request counts as a message', async () => {
  const limited = await serveTinyWorld({
    mcp: 'read',
    published,
    limits: { perMinute: 3, perMonth: 1000, atOnce: 10 },
  });
  onTestFinished(limited.drop);
  const headers = { 'subscription-key': TEST_KEY, accept: 'application/json, text/event-stream' };
  const calls = [
    { id: 1, params: { name: 'noSuchTool', arguments: {} } },
    { id: 2, params: { name: 'getCarrier', arguments: {} } },
    // A notification is not executed.
    { params: { name: 'getCarrier', arguments: { code: 'XX' } } },
    { id: 4, params: { name: 'noSuchTool', arguments: {} } },
  ];
  const statuses: number[] = [];
  for (const one of calls)
    statuses.push(
      (await post(limited, headers, JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', ...one }))).status,
    );
  expect(statuses).toEqual([200, 200, 202, 429]);
});

test('1,000 calls at once obey the limits of the subscription', async () => {
  const limited = await serveTinyWorld({
    mcp: 'read',
    published,
    limits: { perMinute: 500, perMonth: 100_000, atOnce: 10_000 },
  });
  onTestFinished(limited.drop);
  const client = await connect(limited);
  const calls = Array.from({ length: 1000 }, () => call(client, 'listCarriers', {}));
  const results = await Promise.all(calls);
  const refused = results.filter(({ isError }) => isError);
  expect(refused.every(({ text }) => text.startsWith('429 '))).toBe(true);
  // The messages with which a client connects count too.
  expect(results.length - refused.length).toBeGreaterThan(490);
  expect(results.length - refused.length).toBeLessThanOrEqual(500);
});

test(
  'serves the same tools on standard input and output, with the key of its environment',
  { timeout: 60_000 },
  async () => {
    const server = openHttpServer({ fetch: world.app.fetch, port: 0, hostname: '127.0.0.1' });
    onTestFinished(() => server.close(0));
    const { port } = await server.listening;
    const start = async (args: readonly string[], key: string): Promise<Client> => {
      const client = new Client({ name: 'tests', version: '1' });
      const env = Object.entries(createEnvironment({ SUBSCRIPTION_KEY: key })).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      );
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [join(root, 'src/server/cli/main.ts'), 'mcp', '--url', `http://127.0.0.1:${port}`, ...args],
        env: Object.fromEntries(env),
        stderr: 'inherit',
      });
      await client.connect(transport);
      onTestFinished(() => client.close());
      return client;
    };
    const [client, writer, stranger] = await Promise.all([
      start([], TEST_KEY),
      start(['--write'], TEST_KEY),
      start([], 'no'),
    ]);
    const names = async (one: Client) => (await one.listTools()).tools.map(({ name }) => name);
    expect(await names(client)).toEqual(await names(await connect(world)));
    expect(await names(writer)).toEqual(await names(await connect(writing)));
    const { data } = parse((await call(client, 'listCarriers', { Limit: 2 })).text);
    expect(data).toHaveLength(2);
    expect(await call(stranger, 'listCarriers')).toEqual({
      isError: true,
      text: expect.stringContaining('401 Invalid subscription key'),
    });
  },
);

test('a message without an end is an error of the command', async () => {
  const env = createEnvironment({ SUBSCRIPTION_KEY: TEST_KEY });
  const args = [join(root, 'src/server/cli/main.ts'), 'mcp', '--url', 'http://127.0.0.1:9'];
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
  // The command ends while it is written to.
  child.stdin.on('error', () => {});
  child.stdin.write('a'.repeat(12_000_000));
  const [code] = await once(child, 'close');
  expect([code, err]).toEqual([
    1,
    'ReadBuffer exceeded maximum size of 10485760 bytes\nflightdata: the connection ended because a message could not be read\n',
  ]);
});
