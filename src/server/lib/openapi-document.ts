/** The server of the bundled documents: its URL, in `servers` and in examples. A server replaces it with its own. */
export const DOCUMENTED_SERVER = 'http://localhost:8080';

/** A JSON object of an OpenAPI document with members of unknown type. */
export type JsonObject = { readonly [name: string]: unknown };

export const httpMethods = ['get', 'post', 'patch', 'put', 'delete'] as const;

export type OpenApiOperation = {
  readonly method: (typeof httpMethods)[number];
  readonly path: string;
  readonly operation: JsonObject;
  /** The operation's own parameters and those of its path, dereferenced; the operation's win. */
  readonly parameters: readonly JsonObject[];
};

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value as an object; an empty one when it is anything else, so that a missing member reads as undefined. */
export const toJsonObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Returns the value as a list; an empty one when it is anything else. */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const unescapePointer = (key: string): string => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');

/** Resolves the `$ref`s of a document until a value is reached; throws when one is external or has no target. */
export const resolveReference = (document: JsonObject, value: unknown): unknown => {
  if (!isJsonObject(value) || typeof value['$ref'] !== 'string') return value;
  const reference = value['$ref'];
  if (!reference.startsWith('#/')) throw new Error(`a bundle must only refer to itself, not to '${reference}'`);
  const target = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => toJsonObject(resolveReference(document, at))[unescapePointer(key)], document);
  if (target === undefined) throw new Error(`'${reference}' does not exist`);
  return resolveReference(document, target);
};

const listParameters = (document: JsonObject, item: JsonObject, operation: JsonObject): readonly JsonObject[] => {
  const all = [...toList(item['parameters']), ...toList(operation['parameters'])];
  const byName = new Map<string, JsonObject>();
  for (const one of all) {
    const parameter = toJsonObject(resolveReference(document, one));
    byName.set(`${String(parameter['in'])} ${String(parameter['name'])}`, parameter);
  }
  return [...byName.values()];
};

/** Lists the operations under `paths` in document order. Webhooks are excluded: the service is their client. */
export const listOperations = (document: JsonObject): readonly OpenApiOperation[] =>
  Object.entries(toJsonObject(document['paths'])).flatMap(([path, entry]) => {
    const item = toJsonObject(resolveReference(document, entry));
    return httpMethods
      .filter((method) => isJsonObject(item[method]))
      .map((method) => {
        const operation = toJsonObject(item[method]);
        return { method, path, operation, parameters: listParameters(document, item, operation) };
      });
  });
