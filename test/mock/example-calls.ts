import { toJsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';
import { listExamples, isSuccess, type Example } from '#mock/examples.ts';
import { findBodyType, listBodyTexts } from '../contract/random/bodies.ts';
import { withParameter } from '../contract/responses/envelope.ts';
import { listParameters } from '../contract/random/parameter-values.ts';
import type { ServedDocument } from '../contract/services/served-documents.ts';

/** Returns the valid request for a response example, with a key, on a day of its version; for a rejection, the request of the first success. */
export const toExampleCall = (
  served: ServedDocument,
  operation: OpenApiOperation,
  { example, prefer = [] }: { readonly example: Example | undefined; readonly prefer?: readonly string[] },
) => {
  const { document } = served.contract;
  const declared = listParameters(served.contract, operation);
  const fill = (_: string, name: string): string =>
    encodeURIComponent(declared.find((one) => one.name === name)?.examples[0] ?? '');
  const shown = example && isSuccess(example) ? example : listExamples(document, operation).find(isSuccess);
  const path = shown?.request ?? operation.path.replaceAll(/\{(.+?)\}/g, fill);
  const needed = declared
    .filter((one) => one.in === 'header' && one.isRequired)
    .map(({ name, examples }) => [name, examples[0] ?? ''] as const);
  const [body] = listBodyTexts(served, operation);
  const type = findBodyType(served, operation);
  const isStream = example?.mediaType === 'text/event-stream';
  return {
    path: withParameter(path, 'version', served.version),
    init: {
      method: operation.method.toUpperCase(),
      headers: {
        'Subscription-Key': 'any',
        Prefer: [`today=${served.day}`, ...prefer].join(', '),
        Accept: isStream ? 'text/event-stream' : 'application/json',
        ...Object.fromEntries(needed),
        ...(type !== undefined && { 'Content-Type': type }),
      },
      ...(body !== undefined && { body }),
    },
  };
};

export const statusesOf = ({ operation }: OpenApiOperation): readonly number[] =>
  Object.keys(toJsonObject(operation['responses'])).map(Number);
