import type { RouteConfig } from '@hono/zod-openapi';
import { toJsonObject, listOperations, type JsonObject } from '../lib/openapi-document.ts';
import { bindOperation, createApi, type Api } from '../http/handler/api.ts';
import { hasMatchingTag, computeJsonEntityTag } from '../http/response/conditional.ts';
import { Problem } from '../http/response/problem.ts';
import { HttpResponse, jsonResponse } from '../http/response/http-response.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { asProblem } from './as-problem.ts';
import { examplesOf, isSuccess } from './examples.ts';
import { makeAnswer, strangeHeaders, unchanged, withBase, type Made, type Stage } from './make-answer.ts';
import { pickAnswer, type Repertoire } from './pick-answer.ts';
import type { Preferences } from './preferences.ts';
import { openPrism } from './prism.ts';
import { shownStream, type Wait } from './shown-stream.ts';

export type MockApiOptions = {
  /** The bundle of a version. */
  readonly document: JsonObject;
  /** The generated routes of the same version. */
  readonly routes: readonly RouteConfig[];
  /** Of the request that is being answered. */
  readonly preferences: () => Preferences;
  /** Has headers left out of the answer to that request, which whoever sends it would add. */
  readonly leaveOut: (headers: readonly string[]) => void;
  readonly wait: Wait;
};

/** A route that can answer with a stream of events. */
type StreamingRoute = RouteConfig & {
  readonly responses: { readonly 200: { readonly content: { readonly 'text/event-stream': unknown } } };
};

/** What answers depend on of an input; the rest has been checked, and that is all. */
type Input = { readonly headers: unknown };

const EVENT_STREAM = 'text/event-stream';

const isStreaming = (route: RouteConfig): route is StreamingRoute =>
  EVENT_STREAM in toJsonObject(toJsonObject(toJsonObject(route.responses)['200'])['content']);

/** A made answer on its way; that its body has the shape of the contract the document has vouched for. */
const sent = ({ status, body, headers }: Made): HttpResponse<number, undefined> =>
  body === undefined
    ? jsonResponse(status, undefined, headers)
    : new HttpResponse<number, undefined>({ status, headers, body: Buffer.from(JSON.stringify(body)) });

/** The tags that the object of a change can have: those of what is shown of it, before the change and after. */
const tagsOf = ({ document, operation }: Stage, base: string): readonly string[] =>
  listOperations(document)
    .filter(
      (one) => one.path.startsWith(operation.path) && /^(\/\{\w+\})?$/.test(one.path.slice(operation.path.length)),
    )
    .flatMap((one) => examplesOf(document, one))
    .filter(isSuccess)
    .map(({ value }) => computeJsonEntityTag(withBase(value, document, base)));

const refuseOutdated = (stage: Stage, ifMatch: unknown, base: string): void => {
  if (typeof ifMatch !== 'string' || tagsOf(stage, base).some((tag) => hasMatchingTag(ifMatch, tag))) return;
  throw new Problem(
    'precondition-failed',
    'The object has none of the tags in If-Match. Get it again and look at what has changed.',
  );
};

/** How one operation answers: with what the caller prefers, else as fits the request. */
const answering =
  (stage: Stage, repertoire: Repertoire, { preferences, leaveOut }: Pick<MockApiOptions, 'preferences' | 'leaveOut'>) =>
  async ({ headers }: Input, context: RequestContext): Promise<Made> => {
    const wanted = preferences();
    const picked = pickAnswer(repertoire, wanted, context);
    const isKnown = picked.status === 304;
    // What is unchanged is what would be answered.
    const shown = isKnown ? pickAnswer(repertoire, { ...wanted, code: 200 }, context) : picked;
    const isDynamic = wanted.isDynamic && shown.status < 300 && shown.example?.mediaType !== EVENT_STREAM;
    const made = await makeAnswer(stage, { ...shown, isDynamic }, context);
    if (isKnown) return unchanged(stage, made);
    const isProblem = shown.example?.mediaType === 'application/problem+json';
    const problem = isProblem ? asProblem(made.body, made.headers) : undefined;
    if (problem) {
      leaveOut(strangeHeaders(stage, made.status));
      throw problem;
    }
    if (made.status < 300) refuseOutdated(stage, toJsonObject(headers)['If-Match'], context.base);
    return made;
  };

/**
 * The operations of one document, each answering with examples of that document. Requests are read and refused by the same routes
 * as those of the service. Throws when the document lacks one of the routes.
 */
export const mockApi = async ({ document, routes, wait, ...turn }: MockApiOptions): Promise<Api> => {
  const api = createApi();
  const operations = listOperations(document);
  const draw = await openPrism(document);
  for (const route of routes) {
    const operation = operations.find(({ method, path }) => method === route.method && path === route.path);
    if (!operation) throw new Error(`the document has no ${route.method} ${route.path}`);
    const statuses = Object.keys(toJsonObject(operation.operation['responses'])).map(Number);
    const repertoire = { route, statuses, examples: examplesOf(document, operation) };
    const made = answering({ document, operation, draw }, repertoire, turn);
    if (!isStreaming(route)) {
      bindOperation<RouteConfig>(api, route, async (input, context) => sent(await made(input, context)));
      continue;
    }
    bindOperation<StreamingRoute>(api, route, async (input: Input, context) => {
      const whole = await made(input, context);
      if (whole.headers['Content-Type'] !== EVENT_STREAM) return sent(whole);
      const lastId = toJsonObject(input.headers)['Last-Event-ID'];
      return shownStream(String(whole.body), { lastId: typeof lastId === 'string' ? lastId : undefined, wait });
    });
  }
  return api;
};
