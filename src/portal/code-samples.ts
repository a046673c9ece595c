import {
  resolveReference,
  isJsonObject,
  toList,
  httpMethods,
  toJsonObject,
  listOperations,
  type JsonObject,
  type OpenApiOperation,
} from '../lib/openapi-document.ts';
import { toText } from './html.ts';
import type { VersionSource } from './read-sources.ts';
import { variableSources, variableHints, sampleRequests, type SampleRequest } from './sample-requests.ts';

/** `script` runs in a POSIX shell with `SUBSCRIPTION_KEY` and the variables of `variableHints` set. */
export type CodeSample = { readonly operationId: string; readonly method: string; readonly script: string };

/** Converts `accountId` to the shell variable `ACCOUNT_ID`. */
const toVariable = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

const KEY = `-H "Subscription-Key: $SUBSCRIPTION_KEY"`;
const ACCOUNT = `-H "accountId: $ACCOUNT_ID"`;

const findServer = (document: JsonObject): string => toText(toJsonObject(toList(document['servers'])[0])['url']);

/** Returns the example of that name, or the first one, of a parameter or a body. */
const findExample = (document: JsonObject, one: JsonObject, name?: string): unknown => {
  const examples = toJsonObject(one['examples']);
  const first = (name === undefined ? undefined : examples[name]) ?? Object.values(examples)[0];
  return first === undefined ? one['example'] : toJsonObject(resolveReference(document, first))['value'];
};

const asText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/** Renders a GET request for curl, with one query parameter a line: panels are narrow. */
const renderGet = (url: string, options: readonly string[], query: string): string =>
  [`curl -sG "${url}"`, ...options, ...query.split('&').map((part) => `-d "${part}"`)].join(' \\\n  ');

const renderVariables = (names: readonly string[], base: string): readonly string[] =>
  names.flatMap((name) => {
    const hint = variableHints[name];
    if (hint !== undefined) return [`# ${name}: ${hint}`];
    const source = variableSources[name];
    if (!source) return [];
    const [path = '', query = ''] = source.target.split('?');
    const headers = [KEY, ...(source.needsAccount === true ? [ACCOUNT] : [])];
    const pick = `grep -o '"${source.property}":"[^"]*"' | head -n 1 | cut -d '"' -f 4`;
    return [`${name}=$(${renderGet(base + path, headers, query)} \\\n  | ${pick})`];
  });

/** Renders the body from an example, with shell variables for identifiers of the caller. */
const renderBody = (
  document: JsonObject,
  operation: JsonObject,
  { body: name }: SampleRequest,
): { readonly text: string; readonly names: readonly string[] } | undefined => {
  const content = toJsonObject(toJsonObject(resolveReference(document, operation['requestBody']))['content'])[
    'application/json'
  ];
  if (!isJsonObject(content)) return undefined;
  const names: string[] = [];
  const replaceIdentifiers = (key: string, value: unknown): unknown => {
    const name = toVariable(key);
    if (typeof value !== 'string' || !(name in variableSources || name in variableHints)) return value;
    names.push(name);
    return `$${name}`;
  };
  return { text: JSON.stringify(findExample(document, content, name), replaceIdentifiers, 2), names };
};

const renderPath = (
  { path }: OpenApiOperation,
  request: SampleRequest,
): { readonly text: string; readonly names: readonly string[] } => {
  const names: string[] = [];
  const text = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = request.path?.[name];
    if (value !== undefined) return value;
    if (name === 'departureDate') return '$(date -u +%F)';
    names.push(toVariable(name));
    return `$${toVariable(name)}`;
  });
  return { text, names };
};

/** Renders the query: the version, and the sample request, or examples of the required parameters. */
const renderQuery = (
  { document, version }: VersionSource,
  required: readonly JsonObject[],
  request: SampleRequest,
): string => {
  const parameters = required
    .filter((one) => one['in'] === 'query')
    .map((one) => `${String(one['name'])}=${asText(findExample(document, one))}`);
  return [`version=${version.version}`, ...(request.query === undefined ? parameters : [request.query])].join('&');
};

const renderCall = (
  { document }: VersionSource,
  { method, operation }: OpenApiOperation,
  parts: {
    readonly url: string;
    readonly query: string;
    readonly headers: readonly string[];
    readonly request: SampleRequest;
  },
): string => {
  const { url, query, headers, request } = parts;
  if (method === 'get') return renderGet(url, headers, query);
  const body = renderBody(document, operation, request);
  const bodyOptions = body ? [`-H "Content-Type: application/json" -d @- <<JSON\n${body.text}\nJSON`] : [];
  return [`curl -s -X ${method.toUpperCase()} "${url}?${query}"`, ...headers, ...bodyOptions].join(' \\\n  ');
};

const buildCodeSample = (source: VersionSource, operation: OpenApiOperation): CodeSample => {
  const { document, product, version } = source;
  const operationId = String(operation.operation['operationId']);
  const request = sampleRequests[`${product.product}/${version.version}/${operationId}`] ?? {};
  const base = findServer(document);
  const path = renderPath(operation, request);
  const required = operation.parameters.filter((one) => one['required'] === true);
  const needsAccount = required.some((one) => one['in'] === 'header' && one['name'] === 'accountId');
  const isPublic = toList(operation.operation['security'] ?? document['security']).length === 0;
  const headers = [...(isPublic ? [] : [KEY]), ...(needsAccount ? [ACCOUNT] : [])];
  const names = [
    ...(needsAccount ? ['ACCOUNT_ID'] : []),
    ...path.names,
    ...(renderBody(document, operation.operation, request)?.names ?? []),
  ];
  const hasAccountSource = names.some((name) => variableSources[name]?.needsAccount === true);
  const all = [...new Set([...(hasAccountSource ? ['ACCOUNT_ID'] : []), ...names])];
  const query = renderQuery(source, required, request);
  const call = renderCall(source, operation, { url: `${base}${path.text}`, query, headers, request });
  return { operationId, method: operation.method, script: [...renderVariables(all, base), call].join('\n') };
};

/** Builds a sample for each operation of a version, in the order of its document. */
export const buildCodeSamples = (source: VersionSource): readonly CodeSample[] =>
  listOperations(source.document).map((operation) => buildCodeSample(source, operation));

/** Adds the samples to the document as `x-codeSamples`, which Redoc renders. */
export const addCodeSamples = (source: VersionSource): JsonObject => {
  const samples = new Map(buildCodeSamples(source).map(({ operationId, script }) => [operationId, script]));
  const paths = Object.entries(toJsonObject(source.document['paths'])).map(
    ([path, item]): readonly [string, JsonObject] => {
      const members = Object.entries(toJsonObject(item)).map(([name, member]): readonly [string, unknown] => {
        const script = samples.get(String(toJsonObject(member)['operationId']));
        const isOperation = httpMethods.some((method) => method === name) && script !== undefined;
        return [
          name,
          isOperation
            ? { ...toJsonObject(member), 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: script }] }
            : member,
        ];
      });
      return [path, Object.fromEntries(members)];
    },
  );
  return { ...source.document, paths: Object.fromEntries(paths) };
};
