import type { RouteConfig, z } from '@hono/zod-openapi';
import type { RequestContext } from '../request/request-context.ts';
import type { EventStream } from '../response/event-stream.ts';
import { HttpResponse, jsonResponse } from '../response/http-response.ts';
import { Problem } from '../response/problem.ts';
import { withEntityTag } from '../response/conditional.ts';
import { createInputValidator } from './validate-input.ts';

/** Handles requests of one version of a product after the router has accepted them; rejects a request by throwing a Problem. */
export type RequestHandler = (request: Request, context: RequestContext) => HttpResponse | Promise<HttpResponse>;

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
export type OperationInput<R> = {
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

/** The JSON type of an operation's response with a status. */
export type ResponseContent<R, S extends keyof ResponsesOf<R>> = JsonOf<ResponsesOf<R>[S]>;

type DeclaredResponses<R> = {
  [S in keyof ResponsesOf<R> & number]: ResponsesOf<R>[S] extends { readonly content: infer C }
    ? 'application/json' extends keyof C
      ? HttpResponse<S, ResponseContent<R, S>>
      : never
    : HttpResponse<S, undefined>;
}[keyof ResponsesOf<R> & number];

type Ok<R> = 200 extends keyof ResponsesOf<R> ? ResponseContent<R, 200> : never;

type DeclaredStream<R> =
  ResponsesOf<R> extends { readonly 200: { readonly content: { readonly 'text/event-stream': unknown } } }
    ? HttpResponse<200, EventStream>
    : never;

/** What a handler may return: a declared response, or only the JSON body of a 200. */
export type HandlerResult<R> = Ok<R> | DeclaredResponses<R> | DeclaredStream<R>;

/**
 * An operation as product code writes it: `const health: Handler<typeof healthRoute> = async (input, context) => ...`. Written in place
 * as an argument of `bindOperation`, literals of its result lose their types. Reject a request by throwing a Problem.
 */
export type Handler<R> = (input: OperationInput<R>, context: RequestContext) => Promise<HandlerResult<R>>;

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;

/** The operations of one OpenAPI document, each with its handler. */
export class Api {
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #routes: RouteConfig[] = [];

  /** The operations that have a handler. */
  get routes(): readonly RouteConfig[] {
    return this.#routes;
  }

  add(route: RouteConfig, handler: RequestHandler): void {
    this.#routes.push(route);
    this.#handlers.set(keyOf(route), handler);
  }

  /** Calls the handler of the operation that the router has selected. */
  readonly handle: RequestHandler = (request, context) => {
    const handler = this.#handlers.get(keyOf(context.operation));
    if (!handler) throw new Problem('unknown-path', `The path ${context.path} does not exist.`);
    return handler(request, context);
  };
}

export const createApi = (): Api => new Api();

/**
 * Adds an operation of the contract with its handler, which only receives input that fits the contract. Where the contract declares
 * a 304, a 200 gets an entity tag and conditional requests work; a handler may add `Last-Modified`.
 */
export const bindOperation = <const R extends RouteConfig>(api: Api, route: R, handler: Handler<R>): void => {
  const validateInput = createInputValidator(route);
  const isConditional = 304 in route.responses;
  api.add(route, async (request, context) => {
    // The schemas are those OperationInput takes its types from; the compiler cannot follow that through a generic route.
    const input = (await validateInput(request, context)) as OperationInput<R>;
    const result = await handler(input, context);
    const response: HttpResponse = result instanceof HttpResponse ? result : jsonResponse(200, result);
    return isConditional && response.status === 200 ? withEntityTag(response) : response;
  });
};
