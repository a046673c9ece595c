import type { Pages } from './pages.ts';
import type { ResponseHead } from './transport.ts';

/** Settings of every call. */
export type CallSettings = {
  /** Ends the call immediately, also while it waits for a retry. */
  readonly signal?: AbortSignal;
  /** Timeout of one attempt, milliseconds; by default that of the client. */
  readonly timeoutMs?: number;
  /** Called with the status and the headers of each response, e.g. to read its `ETag`. */
  readonly onResponse?: (response: ResponseHead) => void;
};

/** The parameters of an operation, generated from its document. */
type OperationData = {
  readonly body?: unknown;
  readonly headers?: unknown;
  readonly path?: unknown;
  readonly query?: unknown;
};

/** The parameters of a call by location, with their names in the document. The client adds `version`. */
export type Call<D extends OperationData> = {
  [K in keyof D as K extends 'body' | 'headers' | 'path' ? K : never]: D[K];
} & {
  [K in keyof D as K extends 'query' ? K : never]: Omit<NonNullable<D[K]>, 'version'>;
} & CallSettings;

type BodyOf<R> = R[keyof R];

type ResultOf<R> =
  BodyOf<R> extends { readonly data: readonly (infer T)[]; readonly paging: object }
    ? Pages<T, BodyOf<R>>
    : Promise<BodyOf<R>>;

/** The function of an operation, from its parameter and response types. Paged lists are iterated, others are awaited. */
export type Operation<D extends OperationData, R> =
  Partial<Call<D>> extends Call<D> ? (call?: Call<D>) => ResultOf<R> : (call: Call<D>) => ResultOf<R>;

/** Operations with the names and doc comments of the generated functions; a missing one does not compile. */
export type DescribedOperations<Sdk, T extends Readonly<Record<keyof Sdk, unknown>>> = {
  readonly [K in keyof Sdk]: T[K];
};

/** Names of the paged lists of a product. */
export type ListNames<P> = {
  [K in keyof P]: P[K] extends (...args: never[]) => Promise<unknown> ? never : K;
}[keyof P];

type CallOf<F> = F extends (call: infer C) => unknown ? NonNullable<C> : never;

type HeadersOf<C> = C extends { readonly headers?: infer H }
  ? 'headers' extends keyof C
    ? NonNullable<H>
    : object
  : object;

/** Names of the operations with an `Idempotency-Key`. */
export type IdempotentNames<P> = {
  [K in keyof P]: 'Idempotency-Key' extends keyof HeadersOf<CallOf<P[K]>> ? K : never;
}[keyof P];
