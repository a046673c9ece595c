/* Huge, ambiguous and malformed requests, sent as raw bytes to a listening server: each has one defined outcome, and none is a 5xx. */
import { afterAll, expect, test } from 'vitest';
import { openHttpServer } from '#http/server/server.ts';
import type { RejectedRequest } from '#http/server/rejected-requests.ts';
import { profile, serveAlerts } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { reportFault } from '../support/report-fault.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { exchangeRaw, type RawResponse, type RawOptions } from './raw-http.ts';

const world = await serveAlerts();
const accountId = await world.createAccount();
const rejected: RejectedRequest[] = [];
const server = openHttpServer({
  fetch: world.app.fetch,
  port: 0,
  hostname: '127.0.0.1',
  onRejected: (buildRequest) => rejected.push(buildRequest),
  limits: { headersTimeoutMs: 1_000, requestTimeoutMs: 2_000, checkIntervalMs: 100 },
});
const { port } = await server.listening;
afterAll(async () => {
  await server.close(0);
  await world.drop();
});

const KEY = `Subscription-Key: ${TEST_KEY}\r\n`;
const HOST = `Host: a\r\n${KEY}`;
const HEALTH = '/flights/health';
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;
const LAST = 'Connection: close\r\n';
const JSON_ = 'Content-Type: application/json\r\n';
const post = (more: string, body = '', path = '/flight-info-alerts/profile') =>
  `POST ${path} HTTP/1.1\r\n${HOST}${JSON_}${more}\r\n${body}`;
const postSized = (body: string, more = LAST, path?: string) =>
  post(`Content-Length: ${body.length}\r\n${more}`, body, path);
const nest = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);
const MIB = 1024 * 1024;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const HUGE = `Content-Length: ${100 * MIB}\r\n`;
const FLIGHTS = '/flight-instances?DepartureDateTime=2026-06-01';

/** Sends a head, then a piece many times. */
const send100Mb = (head: string, piece = 'x'.repeat(65_536), count = 1600) =>
  function* pieces(): Generator<string | Buffer> {
    yield head;
    const buffer = Buffer.from(piece);
    for (let n = 0; n < count; n += 1) yield buffer;
  };

/** The outcome of a case is its statuses, and whether the server closes the connection; a single status means `<status>, closed`. */
type Case = readonly [
  name: string,
  bytes: string | (() => Iterable<string | Buffer>),
  outcome: number | string,
  options?: Partial<RawOptions>,
];

