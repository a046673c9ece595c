import { follow, nodeOf, type Node, type Operation } from '../lib/openapi-document.ts';

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
export const examplesOf = (document: Node, { operation }: Operation): readonly Example[] =>
  Object.entries(nodeOf(operation['responses'])).flatMap(([status, response]) =>
    Object.entries(nodeOf(nodeOf(follow(document, response))['content'])).flatMap(([mediaType, media]) =>
      Object.entries(nodeOf(nodeOf(media)['examples'])).map(([name, one]): Example => {
        const { value, 'x-request': request } = nodeOf(follow(document, one));
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
