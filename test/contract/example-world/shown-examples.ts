import { follow, nodeOf, type Operation } from '../../../src/lib/openapi-document.ts';
import { servedDocuments, type ServedDocument } from '../served-documents.ts';

/** An example of an answer that succeeds. */
export type ShownExample = {
  readonly served: ServedDocument;
  readonly operation: Operation;
  /** The name by which it is asked for. */
  readonly name: string;
  readonly mediaType: string;
  /** The path and the query that it answers, without the version; '' where the document tells none. */
  readonly request: string;
  readonly value: unknown;
};

const shownOf = (served: ServedDocument, operation: Operation): readonly ShownExample[] => {
  const { document } = served.contract;
  return Object.entries(nodeOf(operation.operation['responses']))
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => Object.entries(nodeOf(nodeOf(follow(document, response))['content'])))
    .flatMap(([mediaType, media]) =>
      Object.entries(nodeOf(nodeOf(media)['examples'])).map(([name, one]) => {
        const { 'x-request': request = '', value } = nodeOf(follow(document, one));
        return { served, operation, name, mediaType, request: String(request), value };
      }),
    );
};

/** Every example of an answer that succeeds, of every operation of every version. */
export const shownExamples: readonly ShownExample[] = servedDocuments.flatMap((served) =>
  served.contract.operations().flatMap((operation) => shownOf(served, operation)),
);

/** `flight-info/v2 listFlightInstances firstPage`. */
export const titleOf = ({ served, operation: { operation }, name }: ShownExample): string =>
  `${served.name} ${String(operation['operationId'])} ${name}`;

/** An address as `x-request` has it: from the path on, without the version. */
export const requestOf = (address: string): string => {
  const { pathname, search } = new URL(address, 'http://localhost:8080');
  const rest = search
    .slice(1)
    .split('&')
    .filter((one) => one !== '' && !one.startsWith('version='));
  return rest.length === 0 ? pathname : `${pathname}?${rest.join('&')}`;
};

/** The examples by operation, each with its operation's title. */
export const byOperation = (): ReadonlyMap<string, readonly ShownExample[]> =>
  Map.groupBy(
    shownExamples,
    ({ served, operation: { operation } }) => `${served.name} ${String(operation['operationId'])}`,
  );
