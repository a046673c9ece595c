import type { z } from '@hono/zod-openapi';

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
