import { resolveReference, toJsonObject, type JsonObject, type OpenApiOperation } from '../lib/openapi-document.ts';

/** A named example of an answer, as a document has it. */
export type Example = {
  readonly name: string;
  readonly status: number;
  readonly mediaType: string;
  readonly value: unknown;
  /** The request that it answers, `x-request`: a path of the service with a query. */
  readonly request: string | undefined;
};

/** The examples of an operation's answers, in the order of the document. */
export const examplesOf = (document: JsonObject, { operation }: OpenApiOperation): readonly Example[] =>
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

/** Whether an example shows success. */
export const isSuccess = ({ status }: Example): boolean => status >= 200 && status < 300;
