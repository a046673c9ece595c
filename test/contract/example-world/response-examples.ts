import { resolveReference, toJsonObject, type OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import { servedDocuments, type ServedDocument } from '../services/served-documents.ts';

/** An example of an answer that succeeds. */
export type ResponseExample = {
  readonly served: ServedDocument;
  readonly operation: OpenApiOperation;
  /** The name by which it is asked for. */
  readonly name: string;
  readonly mediaType: string;
  /** The path and the query that it answers, without the version; '' where the document tells none. */
  readonly request: string;
  readonly value: unknown;
};

const shownOf = (served: ServedDocument, operation: OpenApiOperation): readonly ResponseExample[] => {
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

/** Every example of an answer that succeeds, of every operation of every version. */
export const responseExamples: readonly ResponseExample[] = servedDocuments.flatMap((served) =>
  served.contract.operations().flatMap((operation) => shownOf(served, operation)),
);

/** `flight-info/v2 listFlightInstances firstPage`. */
export const formatExampleTitle = ({ served, operation: { operation }, name }: ResponseExample): string =>
  `${served.name} ${String(operation['operationId'])} ${name}`;

/** An address as `x-request` has it: from the path on, without the version. */
export const removeVersion = (address: string): string => {
  const { pathname, search } = new URL(address, 'http://localhost:8080');
  const rest = search
    .slice(1)
    .split('&')
    .filter((one) => one !== '' && !one.startsWith('version='));
  return rest.length === 0 ? pathname : `${pathname}?${rest.join('&')}`;
};

/** The examples by operation, each with its operation's title. */
export const groupByOperation = (): ReadonlyMap<string, readonly ResponseExample[]> =>
  Map.groupBy(
    responseExamples,
    ({ served, operation: { operation } }) => `${served.name} ${String(operation['operationId'])}`,
  );
