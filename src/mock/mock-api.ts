import type { RouteConfig } from '@hono/zod-openapi';
import { bindOperation, createApi, type Api } from '../http/handler/api.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { computeJsonEntityTag, hasMatchingTag } from '../http/response/conditional.ts';
import { HttpResponse, jsonResponse } from '../http/response/http-response.ts';
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
import type { Preferences } from './preferences.ts';
import { createResponseGenerator } from './prism.ts';
import { selectExample, type OperationExamples } from './select-example.ts';

export type MockApiOptions = {
  /** The bundled document of a version. */
  readonly document: JsonObject;
  /** The generated routes of the same version. */
  readonly routes: readonly RouteConfig[];
  /** Returns the preferences of the current request. */
  readonly preferences: () => Preferences;
  /** Removes headers from the response to the current request that the router adds. */
  readonly omitHeaders: (headers: readonly string[]) => void;
  readonly wait: Wait;
};

type RequestHooks = Pick<MockApiOptions, 'preferences' | 'omitHeaders'>;

/** A route that declares a stream of events. */
type StreamingRoute = RouteConfig & {
  readonly responses: { readonly 200: { readonly content: { readonly 'text/event-stream': unknown } } };
};

/** The only part of the validated input that responses depend on. */
type InputHeaders = { readonly headers: unknown };

const EVENT_STREAM = 'text/event-stream';

const isStreaming = (route: RouteConfig): route is StreamingRoute =>
  EVENT_STREAM in toJsonObject(toJsonObject(toJsonObject(route.responses)['200'])['content']);

/** Converts a response; the document guarantees that the body has the type of the contract. */
const toHttpResponse = ({ status, body, headers }: MockResponse): HttpResponse<number, undefined> =>
  body === undefined
    ? jsonResponse(status, undefined, headers)
    : new HttpResponse<number, undefined>({ status, headers, body: Buffer.from(JSON.stringify(body)) });

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

/** Creates the handler of an operation: it returns the preferred example, or else the one that matches the request best. */
const createExampleHandler =
  (operation: MockOperation, examples: OperationExamples, { preferences, omitHeaders }: RequestHooks) =>
  async ({ headers }: InputHeaders, context: RequestContext): Promise<MockResponse> => {
    const requested = preferences();
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
      omitHeaders(listUndeclaredHeaders(operation, response.status));
      throw problem;
    }
    if (response.status < 300) rejectOutdated(operation, toJsonObject(headers)['If-Match'], context.baseUrl);
    return response;
  };

/**
 * Creates the API of one document, whose operations return its examples. Requests are validated by the same routes as in the service. Throws
 * when the document lacks one of the routes.
 */
export const createMockApi = async ({ document, routes, wait, ...hooks }: MockApiOptions): Promise<Api> => {
  const api = createApi();
  const operations = listOperations(document);
  const generate = await createResponseGenerator(document);
  for (const route of routes) {
    const operation = operations.find(({ method, path }) => method === route.method && path === route.path);
    if (!operation) throw new Error(`the document has no operation ${route.method} ${route.path}`);
    const statuses = Object.keys(toJsonObject(operation.operation['responses'])).map(Number);
    const examples = { route, statuses, examples: listExamples(document, operation) };
    const handle = createExampleHandler({ document, operation, generate }, examples, hooks);
    if (!isStreaming(route)) {
      bindOperation<RouteConfig>(api, route, async (input, context) => toHttpResponse(await handle(input, context)));
      continue;
    }
    bindOperation<StreamingRoute>(api, route, async (input: InputHeaders, context) => {
      const response = await handle(input, context);
      if (response.headers['Content-Type'] !== EVENT_STREAM) return toHttpResponse(response);
      const lastId = toJsonObject(input.headers)['Last-Event-ID'];
      return createExampleStream(String(response.body), {
        lastId: typeof lastId === 'string' ? lastId : undefined,
        wait,
      });
    });
  }
  return api;
};
