/**
 * Fastify and pg with the duties of the service, from their own ecosystem: keys with a cache (lru-cache), request limits by key
 * (@fastify/rate-limit), parameters validated by a schema, entity tags (@fastify/etag), a log line for each request (pino), a signed cursor and
 * an exact count. Paths, statement and documents are those of the service.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { setV8Flags } from '#cli/serve/v8-flags.ts';
import { buildPageStatement, type PageFilters } from '../page-statement.ts';
import { peerModule } from './install.ts';

type Query = {
  readonly version?: string;
  readonly DepartureDateTime: string;
  readonly DepartureAirport?: string;
  readonly ArrivalAirport?: string;
  readonly CarrierCode?: string;
  readonly Limit: number;
  readonly Cursor?: string;
};
type Request = {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Query;
  readonly method: string;
  readonly url: string;
  readonly routeOptions: { readonly url: string };
  readonly id: string;
};
type Reply = {
  readonly statusCode: number;
  readonly elapsedTime: number;
  readonly code: (status: number) => Reply;
  readonly header: (name: string, value: string) => Reply;
  readonly getHeader: (name: string) => unknown;
  readonly send: (body: unknown) => Reply;
};
type Hook = (request: Request, reply: Reply) => Promise<unknown>;
type Server = {
  readonly register: (plugin: unknown, options?: object) => Promise<unknown>;
  readonly addHook: (name: string, hook: Hook) => void;
  readonly get: (path: string, options: object, handler: Hook) => void;
  readonly listen: (options: { port: number; host: string }) => Promise<string>;
};
type PgPool = {
  readonly query: (query: object) => Promise<{ readonly rows: readonly (readonly (string | null)[])[] }>;
};
type Lru<Value> = {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
};

const [url = ''] = process.argv.slice(2);
setV8Flags();
const { Pool } = peerModule('pg') as { readonly Pool: new (options: object) => PgPool };
const { fastify } = peerModule('fastify') as { readonly fastify: (options: object) => Server };
const { LRUCache } = peerModule('lru-cache') as { readonly LRUCache: new <Value>(options: object) => Lru<Value> };
const pino = peerModule('pino') as {
  (destination: unknown): { readonly info: (line: object) => void };
  readonly destination: (options: object) => unknown;
};

const types = { getTypeParser: () => (text: string) => text };
const pool = new Pool({ connectionString: url, max: 10, types });
/** Reads rows as lists of texts, with a prepared statement for each text. */
const statementNames = new Map<string, string>();
const read = async (text: string, values: readonly unknown[]) => {
  const name = statementNames.get(text) ?? `statement ${statementNames.size}`;
  statementNames.set(text, name);
  return (await pool.query({ name, text, values, rowMode: 'array' })).rows;
};

const listIds = async (table: 'carrier' | 'location'): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (await read(`select iata, id from ${table} where iata is not null`, [])).map(([code, id]) => [
      code ?? '',
      Number(id),
    ]),
  );
const [carriers, locations] = [await listIds('carrier'), await listIds('location')];

const keys = new LRUCache<{ readonly subscription: string }>({ max: 10_000, ttl: 60_000 });
const findKey = async (key: string) => {
  const known = keys.get(key);
  if (known) return known;
  const [row] = await read(
    `select subscription_id from subscription_key where hash = $1 and revoked_at is null and 'flight-info' = any(products)`,
    [createHash('sha256').update(key).digest()],
  );
  const found = row && { subscription: row[0] ?? '' };
  if (found) keys.set(key, found);
  return found;
};

