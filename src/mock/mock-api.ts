import type { RouteConfig } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { createBody, sendBody } from '#http/context/body.ts';
import type { Env } from '#http/context/env.ts';
import { sendEventStream } from '#http/context/event-stream.ts';
import { createApi, type ProductApi } from '#http/handler/create-api.ts';
import { listOperations, toJsonObject, type JsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';
import { buildResponse, rejectOutdated } from './build-response.ts';
import { createExampleStream, type Wait } from './example-stream.ts';
import { isSuccess, listExamples } from './examples.ts';
import { parsePreferences } from './preferences.ts';
import { createPrism, type RequestPrism } from './prism.ts';
import { selectResponse, type OperationExamples } from './select-response.ts';
import { validateQuery } from './validate-query.ts';

/** An operation of a document, with what its responses are selected from. */
type MockOperation = OperationExamples & {
  readonly document: JsonObject;
  readonly operation: OpenApiOperation;
  readonly prism: RequestPrism;
};

const PROBLEM = 'application/problem+json';

const versionHeaders = ['api-version', 'deprecation', 'link', 'sunset'];

/** Headers that the application sets for the actual request; their examples would be wrong. */
const ownHeaders = [...versionHeaders, 'ignored-parameters', 'x-accel-buffering', 'x-request-id'];

/** Returns Prism's response to a valid request: the preferred one, or else the example that matches the request best. */
const respond = async (mocked: MockOperation, c: Context<Env>, wait: Wait): Promise<Response> => {
  const { document, operation, statuses } = mocked;
  const preferences = parsePreferences(c.req.raw.headers.get('prefer'));
  // A requested error or example needs no complete query.
  if (preferences.code === undefined && preferences.example === undefined)
    validateQuery(mocked.route, c.get('query'), c.get('now'));
  const isUnchanged = preferences.code === 304 && statuses.includes(304);
  // The middleware of conditional requests makes the 304 from the 200 that it replaces.
  if (isUnchanged) c.req.raw.headers.set('If-None-Match', '*');
  const mediaType = c.get('mediaType') ?? 'application/json';
  const preferred = isUnchanged ? { ...preferences, code: 200 } : preferences;
  const selected = selectResponse(mocked, preferred, { ...c.var, mediaType });
  const isStream = selected.example?.mediaType === 'text/event-stream';
  const response = await mocked.prism(operation, c.get('publicPath'), {
    code: selected.status,
    mediaTypes: [mediaType, PROBLEM],
    dynamic: preferences.isDynamic && isSuccess(selected) && !isStream,
    ...(selected.example && { exampleKey: selected.example.name }),
  });
  const linked = { document, baseUrl: c.get('baseUrl') };
  const { body, headers: declared } = buildResponse(response, linked);
  const headers = Object.fromEntries(Object.entries(declared).filter(([name]) => !ownHeaders.includes(name)));
  const send = (content: unknown, all: Readonly<Record<string, string>>): Response =>
    sendBody(c, createBody(Buffer.from(JSON.stringify(content))), { status: response.statusCode, headers: all });
  if (headers['content-type'] === PROBLEM) {
    // A problem need not declare the headers of a version. Prism adds Deprecation to every response of a deprecated operation.
    for (const name of versionHeaders)
      if (!((name === 'deprecation' ? 'sunset' : name) in declared)) delete c.get('headers')[name];
    const problem = { ...toJsonObject(body), instance: c.get('publicPath'), traceId: c.get('requestId') };
    return send(problem, { 'cache-control': 'no-store', ...headers });
  }
  const ifMatch = operation.parameters.some(({ name }) => name === 'If-Match') ? c.req.header('If-Match') : '';
  if (ifMatch) rejectOutdated(ifMatch, linked);
  if (!isStream) return send(body, headers);
  return sendEventStream(c, createExampleStream(String(body), c.req.header('Last-Event-ID'), wait));
};

/** Loads a document into Prism. Returns its operations by route; throws when it lacks one of the routes. */
const loadOperations = async (document: JsonObject, routes: readonly RouteConfig[]) => {
  const prism = await createPrism(document);
  const operations = listOperations(document);
  return new Map(
    routes.map((route): readonly [RouteConfig, MockOperation] => {
      const operation = operations.find(({ method, path }) => method === route.method && path === route.path);
      if (!operation) throw new Error(`the document has no operation ${route.method} ${route.path}`);
      const statuses = Object.keys(toJsonObject(operation.operation['responses'])).map(Number);
      return [route, { document, operation, route, statuses, examples: listExamples(document, operation), prism }];
    }),
  );
};

/** The mock of a version. Its document is read by `load`, or by the first request. */
export type MockApi = { readonly api: ProductApi; readonly load: () => Promise<unknown> };

/** Creates the application of one document: the routes of the service validate, and Prism responds. */
export const createMockApi = (readDocument: () => JsonObject, routes: readonly RouteConfig[], wait: Wait): MockApi => {
  const api = createApi({ reads: 'primary' });
  let loaded: ReturnType<typeof loadOperations> | undefined;
  const load = () => (loaded ??= loadOperations(readDocument(), routes));
  for (const route of routes)
    api.openapi(route, async (c: Context<Env>) => {
      const operation = (await load()).get(route);
      if (!operation) throw new Error(`the mock has no operation ${route.operationId}`);
      return respond(operation, c, wait);
    });
  return { api, load };
};
