import { resolveReference, toJsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';
import { servedDocuments, type ServedDocument } from '../services/served-documents.ts';

export type ResponseExample = {
  readonly served: ServedDocument;
  readonly operation: OpenApiOperation;
  /** The name that selects the example. */
  readonly name: string;
  readonly mediaType: string;
  /** Path and query of its request, without the version; empty if the document has none. */
  readonly request: string;
  readonly value: unknown;
};

const listExamples = (served: ServedDocument, operation: OpenApiOperation): readonly ResponseExample[] => {
  const { document } = served.contract;
  return Object.entries(toJsonObject(operation.operation['responses']))
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) =>
      Object.entries(toJsonObject(toJsonObject(resolveReference(document, response))['content'])),
    )
    .flatMap(([mediaType, media]) =>
      Object.entries(toJsonObject(toJsonObject(media)['examples'])).map(([name, one]) => {
        const { 'x-request': request = '', value } = toJsonObject(resolveReference(document, one));
        return { served, operation, name, mediaType, request: String(request), value };
      }),
    );
};

export const responseExamples: readonly ResponseExample[] = servedDocuments.flatMap((served) =>
  served.contract.operations().flatMap((operation) => listExamples(served, operation)),
);

export const groupByOperation = (): ReadonlyMap<string, readonly ResponseExample[]> =>
  Map.groupBy(
    responseExamples,
    ({ served, operation: { operation } }) => `${served.name} ${String(operation['operationId'])}`,
  );
