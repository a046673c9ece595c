import { findBodyType, listBodyTexts } from '../random/bodies.ts';
import { listParameters } from '../random/parameter-values.ts';
import { withParameter } from '../responses/envelope.ts';
import type { ServedDocument } from '../services/served-documents.ts';
import { responseExamples, type ResponseExample } from './response-examples.ts';

/** A documented request: the one of a response example, with an example of the body where the operation has one. */
export type ExampleRequest = {
  /** The path of the operation, with the names of its parameters. */
  readonly operationPath: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

const toRequests = ({ served, operation, mediaType, request }: ResponseExample): readonly ExampleRequest[] => {
  const parameters = listParameters(served.contract, operation);
  const valueOf = (name: string): string => parameters.find((one) => one.name === name)?.examples[0] ?? '';
  const path = request === '' ? operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) => valueOf(name)) : request;
  const required = parameters.filter((one) => one.in === 'header' && one.isRequired);
  const common = {
    operationPath: operation.path,
    method: operation.method.toUpperCase(),
    path: withParameter(path, 'version', served.version),
    headers: { accept: mediaType, ...Object.fromEntries(required.map(({ name }) => [name, valueOf(name)])) },
  };
  const type = findBodyType(served, operation);
  if (type === undefined) return [common];
  const headers = { ...common.headers, 'content-type': type };
  return listBodyTexts(served, operation).map((body) => ({ ...common, headers, body }));
};

/** Lists all documented requests of a document, each once. */
export const listExampleRequests = (served: ServedDocument): readonly ExampleRequest[] => {
  const requests = responseExamples.filter((one) => one.served === served).flatMap(toRequests);
  return [...new Map(requests.map((one) => [JSON.stringify(one), one])).values()];
};
