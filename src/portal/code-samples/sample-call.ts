import {
  isJsonObject,
  resolveReference,
  toJsonObject,
  toList,
  type JsonObject,
  type OpenApiOperation,
} from '#lib/openapi-document.ts';
import type { CatalogProduct, CatalogVersion } from '#http/router/version-lifecycle.ts';
import { sampleRequests, variableHints } from './sample-requests.ts';

/** A version of a product, and its document. */
export type DocumentedVersion = {
  readonly product: CatalogProduct;
  readonly version: CatalogVersion;
  readonly document: JsonObject;
};

/** A query parameter: a text, which can be a variable, or a list or number by its schema. */
export type SampleParameter = {
  readonly name: string;
  readonly value: string;
  readonly kind: 'text' | 'list' | 'number';
};

/**
 * The request of a code sample, for all languages. `{alertId}` in `path`, query values and `body` is a variable, and `{today}` the current
 * UTC date.
 */
export type SampleCall = {
  readonly operationId: string;
  readonly method: OpenApiOperation['method'];
  /** The base URL of the service. */
  readonly server: string;
  readonly path: string;
  /** The path parameters by name. */
  readonly pathValues: readonly { readonly name: string; readonly value: string }[];
  readonly query: readonly SampleParameter[];
  readonly needsKey: boolean;
  readonly needsAccount: boolean;
  readonly body?: unknown;
  /** The body of an operation whose body is not JSON. */
  readonly textBody?: { readonly mediaType: string; readonly text: string };
  /** Variables in the order of their use, without `today`. */
  readonly variables: readonly string[];
  readonly usesToday: boolean;
  /** The namespace of the product in the client package; undefined for versions that it does not contain. */
  readonly client: string | undefined;
  /** Whether the client returns the pages of a list. */
  readonly isPaged: boolean;
};

/** Returns the example of that name, or the first one, of a parameter or a body. */
const findExample = (document: JsonObject, one: JsonObject, name?: string): unknown => {
  const examples = toJsonObject(one['examples']);
  const first = (name === undefined ? undefined : examples[name]) ?? Object.values(examples)[0];
  return first === undefined ? one['example'] : toJsonObject(resolveReference(document, first))['value'];
};

const findKind = (document: JsonObject, parameter: JsonObject | undefined): SampleParameter['kind'] => {
  const { type } = toJsonObject(resolveReference(document, parameter?.['schema']));
  if (type === 'array') return 'list';
  return type === 'integer' || type === 'number' ? 'number' : 'text';
};

/** Returns the query: the version, and the sample request, or examples of the required parameters. */
const listQuery = (
  { document, version }: DocumentedVersion,
  { parameters }: OpenApiOperation,
  query: string | undefined,
): readonly SampleParameter[] => {
  const required = parameters.filter((one) => one['in'] === 'query' && one['required'] === true);
  const pairs =
    query === undefined
      ? required.map((one) => [String(one['name']), [findExample(document, one)].flat().join(',')] as const)
      : query.split('&').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
  const rest = pairs.map(([name, value]) => ({
    name,
    value,
    kind: findKind(
      document,
      parameters.find((one) => one['name'] === name),
    ),
  }));
  return [{ name: 'version', value: version.version, kind: 'text' }, ...rest];
};

/** Returns the body from an example, with variables for identifiers of the caller; undefined without a body. */
const buildBody = (document: JsonObject, operation: JsonObject, example: string | undefined): unknown => {
  const { content } = toJsonObject(resolveReference(document, operation['requestBody']));
  const json = toJsonObject(content)['application/json'];
  if (!isJsonObject(json)) return undefined;
  const replaceIdentifiers = (key: string, value: unknown): unknown =>
    typeof value === 'string' && key in variableHints ? `{${key}}` : value;
  return JSON.parse(JSON.stringify(findExample(document, json, example), replaceIdentifiers));
};

/** Returns the body of an operation whose body is not JSON, from its first example. */
const buildTextBody = (document: JsonObject, operation: JsonObject): SampleCall['textBody'] => {
  const { content } = toJsonObject(resolveReference(document, operation['requestBody']));
  const [first] = Object.entries(toJsonObject(content)).filter(([mediaType]) => mediaType !== 'application/json');
  if (!first) return undefined;
  const [mediaType, media] = first;
  return { mediaType, text: String(findExample(document, toJsonObject(media))).trimEnd() };
};

const isPagedList = (document: JsonObject, operation: JsonObject): boolean => {
  const response = toJsonObject(resolveReference(document, toJsonObject(operation['responses'])['200']));
  const { schema } = toJsonObject(toJsonObject(response['content'])['application/json']);
  return 'paging' in toJsonObject(toJsonObject(resolveReference(document, schema))['properties']);
};

const toCamelCase = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Builds the request of the code samples of an operation. */
export const buildSampleCall = (source: DocumentedVersion, one: OpenApiOperation): SampleCall => {
  const { document, product, version } = source;
  const { method, operation, parameters } = one;
  const operationId = String(operation['operationId']);
  const request = sampleRequests[`${product.product}/${version.version}/${operationId}`] ?? {};
  const pathValues = [...one.path.matchAll(/\{(\w+)\}/g)].map(([value, name = '']) => ({
    name,
    value: request.path?.[name] ?? value,
  }));
  const path = pathValues.reduce((text, { name, value }) => text.replace(`{${name}}`, value), one.path);
  const query = listQuery(source, one, request.query);
  const body = buildBody(document, operation, request.body);
  const textBody = buildTextBody(document, operation);
  const needsAccount = parameters.some(
    (parameter) => parameter['name'] === 'accountId' && parameter['in'] === 'header',
  );
  const texts = [
    needsAccount ? '{accountId}' : '',
    path,
    ...query.map(({ value }) => value),
    JSON.stringify(body) ?? '',
  ];
  const names = [...new Set([...texts.join(' ').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))];
  return {
    operationId,
    method,
    server: String(toJsonObject(toList(document['servers'])[0])['url']),
    path,
    pathValues,
    query,
    needsKey: toList(operation['security'] ?? document['security']).length > 0,
    needsAccount,
    ...(body !== undefined && { body }),
    ...(textBody && { textBody }),
    variables: names.filter((name) => name !== 'today'),
    usesToday: names.includes('today'),
    // The client package contains the latest version of each product.
    client: version.successor === undefined ? toCamelCase(product.product) : undefined,
    isPaged: isPagedList(document, operation),
  };
};

/** Converts `accountId` to the environment variable `ACCOUNT_ID`. */
export const toEnvironmentName = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

/** Returns the variable that a text consists of, e.g. `today` for `{today}`. */
export const findVariable = (text: string): string | undefined => /^\{(\w+)\}$/.exec(text)?.[1];

/** Returns the comment of a variable, e.g. `ALERT_ID: an alertId from createAlert or listAlerts`. */
export const describeVariable = (name: string): string => `${toEnvironmentName(name)}: ${variableHints[name] ?? ''}`;

/** Splits a path into literal texts (even positions) and variables (odd positions). */
export const splitPath = (path: string): readonly string[] => path.split(/\{(\w+)\}/);
