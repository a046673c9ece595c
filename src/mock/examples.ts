import { type JsonObject, type OpenApiOperation, resolveReference, toJsonObject } from '#lib/openapi-document.ts';

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
          const target = typeof request === 'string' ? request : undefined;
          return { name, status: Number(status), mediaType, value, request: target };
        }),
    ),
  );

/** Whether the status of an example is 2xx. */
export const isSuccess = ({ status }: Pick<Example, 'status'>): boolean => status >= 200 && status < 300;
