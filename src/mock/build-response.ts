import {
  resolveReference,
  toList,
  toJsonObject,
  listOperations,
  type JsonObject,
  type OpenApiOperation,
} from '../lib/openapi-document.ts';
import { computeJsonEntityTag } from '../http/response/conditional.ts';
import type { RequestVariables } from '../http/context/env.ts';
import type { SelectedExample } from './select-example.ts';
import type { GenerateResponse } from './prism.ts';

/** An operation of a document, and the response generator of that document. */
export type MockOperation = {
  readonly document: JsonObject;
  readonly operation: OpenApiOperation;
  readonly generate: GenerateResponse;
};

/** A response with its body as a value. */
export type MockResponse = {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

/** Headers that depend on the actual request; their examples would be wrong. */
const requestHeaders = new Set([
  'api-version',
  'deprecation',
  'etag',
  'link',
  'location',
  'sunset',
  'x-accel-buffering',
  'x-request-id',
]);

/** Replaces the server URL of the document in an example, so that its links lead back to the mock. */
export const replaceServerUrl = (body: unknown, document: JsonObject, baseUrl: string): unknown => {
  const { url } = toJsonObject(toList(document['servers'])[0]);
  if (body === undefined || typeof url !== 'string') return body;
  const replaced: unknown = JSON.parse(JSON.stringify(body).replaceAll(`${url}/`, `${baseUrl}/`));
  return replaced;
};

/** Builds the `Location` of a created object: its path below the collection in the document, with the ID in the body. */
const buildLocation = (
  { document, operation }: MockOperation,
  body: unknown,
  { baseUrl, path, version }: RequestVariables,
): string | undefined => {
  const items = listOperations(document).filter((one) => one.path.startsWith(`${operation.path}/{`));
  const name = items.map((one) => /^\/\{(\w+)\}$/.exec(one.path.slice(operation.path.length))?.[1]).find(Boolean) ?? '';
  // The response to a created alert is its ID alone, as `data`.
  const { [name]: named, data } = toJsonObject(body);
  const id = named ?? data;
  return typeof id === 'string' ? `${baseUrl}${path}/${id}?version=${version}` : undefined;
};

const listDeclaredHeaders = ({ document, operation }: MockOperation, status: number): ReadonlySet<string> =>
  new Set(
    Object.keys(
      toJsonObject(
        toJsonObject(resolveReference(document, toJsonObject(operation.operation['responses'])[status]))['headers'],
      ),
    ),
  );

/** Headers of a version that the router adds to every response. */
const versionHeaders = ['api-version', 'deprecation', 'link', 'sunset'];

/** Lists the version headers that a status does not declare: a problem about an unknown version has none. */
export const listUndeclaredHeaders = (operation: MockOperation, status: number): readonly string[] => {
  const declared = new Set([...listDeclaredHeaders(operation, status)].map((name) => name.toLowerCase()));
  return versionHeaders.filter((name) => !declared.has(name));
};

/** Builds the response of the selected example for the actual request; with `isDynamic` the body is generated from the schema. */
export const buildResponse = async (
  operation: MockOperation,
  { status, example, isDynamic }: SelectedExample & { readonly isDynamic: boolean },
  context: RequestVariables,
): Promise<MockResponse> => {
  const mediaType = example?.mediaType ?? 'application/json';
  const request = { status, mediaType, example: example?.name, isDynamic };
  const generated = await operation.generate(operation.operation, request, context.path);
  const body = replaceServerUrl(generated.body, operation.document, context.baseUrl);
  const declared = listDeclaredHeaders(operation, status);
  const exampleHeaders = Object.entries(generated.headers).filter(([name]) => !requestHeaders.has(name.toLowerCase()));
  const location = declared.has('Location') ? buildLocation(operation, body, context) : undefined;
  return {
    status,
    body,
    headers: {
      'Content-Type': mediaType,
      ...Object.fromEntries(exampleHeaders),
      ...(declared.has('ETag') && { ETag: computeJsonEntityTag(body) }),
      ...(location !== undefined && { Location: location }),
    },
  };
};

/** Converts a response to its 304: the headers that the document declares for it, and no body. */
export const toNotModified = (operation: MockOperation, { headers }: MockResponse): MockResponse => {
  const declared = listDeclaredHeaders(operation, 304);
  const declaredOnly = Object.entries(headers).filter(([name]) => declared.has(name));
  return { status: 304, body: undefined, headers: Object.fromEntries(declaredOnly) };
};
