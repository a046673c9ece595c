/** A mapping of an OpenAPI document whose members have not been looked at yet. */
export type Node = { readonly [name: string]: unknown };

export const methods = ['get', 'post', 'patch', 'put', 'delete'] as const;

export type Operation = {
  readonly method: (typeof methods)[number];
  readonly path: string;
  readonly operation: Node;
  /** The operation's own parameters and those of its path, dereferenced; the operation's win. */
  readonly parameters: readonly Node[];
};

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as a mapping; an empty one when it is anything else, so that a missing member reads as undefined. */
export const nodeOf = (value: unknown): Node => (isNode(value) ? value : {});

/** The value as a list; an empty one when it is anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

const unescapePointer = (key: string): string => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');

/** Follows the `$ref`s of one document until a value stands there; throws when one leads out of it or nowhere. */
export const follow = (document: Node, value: unknown): unknown => {
  if (!isNode(value) || typeof value['$ref'] !== 'string') return value;
  const reference = value['$ref'];
  if (!reference.startsWith('#/')) throw new Error(`a bundle may only refer to itself, found '${reference}'`);
  const target = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => nodeOf(follow(document, at))[unescapePointer(key)], document);
  if (target === undefined) throw new Error(`'${reference}' leads nowhere`);
  return follow(document, target);
};

const parametersOf = (document: Node, item: Node, operation: Node): readonly Node[] => {
  const all = [...listOf(item['parameters']), ...listOf(operation['parameters'])];
  const byName = new Map<string, Node>();
  for (const one of all) {
    const parameter = nodeOf(follow(document, one));
    byName.set(`${String(parameter['in'])} ${String(parameter['name'])}`, parameter);
  }
  return [...byName.values()];
};

/** Every operation under `paths`, in the order of the document. Webhooks are calls the other way round and are left out. */
export const operationsOf = (document: Node): readonly Operation[] =>
  Object.entries(nodeOf(document['paths'])).flatMap(([path, entry]) => {
    const item = nodeOf(follow(document, entry));
    return methods
      .filter((method) => isNode(item[method]))
      .map((method) => {
        const operation = nodeOf(item[method]);
        return { method, path, operation, parameters: parametersOf(document, item, operation) };
      });
  });
