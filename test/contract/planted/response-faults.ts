import { resolveReference, isJsonObject, toList, toJsonObject } from '#lib/openapi-document.ts';
import type { JsonObject } from '#lib/openapi-document.ts';
import type { SendRequest } from '../responses/check-response.ts';

export type ResponseFault = (response: Response, path: string) => Response | Promise<Response>;

/** The name of a fault, the fault, and the message that must report it. */
export type Planted = readonly [name: string, fault: ResponseFault, message: RegExp];

export const withFault =
  (send: SendRequest, fault: ResponseFault): SendRequest =>
  async (path, init) =>
    fault(await send(path, init), path);

/** Changes headers; null removes one. */
export const withHeaders =
  (changes: Readonly<Record<string, string | null>>): ResponseFault =>
  async (response) => {
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(changes))
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    return new Response(await response.text(), { status: response.status, headers });
  };

export const withStatus =
  (status: number): ResponseFault =>
  async ({ headers, body }) =>
    new Response(body, { status, headers });

/** Changes the body as text and removes the length, as a streaming sender does. */
export const withText =
  (change: (text: string) => string): ResponseFault =>
  async (response) => {
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    return new Response(change(await response.text()), { status: response.status, headers });
  };

export const withBody = (change: (body: JsonObject, path: string) => JsonObject): ResponseFault => {
  return (response, path) =>
    withText((text) => {
      const body: unknown = JSON.parse(text);
      return JSON.stringify(change(toJsonObject(body), path));
    })(response, path);
};

export const withRecords = (change: (records: readonly unknown[], path: string) => readonly unknown[]): ResponseFault =>
  withBody((body, path) => ({ ...body, data: change(toList(body['data']), path) }));

export const withRecord = (change: (record: JsonObject) => unknown): ResponseFault =>
  withRecords(([first, ...rest]) => (first === undefined ? [] : [change(toJsonObject(first)), ...rest]));

export const withPaging = (change: (paging: JsonObject, path: string) => JsonObject): ResponseFault =>
  withBody((body, path) => ({ ...body, paging: change(toJsonObject(body['paging']), path) }));

export const removeMember = (node: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([one]) => one !== name));

export const renameFirstMember = (node: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(node).map(([name, value], index) => [index === 0 ? `${name}Renamed` : name, value]),
  );

/** Replaces the first enumerated value by an unknown one; returns undefined when there is none. */
export const withUnknownEnumValue = (document: JsonObject, schema: unknown, value: unknown): unknown => {
  const node = toJsonObject(resolveReference(document, schema));
  if (toList(node['enum']).includes(value)) return 'Strange';
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      const changed = withUnknownEnumValue(document, node['items'], one);
      if (changed !== undefined) return value.with(index, changed);
    }
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  for (const [name, one] of Object.entries(value)) {
    const changed = withUnknownEnumValue(document, toJsonObject(node['properties'])[name], one);
    if (changed !== undefined) return { ...value, [name]: changed };
  }
  return undefined;
};
