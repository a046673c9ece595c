import {
  isJsonObject,
  listOperations,
  resolveReference,
  toJsonObject,
  toList,
  type JsonObject,
  type OpenApiOperation,
} from '../lib/openapi-document.ts';
import { inlineSchema, toFirstSentence } from './tool-schema.ts';

/** The page size of a tool: a model reads all that it receives. */
const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 25;

/** Headers of HTTP alone: conditions, retries and streams. */
const skippedHeaders = new Set(['if-none-match', 'if-modified-since', 'if-match', 'last-event-id', 'idempotency-key']);

/** The argument with which a tool returns a further page, and the one with the body of a request. */
const NEXT = 'next';
const BODY = 'body';

/** An operation of the contract as a tool. */
export type McpTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & JsonObject;
  /** Whether calls change something. */
  readonly isWrite: boolean;
  readonly method: OpenApiOperation['method'];
  /** The path with its parameters, and the version that its requests name. */
  readonly path: string;
  readonly version: string;
  /** The place of each argument in the request: `path`, `query` or `header`. */
  readonly places: ReadonlyMap<string, string>;
  readonly isPaged: boolean;
};

/** A document with the version that its requests name, e.g. `v2`. */
export type VersionDocument = { readonly version: string; readonly document: JsonObject };

const isTool = ({ operation, method }: OpenApiOperation, document: JsonObject, canWrite: boolean): boolean => {
  const isPublic = toList(operation['security'] ?? document['security']).length === 0;
  return !isPublic && operation['x-mcp'] !== false && (method === 'get' || canWrite);
};

const isArgument = ({ name, in: place }: JsonObject): boolean =>
  name !== 'version' && !(place === 'header' && skippedHeaders.has(String(name).toLowerCase()));

const isPageSize = ({ name, in: place }: JsonObject): boolean => place === 'query' && name === 'Limit';

const isPagedList = (document: JsonObject, operation: JsonObject): boolean => {
  const ok = toJsonObject(resolveReference(document, toJsonObject(operation['responses'])['200']));
  const media = toJsonObject(toJsonObject(ok['content'])['application/json']);
  const schema = toJsonObject(resolveReference(document, media['schema']));
  return 'paging' in toJsonObject(schema['properties']);
};

const toArgumentSchema = (document: JsonObject, parameter: JsonObject): JsonObject => {
  const schema = toJsonObject(inlineSchema(document, parameter['schema']));
  const limits = isPageSize(parameter) ? { minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT } : {};
  return { ...schema, ...limits, description: toFirstSentence(parameter['description']) };
};

const readBodySchema = (document: JsonObject, operation: JsonObject): unknown => {
  if (!('requestBody' in operation)) return undefined;
  const body = toJsonObject(resolveReference(document, operation['requestBody']));
  const media = toJsonObject(toJsonObject(body['content'])['application/json']);
  return inlineSchema(document, media['schema']);
};

const toTool = ({ version, document }: VersionDocument, one: OpenApiOperation): McpTool => {
  const { method, path, operation } = one;
  const isPaged = isPagedList(document, operation);
  // A page after the first is requested by the handle that the tool returned, not by a cursor.
  const parameters = one.parameters.filter((each) => isArgument(each) && !(isPaged && isCursor(each)));
  const body = readBodySchema(document, operation);
  const properties: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(parameters.map((each) => [String(each['name']), toArgumentSchema(document, each)])),
    ...(body !== undefined && { [BODY]: body }),
    ...(isPaged && {
      [NEXT]: {
        type: 'string',
        description: `The \`next\` of an earlier result, for its next page; other arguments are ignored.`,
      },
    }),
  };
  const required = parameters.filter((each) => each['required'] === true).map(({ name }) => String(name));
  return {
    name: String(operation['operationId']),
    title: String(operation['summary']),
    description: toFirstSentence(operation['description']) || String(operation['summary']),
    inputSchema: { type: 'object', properties, required: body === undefined ? required : [...required, BODY] },
    isWrite: method !== 'get',
    method,
    path,
    version,
    places: new Map(parameters.map((each) => [String(each['name']), String(each['in'])])),
    isPaged,
  };
};

const isCursor = ({ name, in: place }: JsonObject): boolean =>
  place === 'query' && /^(?:after|before|cursor)$/i.test(String(name));

/**
 * Returns the tools of these documents: their operations that read and need a key, and with `canWrite` those that write too. Operations with
 * `x-mcp: false` are excluded.
 */
export const listTools = (documents: readonly VersionDocument[], canWrite: boolean): readonly McpTool[] =>
  documents.flatMap((one) =>
    listOperations(one.document)
      .filter((operation) => isTool(operation, one.document, canWrite))
      .map((operation) => toTool(one, operation)),
  );

const toText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(String).join(',');
  return isJsonObject(value) ? JSON.stringify(value) : String(value);
};

/** A request of the service: `target` is its path and query. */
export type ToolRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** Returns a path segment: a URL would resolve `.` and `..` to the path of another operation. */
const toPathSegment = (name: string, text: string): string => {
  if (text === '') throw new RangeError(`${name} is required`);
  if (text === '.' || text === '..') throw new RangeError(`${name} must not be '${text}'`);
  return encodeURIComponent(text);
};

const toHeaderValue = (name: string, text: string): string => {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new RangeError(`${name} must be printable ASCII text`);
  return text;
};

/** Returns the request of a tool call. Throws a RangeError for an unknown argument, an invalid one, or a handle of another tool. */
export const toToolRequest = (tool: McpTool, args: Readonly<Record<string, unknown>>): ToolRequest => {
  const next = args[NEXT];
  if (tool.isPaged && next !== undefined && next !== null && next !== '') {
    if (typeof next !== 'string') throw new RangeError(`next must be a text`);
    if (!next.startsWith(`${tool.path}?`))
      throw new RangeError(`next: not a handle of ${tool.name}: '${next.slice(0, 64)}'`);
    return { method: 'GET', target: next, headers: {}, body: undefined };
  }
  const hasBody = BODY in toJsonObject(tool.inputSchema['properties']);
  const query = new URLSearchParams({ version: tool.version });
  const headers: Record<string, string> = {};
  let { path } = tool;
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || value === null || (name === NEXT && tool.isPaged) || (name === BODY && hasBody))
      continue;
    const place = tool.places.get(name);
    if (place === undefined) throw new RangeError(`${name} is not an argument of ${tool.name}`);
    if (place === 'query') query.set(name, toText(value));
    else if (place === 'header') headers[name] = toHeaderValue(name, toText(value));
    else path = path.replace(`{${name}}`, toPathSegment(name, toText(value)));
  }
  const [, missing] = /\{(\w+)\}/.exec(path) ?? [];
  if (missing !== undefined) throw new RangeError(`${missing} is required`);
  if (tool.places.has('Limit')) query.set('Limit', String(toPageSize(args['Limit'])));
  const body = hasBody && BODY in args ? JSON.stringify(args[BODY]) : undefined;
  if (body !== undefined) headers['content-type'] = 'application/json';
  return { method: tool.method.toUpperCase(), target: `${path}?${query.toString()}`, headers, body };
};

/** Returns the page size; a value that is no number goes to the service, which rejects it. */
const toPageSize = (value: unknown): unknown => {
  if (value === undefined || value === null) return DEFAULT_LIMIT;
  return Number(value) > MAX_LIMIT ? MAX_LIMIT : value;
};
