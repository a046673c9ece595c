import type { Pages } from './pages.ts';
import type { AnswerHead } from './transport.ts';

/** What can be said to every call. */
export type CallSettings = {
  /** Ends the call at once, also while it waits to be sent again. */
  readonly signal?: AbortSignal;
  /** For one attempt, milliseconds; by default that of the client. */
  readonly timeoutMs?: number;
  /** Shown the status and the headers of each answer, e.g. to take its `ETag`. */
  readonly onAnswer?: (answer: AnswerHead) => void;
};

/** What an operation takes, as generated from its document. */
type Declared = {
  readonly body?: unknown;
  readonly headers?: unknown;
  readonly path?: unknown;
  readonly query?: unknown;
};

/** The parameters of a call by where they stand, with their names in the document. The client sends the version itself. */
export type Call<D extends Declared> = {
  [K in keyof D as K extends 'body' | 'headers' | 'path' ? K : never]: D[K];
} & {
  [K in keyof D as K extends 'query' ? K : never]: Omit<NonNullable<D[K]>, 'version'>;
} & CallSettings;

type BodyOf<R> = R[keyof R];

type AnswerOf<R> =
  BodyOf<R> extends { readonly data: readonly (infer T)[]; readonly paging: object }
    ? Pages<T, BodyOf<R>>
    : Promise<BodyOf<R>>;

/** One operation: from the parameters and the answers of its document to a function. A paged list is walked, all else is awaited. */
export type Operation<D extends Declared, R> =
  Partial<Call<D>> extends Call<D> ? (call?: Call<D>) => AnswerOf<R> : (call: Call<D>) => AnswerOf<R>;

/** Operations under the names and with the descriptions of the generated ones; one that is left out does not compile. */
export type Described<Sdk, T extends Readonly<Record<keyof Sdk, unknown>>> = { readonly [K in keyof Sdk]: T[K] };

/** The paged lists of a product. */
export type ListNames<P> = {
  [K in keyof P]: P[K] extends (...given: never[]) => Promise<unknown> ? never : K;
}[keyof P];

type CallOf<F> = F extends (call: infer C) => unknown ? NonNullable<C> : never;

type HeadersOf<C> = C extends { readonly headers?: infer H }
  ? 'headers' extends keyof C
    ? NonNullable<H>
    : object
  : object;

/** The operations of a product that take an `Idempotency-Key`. */
export type KeyedNames<P> = {
  [K in keyof P]: 'Idempotency-Key' extends keyof HeadersOf<CallOf<P[K]>> ? K : never;
}[keyof P];
