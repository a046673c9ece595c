import { follow, isNode, listOf, nodeOf, type Node } from '../../src/lib/openapi-document.ts';
import type { Ask } from './judge.ts';

/** A fault of a service: what becomes of a right answer to a question. */
export type Fault = (response: Response, path: string) => Response | Promise<Response>;

/** A service with a fault. */
export const faulty =
  (ask: Ask, fault: Fault): Ask =>
  async (path, init) =>
    fault(await ask(path, init), path);

/** An answer with other headers; null takes one away. */
export const withHeaders =
  (changes: Readonly<Record<string, string | null>>): Fault =>
  async (response) => {
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(changes))
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    return new Response(await response.text(), { status: response.status, headers });
  };

/** An answer with another status. */
export const withStatus =
  (status: number): Fault =>
  async ({ headers, body }) =>
    new Response(body, { status, headers });

/** An answer with another body, as text; its length is not told, as a sender that streams does not. */
export const withText =
  (change: (text: string) => string): Fault =>
  async (response) => {
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    return new Response(change(await response.text()), { status: response.status, headers });
  };

/** An answer with another body, if it has one. */
export const withBody = (change: (body: Node, path: string) => Node): Fault => {
  return (response, path) =>
    withText((text) => {
      const body: unknown = JSON.parse(text);
      return JSON.stringify(change(nodeOf(body), path));
    })(response, path);
};

/** A page with other records. */
export const withRecords = (change: (records: readonly unknown[], path: string) => readonly unknown[]): Fault =>
  withBody((body, path) => ({ ...body, data: change(listOf(body['data']), path) }));

/** A page with its first record changed. */
export const withRecord = (change: (record: Node) => unknown): Fault =>
  withRecords(([first, ...rest]) => (first === undefined ? [] : [change(nodeOf(first)), ...rest]));

/** A page with other paging. */
export const withPaging = (change: (paging: Node, path: string) => Node): Fault =>
  withBody((body, path) => ({ ...body, paging: change(nodeOf(body['paging']), path) }));

/** A mapping without one member. */
export const lacking = (node: Node, name: string): Node =>
  Object.fromEntries(Object.entries(node).filter(([one]) => one !== name));

/** A mapping with its first member under another name. */
export const renamed = (node: Node): Node =>
  Object.fromEntries(
    Object.entries(node).map(([name, value], index) => [index === 0 ? `${name}Renamed` : name, value]),
  );

/** A value of a schema whose first enumerated value is none that is listed, or undefined where it has none. */
export const withStrangeValue = (document: Node, schema: unknown, value: unknown): unknown => {
  const node = nodeOf(follow(document, schema));
  if (listOf(node['enum']).includes(value)) return 'Strange';
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      const changed = withStrangeValue(document, node['items'], one);
      if (changed !== undefined) return value.with(index, changed);
    }
    return undefined;
  }
  if (!isNode(value)) return undefined;
  for (const [name, one] of Object.entries(value)) {
    const changed = withStrangeValue(document, nodeOf(node['properties'])[name], one);
    if (changed !== undefined) return { ...value, [name]: changed };
  }
  return undefined;
};
