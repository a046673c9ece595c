import { OpenAPIHono, z, type RouteConfig } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { bodyText } from './request-body.ts';
import { strongTag } from '../response/conditional.ts';
import { isEventStream, streamResponse, type EventStream } from '../response/event-stream.ts';
import { issueMessage, parameterErrors } from './validation-messages.ts';
import { jsonFault } from './json-error-position.ts';
import type { PageNote } from '../request/page-note.ts';
import { invalidBody, invalidParameters, Problem } from '../response/problem.ts';
import { isAnswer, isRendered, type Answer, type Rendered } from '../response/rendered.ts';
import type { RequestContext } from '../request/request-context.ts';
import { wholeAnswer } from '../response/full-response.ts';

type Bindings = { Bindings: RequestContext };

/** The operations of one document, each bound to its handler; `fetch` answers requests that the front has let through. */
export type Api = OpenAPIHono<Bindings>;

type RequestPart<R, Name extends string> = R extends {
  readonly request: { readonly [N in Name]: infer S extends z.ZodType };
}
  ? z.output<S>
  : undefined;
type RequestBody<R> = R extends {
  readonly request: {
    readonly body: {
      readonly content: { readonly 'application/json': { readonly schema: infer S extends z.ZodType } };
    };
  };
}
  ? z.output<S>
  : undefined;

/** The validated parts of a request, as the contract types them; undefined where the operation has no such part. */
export type InputOf<R> = {
  readonly query: RequestPart<R, 'query'>;
  readonly params: RequestPart<R, 'params'>;
  readonly headers: RequestPart<R, 'headers'>;
  readonly body: RequestBody<R>;
};

type ResponsesOf<R> = R extends { readonly responses: infer A } ? A : never;
type JsonOf<A> = A extends {
  readonly content: { readonly 'application/json': { readonly schema: infer S extends z.ZodType } };
}
  ? z.input<S>
  : never;

/** The JSON type an operation answers with a status. */
export type BodyOf<R, S extends keyof ResponsesOf<R>> = JsonOf<ResponsesOf<R>[S]>;

type Answers<R> = {
  [S in keyof ResponsesOf<R> & number]: ResponsesOf<R>[S] extends { readonly content: infer C }
    ? 'application/json' extends keyof C
      ? Answer<S, BodyOf<R, S>>
      : never
    : Answer<S, undefined>;
}[keyof ResponsesOf<R> & number];

type Ok<R> = 200 extends keyof ResponsesOf<R> ? BodyOf<R, 200> : never;

type Streams<R> =
  ResponsesOf<R> extends { readonly 200: { readonly content: { readonly 'text/event-stream': unknown } } }
    ? EventStream
    : never;

/**
 * What a handler may return: the body of a 200, the same as finished bytes, `answer(...)` with a status of the contract, or
 * `eventStream(...)` where the contract has one.
 */
export type Reply<R> = Ok<R> | Rendered<Ok<R>> | Answers<R> | Streams<R>;

/**
 * An operation as product code writes it: `const health: Handler<typeof healthRoute> = async (input, context) => ...`. Written in place
 * as an argument of `bind`, literals of its answer lose their types. Refuse by throwing a Problem.
 */
export type Handler<R> = (input: InputOf<R>, context: RequestContext) => Promise<Reply<R>>;

const cleanedPath = (env: object | undefined): string | undefined =>
  env !== undefined && 'path' in env && typeof env.path === 'string' ? env.path : undefined;

/** An empty API. It routes by the path the front has already cleaned, and leaves every failure to the front. */
export const newApi = (): Api => {
  const api: Api = new OpenAPIHono<Bindings>({
    getPath: (request, options) => cleanedPath(options?.env) ?? new URL(request.url).pathname,
  });
  api.onError((error) => {
    throw error;
  });
  api.notFound(({ req }) => {
    throw new Problem('unknown-path', `There is nothing at ${req.path}.`);
  });
  return api;
};

const check = (
  schema: z.ZodType,
  raw: unknown,
  depth: number,
): { readonly data: unknown; readonly errors: Readonly<Record<string, readonly string[]>> } => {
  const result = schema.safeParse(raw, { error: issueMessage });
  return result.success
    ? { data: result.data, errors: {} }
    : { data: undefined, errors: parameterErrors(result.error.issues, depth) };
};

