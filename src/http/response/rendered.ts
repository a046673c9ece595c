declare const shape: unique symbol;

/** JSON text that is ready to send, known to have the shape `T`: it is passed on byte for byte, never parsed or written again. */
export type Rendered<T> = { readonly bytes: Uint8Array; readonly [shape]?: T };

/** Vouches that these bytes are the UTF-8 JSON text of a `T`. */
export const rendered = <T>(bytes: Uint8Array): Rendered<T> => ({ bytes });

const answered = Symbol('answered');

/** An answer with another status than 200, or with headers of its own. */
export type Answer<S extends number, T> = {
  readonly [answered]: true;
  readonly status: S;
  readonly body: T | Rendered<T>;
  readonly headers: Readonly<Record<string, string>>;
};

/** Answers with a status of the operation's contract, e.g. 503 on a health check or 201 with a `Location`; an undefined body sends none. */
export const answer = <const S extends number, T>(
  status: S,
  body: T | Rendered<T>,
  headers: Readonly<Record<string, string>> = {},
): Answer<S, T> => ({ [answered]: true, status, body, headers });

/** Whether a handler's result was made by `answer`. */
export const isAnswer = (value: unknown): value is Answer<number, unknown> =>
  typeof value === 'object' && value !== null && answered in value;

/** Whether a handler's result holds finished bytes: no JSON value does, so it cannot be mistaken. */
export const isRendered = (value: unknown): value is Rendered<unknown> =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;
