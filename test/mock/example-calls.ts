import { resolveReference, toJsonObject, type OpenApiOperation } from '../../src/lib/openapi-document.ts';
import { listExamples, isSuccess, type Example } from '../../src/mock/examples.ts';
import { listBodyExamples } from '../contract/random/bodies.ts';
import { withParameter } from '../contract/responses/envelope.ts';
import { toParameter } from '../contract/random/parameter-values.ts';
import type { ServedDocument } from '../contract/services/served-documents.ts';

/** A request of an operation. */
export type ExampleCall = { readonly path: string; readonly init: RequestInit };

/** The path of an operation with the examples of its parameters in it. */
const pathShown = ({ contract: { document } }: ServedDocument, { path, parameters }: OpenApiOperation): string => {
  const declared = parameters.map((one) => toParameter(document, one));
  return path.replaceAll(/\{(.+?)\}/g, (_, name: string) =>
    encodeURIComponent(declared.find((one) => one.name === name)?.examples[0] ?? ''),
  );
};

/** Returns the valid request for a response example, with a key, on a day of its version; for a rejection, the request of the first success. */
export const toExampleCall = (
  served: ServedDocument,
  operation: OpenApiOperation,
  { example, prefer = [] }: { readonly example: Example | undefined; readonly prefer?: readonly string[] },
): ExampleCall => {
  const { document } = served.contract;
  const shown = example && isSuccess(example) ? example : listExamples(document, operation).find(isSuccess);
  const path = withParameter(shown?.request ?? pathShown(served, operation), 'version', served.version);
  const needed = operation.parameters
    .map((one) => toParameter(document, one))
    .filter((one) => one.in === 'header' && one.isRequired)
    .map(({ name, examples }) => [name, examples[0] ?? ''] as const);
  const [body] = listBodyExamples(served, operation);
  const isStream = example?.mediaType === 'text/event-stream';
  return {
    path,
    init: {
      method: operation.method.toUpperCase(),
      headers: {
        'Subscription-Key': 'any',
        Prefer: [`today=${served.day}`, ...prefer].join(', '),
        Accept: isStream ? 'text/event-stream' : 'application/json',
        ...Object.fromEntries(needed),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    },
  };
};

/** The statuses that an operation declares. */
export const statusesOf = ({ operation }: OpenApiOperation): readonly number[] =>
  Object.keys(toJsonObject(operation['responses'])).map(Number);

/** The headers that an operation declares with a status, in small letters. */
export const declaredHeaders = (
  { contract: { document } }: ServedDocument,
  { operation }: OpenApiOperation,
  status: number,
): ReadonlySet<string> => {
  const response = toJsonObject(resolveReference(document, toJsonObject(operation['responses'])[status]));
  return new Set(Object.keys(toJsonObject(response['headers'])).map((name) => name.toLowerCase()));
};
