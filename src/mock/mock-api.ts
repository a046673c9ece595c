import type { RouteConfig } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import { createBody, sendBody } from '../http/context/body.ts';
import type { Env } from '../http/context/env.ts';
import { sendEventStream } from '../http/context/event-stream.ts';
import { createApi, type ProductApi } from '../http/handler/create-api.ts';
import { computeJsonEntityTag, hasMatchingTag } from '../http/response/conditional.ts';
import { Problem } from '../http/response/problem.ts';
import { listOperations, toJsonObject, type JsonObject } from '../lib/openapi-document.ts';
import {
  buildResponse,
  listUndeclaredHeaders,
  replaceServerUrl,
  toNotModified,
  type MockOperation,
  type MockResponse,
} from './build-response.ts';
import { createExampleStream, type Wait } from './example-stream.ts';
import { isSuccess, listExamples, toProblem } from './examples.ts';
import { parsePreferences } from './preferences.ts';
import { createResponseGenerator } from './prism.ts';
import { selectExample, type OperationExamples } from './select-example.ts';

/** Responds to a request that fits the contract. */
type MockHandler = (c: Context<Env>) => Promise<Response>;

const EVENT_STREAM = 'text/event-stream';

/** Lists the entity tags that the object of an update can have: those of all its examples, before and after the update. */
const listEntityTags = ({ document, operation }: MockOperation, baseUrl: string): readonly string[] =>
  listOperations(document)
    .filter(({ path }) => path.startsWith(operation.path) && /^(\/\{\w+\})?$/.test(path.slice(operation.path.length)))
    .flatMap((one) => listExamples(document, one))
    .filter(isSuccess)
    .map(({ value }) => computeJsonEntityTag(replaceServerUrl(value, document, baseUrl)));

const rejectOutdated = (operation: MockOperation, ifMatch: unknown, baseUrl: string): void => {
  if (typeof ifMatch !== 'string') return;
  if (listEntityTags(operation, baseUrl).some((tag) => hasMatchingTag(ifMatch, tag))) return;
  throw new Problem(
    'precondition-failed',
    'The object has none of the tags in If-Match. Read it again and check the changes.',
  );
};

/** Selects and builds the response: the preferred example, or else the one that matches the request best. */
const respond = async (
  operation: MockOperation,
  examples: OperationExamples,
  c: Context<Env>,
): Promise<MockResponse> => {
  const requested = parsePreferences(c.req.raw.headers.get('prefer'));
  const context = c.var;
  const selected = selectExample(examples, requested, context);
  const isNotModified = selected.status === 304;
  // A 304 has the headers of the 200 that it replaces.
  const shown = isNotModified ? selectExample(examples, { ...requested, code: 200 }, context) : selected;
  const isDynamic = requested.isDynamic && shown.status < 300 && shown.example?.mediaType !== EVENT_STREAM;
  const response = await buildResponse(operation, { ...shown, isDynamic }, context);
  if (isNotModified) return toNotModified(operation, response);
  const isProblem = shown.example?.mediaType === 'application/problem+json';
  const problem = isProblem ? toProblem(response.body, response.headers) : undefined;
  if (problem) {
    for (const name of listUndeclaredHeaders(operation, response.status)) delete c.get('headers')[name];
    throw problem;
  }
  if (response.status < 300) rejectOutdated(operation, c.req.header('If-Match'), context.baseUrl);
  return response;
};

const send = (c: Context<Env>, { status, body, headers }: MockResponse, wait: Wait): Response => {
  if (headers['Content-Type'] === EVENT_STREAM)
    return sendEventStream(c, createExampleStream(String(body), { lastId: c.req.header('Last-Event-ID'), wait }));
  if (body === undefined) return c.body(null, status as StatusCode, headers);
  return sendBody(c, createBody(Buffer.from(JSON.stringify(body))), { status, headers });
};

/** Creates the handlers of a document by `operationId`. Throws when the document lacks one of the routes. */
const createHandlers = async (
  document: JsonObject,
  routes: readonly RouteConfig[],
  wait: Wait,
): Promise<ReadonlyMap<string, MockHandler>> => {
  const operations = listOperations(document);
  const generate = await createResponseGenerator(document);
  return new Map(
    routes.map((route) => {
      const operation = operations.find(({ method, path }) => method === route.method && path === route.path);
      if (!operation) throw new Error(`the document has no operation ${route.method} ${route.path}`);
      const statuses = Object.keys(toJsonObject(operation.operation['responses'])).map(Number);
      const examples = { route, statuses, examples: listExamples(document, operation) };
      const mockOperation = { document, operation, generate };
      return [String(route.operationId), async (c) => send(c, await respond(mockOperation, examples, c), wait)];
    }),
  );
};

export type MockApiOptions = {
  /** Returns the bundled document of the version. */
  readonly readDocument: () => JsonObject;
  /** The generated routes of the same version. */
  readonly routes: readonly RouteConfig[];
  readonly wait: Wait;
};

/** The mock of a version. Its document is read by `load`, or by the first request. */
export type MockApi = { readonly api: ProductApi; readonly load: () => Promise<void> };

/** Creates the application of one document, whose operations return its examples. Requests are validated by the same routes as in the service. */
export const createMockApi = ({ readDocument, routes, wait }: MockApiOptions): MockApi => {
  const api = createApi();
  let handlers: Promise<ReadonlyMap<string, MockHandler>> | undefined;
  const load = (): Promise<ReadonlyMap<string, MockHandler>> =>
    (handlers ??= createHandlers(readDocument(), routes, wait));
  for (const route of routes)
    api.openapi(route, async (c: Context<Env>) => {
      const handle = (await load()).get(String(route.operationId));
      if (!handle) throw new Error(`the mock has no handler of ${route.operationId}`);
      return handle(c);
    });
  return { api, load: async () => void (await load()) };
};