const sign = (text: string): string => createHmac('sha256', 'a secret of the server').update(text).digest('base64url');
type Position = {
  readonly filters: string;
  readonly total: string;
  readonly departsAt: string;
  readonly keyOrder: string;
};
const encodeCursor = (position: Position): string => {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${text}.${sign(text)}`;
};
const decodeCursor = (cursor: string): Position | undefined => {
  const [text = '', signature = ''] = cursor.split('.');
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(text))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return JSON.parse(Buffer.from(text, 'base64url').toString());
};

const toFilters = (query: Query, position: Position | undefined): PageFilters | undefined => {
  const [first = '', last = first] = query.DepartureDateTime.split('/');
  const idOf = (ids: ReadonlyMap<string, number>, code: string | undefined): number | undefined =>
    code === undefined ? undefined : ids.get(code);
  const departure = idOf(locations, query.DepartureAirport);
  const arrival = idOf(locations, query.ArrivalAirport);
  const carrier = idOf(carriers, query.CarrierCode);
  return {
    from: `${first} 00:00`,
    to: `${last} 23:59`,
    limit: query.Limit,
    ...(departure !== undefined && { departure }),
    ...(arrival !== undefined && { arrival }),
    ...(carrier !== undefined && { carrier }),
    ...(position && { place: position }),
  };
};

const code = (pattern: string) => ({ type: 'string', pattern });
const querystring = {
  type: 'object',
  required: ['DepartureDateTime'],
  additionalProperties: false,
  properties: {
    version: { type: 'string', enum: ['v2'] },
    DepartureDateTime: code('^\\d{4}-\\d{2}-\\d{2}(/\\d{4}-\\d{2}-\\d{2})?$'),
    DepartureAirport: code('^[A-Z]{3}$'),
    ArrivalAirport: code('^[A-Z]{3}$'),
    CarrierCode: code('^[A-Z0-9]{2}$'),
    Limit: { type: 'integer', minimum: 1, maximum: 100, default: 100 },
    Cursor: { type: 'string', maxLength: 2000 },
  },
};

const log = pino(pino.destination({ dest: '/dev/null', sync: false, minLength: 4096 }));
const server = fastify({ logger: false, disableRequestLogging: true });
server.addHook('onRequest', async ({ headers }, reply) => {
  const key = await findKey(headers['subscription-key'] ?? '');
  return key ? undefined : reply.code(401).send({ title: 'Unauthorized', status: 401 });
});
server.addHook('onResponse', async ({ method, routeOptions, id }, reply) => {
  log.info({
    id,
    method,
    path: routeOptions.url,
    status: reply.statusCode,
    milliseconds: reply.elapsedTime,
    bytes: reply.getHeader('content-length'),
  });
});
await server.register(peerModule('@fastify/rate-limit'), {
  max: 1_000_000_000,
  timeWindow: 60_000,
  keyGenerator: ({ headers }: Request) => keys.get(headers['subscription-key'] ?? '')?.subscription ?? '',
});
await server.register(peerModule('@fastify/etag'));
server.get('/flight-instances', { schema: { querystring } }, async ({ query, url: target }, reply) => {
  const { Cursor, Limit, version: _, ...filters } = query;
  const filterText = JSON.stringify(filters);
  const position = Cursor === undefined ? undefined : decodeCursor(Cursor);
  if (Cursor !== undefined && position?.filters !== filterText)
    return reply.code(400).send({ title: 'Invalid cursor', status: 400 });
  const statement = toFilters(query, position);
  if (!statement) return reply.code(400).send({ title: 'Unknown code', status: 400 });
  const { text, values } = buildPageStatement(statement);
  const rows = await read(text, values);
  const total = position?.total ?? rows[0]?.at(-1) ?? '0';
  const following = rows[Limit];
  const [, departsAt = '', keyOrder = ''] = following ?? [];
  const next =
    following &&
    `${target.replace(/&Cursor=[^&]*/, '')}&Cursor=${encodeCursor({ filters: filterText, total, departsAt: departsAt ?? '', keyOrder: keyOrder ?? '' })}`;
  const documents = rows.slice(0, Limit).map(([doc]) => doc);
  return reply
    .header('content-type', 'application/json')
    .header('cache-control', 'private, no-cache')
    .send(
      `{"data":[${documents.join(',')}],"paging":${JSON.stringify({ limit: Limit, totalCount: Number(total), next })}}`,
    );
});
process.send?.(Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port));