/** The query as names to texts. The front has settled the version already, under any alias, so its name for it stands in. */
const rawQuery = ({ query, version }: RequestContext): Readonly<Record<string, readonly string[]>> => {
  const raw: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) {
    if (name.toLowerCase() !== 'version') (raw[name] ??= []).push(value);
  }
  raw['version'] = [version];
  return raw;
};

/** The headers that a schema asks for, by its names; a blank one is absent, as a blank parameter is. */
const rawHeaders = (schema: z.ZodType, sent: Headers): Readonly<Record<string, string>> => {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const values = names.map((name) => [name, sent.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
};

const readBody = async (schema: z.ZodType, isRequired: boolean, c: Context): Promise<unknown> => {
  const text = await bodyText(c.req.raw);
  if (text === '') {
    if (!isRequired) return undefined;
    throw new Problem('invalid-body', 'A body is needed, sent as application/json.');
  }
  const mediaType = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/([a-z.-]+\+)?json$/.test(mediaType))
    throw new Problem(
      'unsupported-media-type',
      `Send the body as application/json, not as '${mediaType.slice(0, 64)}'.`,
    );
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    const { line, column } = jsonFault(text);
    throw new Problem(
      'invalid-body',
      `The body is not well-formed JSON; it goes wrong in line ${line}, column ${column}.`,
      { cause },
    );
  }
  const { data, errors } = check(schema, json, Infinity);
  const { '': whole, ...members } = errors;
  if (whole) throw invalidBody({ ...members, '': whole.map((message) => `The body ${message}`) });
  if (Object.keys(members).length > 0) throw invalidBody(members);
  return data;
};

const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && 'safeParse' in value;

type Plain = { readonly status: number; readonly body: unknown; readonly headers: Readonly<Record<string, string>> };

const respond = (
  reply: unknown,
  request: Request,
  { isConditional, page }: { readonly isConditional: boolean; readonly page: PageNote | undefined },
): Response | Promise<Response> => {
  const { status, body, headers }: Plain = isAnswer(reply) ? reply : { status: 200, body: reply, headers: {} };
  if (body === undefined) return new Response(null, { status, headers });
  const bytes = isRendered(body) ? body.bytes : Buffer.from(JSON.stringify(body));
  const whole = { bytes, headers, tag: isConditional && status === 200 ? strongTag(bytes) : headers['ETag'] };
  if (page && status === 200) page.whole = whole;
  return wholeAnswer(request.headers, whole, { status, isConditional });
};

/**
 * Puts an operation of the contract and its handler together: the handler runs only on input that fits the contract. Query, path and
 * headers are refused in one go (Problem `invalid-parameter`), then the body (`invalid-body`, `unsupported-media-type`, `body-too-large`: 1 MiB).
 * Where the contract declares a 304, a 200 gets its entity tag and conditional requests are answered: a handler may tell
 * `Last-Modified` and need know nothing else of it. Bodies are packed as the caller likes them.
 */
export const bind = <const R extends RouteConfig>(api: Api, route: R, handler: Handler<R>): void => {
  const { query, params, headers, body } = route.request ?? {};
  const media = body?.content['application/json'];
  const bodySchema = media !== undefined && 'schema' in media ? media.schema : undefined;
  const path = route.path.replaceAll(/\{(.+?)\}/g, ':$1');
  const method = [route.method];
  const isConditional = 304 in route.responses;
  api.openAPIRegistry.registerPath(route);
  api.on(method, [path], async (c) => {
    const context = c.env;
    const asked = isSchema(query) ? check(query, rawQuery(context), 1) : undefined;
    const named = isSchema(params) ? check(params, c.req.param(), 1) : undefined;
    const told = isSchema(headers) ? check(headers, rawHeaders(headers, c.req.raw.headers), 1) : undefined;
    const errors = { ...named?.errors, ...asked?.errors, ...told?.errors };
    if (Object.keys(errors).length > 0) throw invalidParameters(errors);
    const sent = isSchema(bodySchema) ? await readBody(bodySchema, body?.required ?? false, c) : undefined;
    // The schemas above are those InputOf takes its types from; the compiler cannot follow that through a generic route.
    const input = { query: asked?.data, params: named?.data, headers: told?.data, body: sent } as InputOf<R>;
    const reply = await handler(input, context);
    if (isEventStream(reply)) return streamResponse(reply, c.req.raw.method, context.tellFailure);
    return respond(reply, c.req.raw, { isConditional, page: context.page });
  });
};
