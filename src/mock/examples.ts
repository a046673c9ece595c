import { Problem, type ProblemKind, problemKinds } from '../http/response/problem.ts';
import {
  type JsonObject,
  type OpenApiOperation,
  resolveReference,
  toJsonObject,
  toList,
} from '../lib/openapi-document.ts';

const isKind = (text: string): text is ProblemKind => Object.hasOwn(problemKinds, text);

/**
 * Converts the body of an example to a Problem, so that the response has the path and ID of the actual request. Returns undefined when the
 * service has no problem of this kind.
 */
export const toProblem = (body: unknown, headers: Readonly<Record<string, string>>): Problem | undefined => {
  const { type, detail, errors } = toJsonObject(body);
  const kind = String(type).replace('/docs/errors#', '');
  if (!isKind(kind)) return undefined;
  const messages = Object.entries(toJsonObject(errors)).map(
    ([name, list]) => [name, toList(list).map(String)] as const,
  );
  return new Problem(kind, String(detail), {
    headers,
    ...(messages.length > 0 && { errors: Object.fromEntries(messages) }),
  });
};

/** A named example of a response in a document. */
export type Example = {
  readonly name: string;
  readonly status: number;
  readonly mediaType: string;
  readonly value: unknown;
  /** The request it belongs to, from `x-request`: path and query. */
  readonly request: string | undefined;
};

/** Lists the examples of an operation's responses, in the order of the document. */
export const listExamples = (document: JsonObject, { operation }: OpenApiOperation): readonly Example[] =>
  Object.entries(toJsonObject(operation['responses'])).flatMap(([status, response]) =>
    Object.entries(toJsonObject(toJsonObject(resolveReference(document, response))['content'])).flatMap(
      ([mediaType, media]) =>
        Object.entries(toJsonObject(toJsonObject(media)['examples'])).map(([name, one]): Example => {
          const { value, 'x-request': request } = toJsonObject(resolveReference(document, one));
          return {
            name,
            status: Number(status),
            mediaType,
            value,
            request: typeof request === 'string' ? request : undefined,
          };
        }),
    ),
  );

/** Whether the status of an example is 2xx. */
export const isSuccess = ({ status }: Example): boolean => status >= 200 && status < 300;