const cases: readonly Case[] = [
  ['a header of 100 kB', get(HEALTH, `X: ${'x'.repeat(100_000)}\r\n`), 431],
  ['a header of 15 kB', get(HEALTH, `X: ${'x'.repeat(15_000)}\r\n${LAST}`), 200],
  ['10,000 headers', get(HEALTH, 'X: 1\r\n'.repeat(10_000)), 431],
  ['2,000 short headers', get(HEALTH, `${'a:\r\n'.repeat(2_000)}${LAST}`), 431],
  ['a target of 8 MB', `GET /${'x'.repeat(8_000_000)} HTTP/1.1\r\n${HOST}\r\n`, 431],
  ['a query of 15 kB', get(`${HEALTH}?a=${'x'.repeat(15_000)}`, LAST), 200],
  ['a body of 100 MB, announced', send100Mb(post(HUGE)), 413],
  ['a body of 100 MB, in chunks', send100Mb(post(CHUNKED), `10000\r\n${'x'.repeat(65_536)}\r\n`), 413],
  ['a body in a million pieces', send100Mb(post(CHUNKED), '1\r\nx\r\n'.repeat(10_000), 100), 413],
  ['a body of 100 MB on a GET', send100Mb(get(HEALTH, HUGE)), 200],
  ['a body of 100 MB without a key', send100Mb(post(HUGE).replace(KEY, '')), 401],
  ['a body of exactly 1 MiB', postSized(`"${'x'.repeat(MIB - 2)}"`), 400],
  ['a chunk with an extension of 100 kB', post(CHUNKED, `1;${'x'.repeat(100_000)}\r\nx\r\n0\r\n\r\n`), 400],
  ['trailers of 100 kB', post(CHUNKED, `2\r\n{}\r\n0\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`), 431],
  ['100,000 nested JSON arrays', postSized(nest(100_000, '[', ']')), 400],
  ['100,000 nested JSON objects', postSized(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), 400],
  ['a deeply nested JSON member', postSized(`{"firstName":${nest(100_000, '[', ']')}}`), 400],
  ['500,000 unclosed JSON arrays', postSized('['.repeat(500_000)), 400],
  ['the same member twice', postSized(`{"firstName":"A",${JSON.stringify(profile).slice(1)}`), 400],
  ['__proto__ as a member', postSized('{"__proto__":{"firstName":"A"},"constructor":{"prototype":{}}}'), 400],
  ['a body that is not UTF-8', postSized('{"firstName":"\xff\xfe"}'), 400],
  ['a body with NUL', postSized('{"firstName":"a\0b"}'), 400],
  ['the same parameter twice', get(`${FLIGHTS}&DepartureDateTime=2026-06-02`, LAST), 400],
  ['the same parameter 1,000 times', get(`${FLIGHTS}${'&a=1'.repeat(1_000)}`, LAST), 200],
  ['the same version twice', get(`${FLIGHTS}&version=v2&version=V2`, LAST), 200],
  ['two versions', get(`${FLIGHTS}&version=v1&version=v2`, LAST), 400],
  // Request smuggling: what a proxy and a server could parse differently.
  ['both lengths', post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
  ['both lengths, the other way round', post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', '0\r\n\r\n'), 400],
  ['two lengths', post('Content-Length: 2\r\nContent-Length: 4\r\n', '{}xx'), 400],
  ['the same length twice', post(`Content-Length: 2\r\nContent-Length: 2\r\n${LAST}`, '{}'), 400],
  ['two lengths in one line', post('Content-Length: 2, 2\r\n', '{}'), 400],
  ['a length below zero', post('Content-Length: -1\r\n', '{}'), 400],
  ['a length with a sign', post('Content-Length: +2\r\n', '{}'), 400],
  ['a length in hexadecimal', post('Content-Length: 0x2\r\n', '{}'), 400],
  ['a length of 10^30', post(`Content-Length: 1${'0'.repeat(30)}\r\n`, '{}'), 400],
  ['an unknown coding', post('Transfer-Encoding: gzip\r\n', '{}'), 400],
  ['a coding that is not the last', post('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'), 400],
  ['a coding that is nearly chunked', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), 400],
  ['a coding after a vertical tab', post('Transfer-Encoding:\x0bchunked\r\n', '0\r\n\r\n'), 400],
  ['two codings in two lines', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'), 400],
  ['a space before the colon', post('Content-Length : 2\r\n', '{}'), 400],
  ['a folded header', get(HEALTH, `X: a\r\n b\r\n${LAST}`), 400],
  ['lines that end in LF alone', `GET ${HEALTH} HTTP/1.1\nHost: a\n\n`, 400],
  ['a CR within a header', get(HEALTH, 'X: a\rb\r\n'), 400],
  ['a chunk size that is not a number', post(CHUNKED, 'zz\r\n{}\r\n0\r\n\r\n'), 400],
  ['a chunk size beyond 2^64', post(CHUNKED, 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'), 400],
  ['a chunk longer than its size', post(CHUNKED, '1\r\n{}\r\n0\r\n\r\n'), 400],
  ['a chunk size behind a sign', post(CHUNKED, '+2\r\n{}\r\n0\r\n\r\n'), 400],
  ['a chunk that ends in LF alone', post(CHUNKED, '2\n{}\n0\n\n'), 400],
  [
    'a request hidden in the body of a GET',
    `${get(HEALTH, 'Content-Length: 43\r\n')}GET /hidden HTTP/1.1\r\nHost: a\r\nX: 12345\r\n\r\n${get(HEALTH, LAST)}`,
    '200, 200, closed',
  ],
  [
    'a request after one with a wrong length',
    `${post('Content-Length: 0\r\n')}GET /hidden HTTP/1.1\r\nHost: a\r\n${LAST}\r\n`,
    '400, 404, closed',
  ],
  // Forms of the request target.
  ['an absolute URI as target', `GET http://a${HEALTH} HTTP/1.1\r\n${HOST}${LAST}\r\n`, 200],
  ['an absolute URI of another host', `GET http://b${HEALTH} HTTP/1.1\r\n${HOST}${LAST}\r\n`, 200],
  ['an absolute URI of another scheme', `GET ftp://a${HEALTH} HTTP/1.1\r\n${HOST}${LAST}\r\n`, 400],
  ['an absolute URI with a user', `GET http://u:p@a${HEALTH} HTTP/1.1\r\n${HOST}${LAST}\r\n`, 200],
  ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST}${LAST}\r\n`, 400],
  ['GET *', `GET * HTTP/1.1\r\n${HOST}${LAST}\r\n`, 400],
  ['CONNECT', `CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n`, 405],
  ['TRACE', `TRACE ${HEALTH} HTTP/1.1\r\n${HOST}${LAST}\r\n`, 405],
  ['OPTIONS', `OPTIONS ${HEALTH} HTTP/1.1\r\n${HOST}${LAST}\r\n`, 405],
  ['PRI, as HTTP/2 begins', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['an unknown method', `FLY ${HEALTH} HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['a lower-case method', `get ${HEALTH} HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['a path without a slash', `GET flights/health HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['a path with ..', get('/flights/../../flights/health', LAST), 200],
  ['a path with encoded ..', get('/flights/%2e%2e/%2e%2e/etc/passwd', LAST), 404],
  ['a path with NUL', get('/flights/\0health', LAST), 400],
  ['a path with NUL, encoded', get('/flights/%00health', LAST), 400],
  ['a path beyond ASCII', get('/flights/h\xc3\xa9alth', LAST), 400],
  ['a path that is not UTF-8, encoded', get('/flights/%ff%fe', LAST), 404],
  ['a path with half an escape', get('/flights/%', LAST), 404],
  ['a path of slashes', get(`/${'/'.repeat(10_000)}`, LAST), 404],
  ['a path with a fragment', get(`${HEALTH}#a?b`, LAST), 200],
  ['a path with a space', get('/flights/ health', LAST), 400],
  ['a path with backslashes', get('\\flights\\health', LAST), 400],
  // Headers.
  ['a header with NUL', get(HEALTH, 'X: a\0b\r\n'), 400],
  ['a header beyond ASCII', get(HEALTH, `X: \xe9\xff\r\n${LAST}`), 200],
  ['a key beyond ASCII', get(FLIGHTS, LAST).replace(TEST_KEY, '\xe9\xff'), 401],
  ['two keys', get(FLIGHTS, `${KEY}${LAST}`), 401],
  ['a header without a name', get(HEALTH, `: a\r\n${LAST}`), 400],
  ['a header without a colon', get(HEALTH, `nothing\r\n${LAST}`), 400],
  ['two hosts', `GET ${HEALTH} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${LAST}\r\n`, 400],
  ...['a b/c?', 'a/b', 'u@a', 'a:70000', 'a:x', '[::1', 'a%2Fb', 'a\\b', 'a#b', 'a?b', '<a>'].map((host): Case => [
    `the host ${host}`,
    `GET ${HEALTH} HTTP/1.1\r\nHost: ${host}\r\n${LAST}\r\n`,
    400,
  ]),
  ['no host', `GET ${HEALTH} HTTP/1.1\r\n${LAST}\r\n`, 400],
  ['an empty host', `GET ${HEALTH} HTTP/1.1\r\nHost:\r\n${LAST}\r\n`, 200],
  [
    'an upgrade to HTTP/2',
    get(HEALTH, 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'),
    '200, open',
    { maxResponses: 1 },
  ],
  [
    'an upgrade to a web socket',
    get(
      '/flight-info-alerts/events',
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    ),
    '400, open',
    { maxResponses: 1 },
  ],
  ['Expect: 100-continue', post(`Expect: 100-continue\r\nContent-Length: 2\r\n${LAST}`, '{}'), '100, 400, closed'],
  ['Expect: 100-continue with 100 MB', post(`Expect: 100-continue\r\n${HUGE}`), 413],
  ['expecting something else', get(HEALTH, `Expect: tea\r\n${LAST}`), 200],
  ['HTTP/0.9', `GET ${HEALTH}\r\n\r\n`, 400],
  ['HTTP/1.0', `GET ${HEALTH} HTTP/1.0\r\n\r\n`, 200],
  ['HTTP/1.2', `GET ${HEALTH} HTTP/1.2\r\n${HOST}${LAST}\r\n`, 400],
  ['HTTP/3.0', `GET ${HEALTH} HTTP/3.0\r\n${HOST}\r\n`, 400],
  ['a TLS ClientHello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['blank lines before the request', `\r\n\r\n${get(HEALTH, LAST)}`, 200],
  ['nothing', '', 408],
  ['nothing, half-closed', '', 'closed', { halfClose: true }],
  ['half a request, half-closed', `GET ${HEALTH} HTT`, 400, { halfClose: true }],
  ['a request, half-closed', get(HEALTH), 'closed', { halfClose: true }],
  ['half a body, half-closed', post('Content-Length: 100\r\n', '{'), 400, { halfClose: true }],
  ['half a body, and silence', post('Content-Length: 100\r\n', '{'), 408],
  ['half a head, and silence', `GET ${HEALTH} HTTP/1.1\r\nHost: a\r\nX`, 408],
  ['garbage after the request', `${get(HEALTH)}\0\x01rubbish\r\n\r\n`, 'closed'],
  ['garbage after the last request', `${get(HEALTH, LAST)}\0\x01rubbish\r\n\r\n`, 'closed'],
];

const isProblem = ({ status, headers, body }: RawResponse): boolean => {
  if (headers['content-type'] !== 'application/problem+json') return false;
  const problem: { status?: unknown; traceId?: unknown } = Object(JSON.parse(body));
  return problem.status === status && problem.traceId === headers['x-request-id'];
};

/** Describes an exchange: statuses, `bare` for an error without problem+json, and whether the connection was closed. */
const describeOutcome = async (bytes: Case[1], options: Partial<RawOptions> = {}) => {
  const pieces = typeof bytes === 'string' ? bytes : bytes();
  const { responses, trailing, isClosed, bytesSent } = await exchangeRaw(pieces, { ...options, port });
  const outcomes = responses.map((one) => `${one.status}${one.status < 400 || isProblem(one) ? '' : ' bare'}`);
  const ends = [...(trailing === '' ? [] : ['half a response']), isClosed ? 'closed' : 'open'];
  return { outcome: [...outcomes, ...ends].join(', '), bytesSent };
};

// Runs first: requests whose clients disconnected are logged later, at any time.
test.each([
  ['a header of 100 kB', ['-', '-', 431, 'headers-too-large']],
  ['no host', ['GET', HEALTH, 400, 'malformed-request']],
  ['CONNECT', ['CONNECT', '-', 405, 'method-not-allowed']],
])('reports %s, rejected before it is parsed, once', async (name, expected) => {
  const [reported, logged] = [rejected.length, world.logged().length];
  await describeOutcome(cases.find((one) => one[0] === name)?.[1] ?? '');
  const since = rejected.slice(reported).map(({ method, path, status, problem }) => [method, path, status, problem]);
  expect([since, world.logged().length - logged]).toEqual([[expected], 0]);
});

/** The limit of bytes read of an unwanted body, including the socket buffers of both sides. */
const MAX_BYTES_READ = 16 * MIB;

test('responds with 4xx as problem+json, never 5xx, and does not read oversized bodies to the end', async () => {
  const actual: Record<string, string> = {};
  let maxBytesRead = 0;
  const send = async ([name, bytes, , options]: Case): Promise<void> => {
    const { outcome, bytesSent } = await describeOutcome(bytes, options);
    maxBytesRead = Math.max(maxBytesRead, bytesSent);
    actual[name] = outcome;
  };
  // Requests that time out wait beside the others.
  const timedOut = Promise.all(cases.filter(([, , fate]) => fate === 408).map(send));
  for (const one of cases.filter(([, , fate]) => fate !== 408)) await send(one);
  await timedOut;
  reportFault(26, { inputs: cases.length, maxReadMiB: (maxBytesRead / MIB).toFixed(1) }, 'one by one');
  const expected = cases.map(([name, , fate]) => [name, typeof fate === 'number' ? `${fate}, closed` : fate]);
  expect(actual).toEqual(Object.fromEntries(expected));
  expect(maxBytesRead).toBeLessThan(MAX_BYTES_READ);
  expect(rejected.filter(({ problem }) => problem === 'internal')).toEqual([]);
});

test('responds to pipelined requests in order', async () => {
  const buildRequest = (n: number): string => {
    const more = n === 199 ? LAST : '';
    if (n % 4 === 0) return get(`/no-such-path-${n}`, more);
    if (n % 4 === 1) return get(`/flight-instances?DepartureDateTime=2026-06-01&Limit=${n}`, more);
    if (n % 4 === 2) return postSized(`{"lastName":"${n}"}`, more, '/flight-info-alerts/profile');
    return get(`/flight-info-alerts/profile/${accountId}?n=${n}`, more);
  };
  const expected = Array.from({ length: 200 }, (_, n) => [404, 200, 400, 200][n % 4]);
  const pipelined = Array.from({ length: 200 }, (_, n) => buildRequest(n)).join('');
  const { responses, isClosed, trailing } = await exchangeRaw(pipelined, { port });
  const inOrder = responses.filter(({ body }, n) => n % 4 !== 0 || body.includes(`/no-such-path-${n}"`)).length;
  reportFault(26, { sent: 200, responses: responses.length, inOrder }, 'in a row');
  expect([responses.map(({ status }) => status), inOrder, isClosed, trailing]).toEqual([expected, 200, true, '']);
});
