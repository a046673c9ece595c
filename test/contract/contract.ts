import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { resolveReference, isJsonObject, toJsonObject } from '#lib/openapi-document.ts';
import { listOperations } from '#lib/openapi-document.ts';
import type { JsonObject, OpenApiOperation } from '#lib/openapi-document.ts';
import { root } from '#contract/run-tool.ts';
import { closeObjects, findSchemas, escapePointer } from './find-schemas.ts';

export type Example = { readonly examplePointer: string; readonly pointer: string; readonly value: unknown };

/** Returns the start of an endless response as a complete response: its first chunk. */
export const readFirstChunk = async (response: Response): Promise<Response> => {
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new Response(new TextDecoder().decode(first?.value), response);
};

/** Headers of HTTP itself or of the connection, which documents need not declare. */
const ofBodies = 'cache-control content-encoding content-length content-type vary x-content-type-options';
const plumbing = new Set(`${ofBodies} connection date keep-alive transfer-encoding`.split(' '));

const encodeFragment = (pointer: string): string => pointer.slice(1).split('/').map(encodeURIComponent).join('/');

const decodeHeader = (text: string, schema: JsonObject): unknown => {
  if (schema['type'] === 'integer' || schema['type'] === 'number')
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  return schema['type'] === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
};

/** Returns an error unless a condition is met. */
export const errorUnless = (isMet: boolean, error: string): readonly string[] => (isMet ? [] : [error]);

/** Parses a JSON text; undefined when it is none. */
export const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

/** A published document that responses are validated against: `new Contract('flight-info/v2')`. */
export class Contract {
  readonly name: string;
  readonly document: JsonObject;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  /** By default the schemas of the document are closed: only declared properties are valid. */
  constructor(name: string, { document, isOpen = false }: { document?: JsonObject; isOpen?: boolean } = {}) {
    this.name = name;
    this.document =
      document ?? toJsonObject(JSON.parse(readFileSync(join(root, 'generated', name, 'openapi.json'), 'utf8')));
    formats.default(this.#ajv);
    for (const format of ['int32', 'float', 'double']) this.#ajv.addFormat(format, true);
    this.#ajv.addSchema({
      ...(isOpen ? this.document : closeObjects(this.document)),
      $id: `https://document.test/${name}`,
    });
  }

  operations(): readonly OpenApiOperation[] {
    return listOperations(this.document);
  }

  /** Returns a schema of the document by its name. */
  schema(name: string): JsonObject {
    return toJsonObject(toJsonObject(toJsonObject(this.document['components'])['schemas'])[name]);
  }

  /** Lists the pointers of all schemas, including nested ones. */
  schemas(): readonly string[] {
    return [...findSchemas(this.document)].map(({ pointer }) => pointer);
  }

  /** Lists the examples with their schemas. */
  examples(): readonly Example[] {
    return [...this.#examplesBelow(this.document, '#')];
  }

  /** Returns the violations of the schema at a pointer by a value; throws if that is not a schema. */
  check(pointer: string, value: unknown): readonly string[] {
    const validate =
      this.#compiled.get(pointer) ??
      this.#ajv.compile({ $ref: `https://document.test/${this.name}#${encodeFragment(pointer)}` });
    this.#compiled.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** Returns the violations of a response: status, headers, media type and body. Reads the body. */
  async problems(method: string, path: string, response: Response): Promise<readonly string[]> {
    const responses = `#/paths/${escapePointer(path)}/${method.toLowerCase()}/responses`;
    const declared = this.#find(responses);
    if (!declared) return [`${method} ${path} is no operation of ${this.name}`];
    const status = [String(response.status), `${String(response.status)[0]}XX`, 'default'].find(
      (one) => one in declared.node,
    );
    if (status === undefined) return [`undeclared status ${response.status}`];
    const documented = this.#find(`${responses}/${status}`) ?? declared;
    return [...this.#headerProblems(documented, response), ...(await this.#bodyProblems(documented, response))];
  }

  #headerProblems({ node, pointer }: { node: JsonObject; pointer: string }, response: Response): readonly string[] {
    const declared = Object.keys(toJsonObject(node['headers']));
    const names = new Set(declared.map((name) => name.toLowerCase()));
    const undeclared = [...response.headers.keys()].filter((name) => !names.has(name) && !plumbing.has(name));
    const headerErrors = declared.flatMap((name) => {
      const header = this.#find(`${pointer}/headers/${escapePointer(name)}`);
      const text = response.headers.get(name);
      if (!header) return [];
      if (text === null) return header.node['required'] === true ? [`missing header ${name}`] : [];
      const value = decodeHeader(text, toJsonObject(resolveReference(this.document, header.node['schema'])));
      return this.check(`${header.pointer}/schema`, value).map((fault) => `header ${name}: ${fault}`);
    });
    return [...undeclared.map((name) => `undeclared header ${name}`), ...headerErrors];
  }

  async #bodyProblems(
    { node, pointer }: { node: JsonObject; pointer: string },
    response: Response,
  ): Promise<readonly string[]> {
    const text = await response.text();
    if (!isJsonObject(node['content'])) return text === '' ? [] : ['a body where none is declared'];
    const mediaType = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim() ?? '';
    if (!(mediaType in node['content'])) return [`undeclared media type '${mediaType}'`];
    // A body that is not JSON is validated as text.
    const body = mediaType.endsWith('json') ? parseJson(text) : { value: text };
    return body
      ? this.check(`${pointer}/content/${escapePointer(mediaType)}/schema`, body.value)
      : ['a body that is not JSON'];
  }

  /** Finds the object at a pointer, and its real pointer after following references. */
  #find(pointer: string): { readonly node: JsonObject; readonly pointer: string } | undefined {
    let at: { node: JsonObject; pointer: string } = { node: this.document, pointer: '#' };
    for (const key of pointer.split('/').slice(1)) {
      const next = at.node[key.replaceAll('~1', '/').replaceAll('~0', '~')];
      if (!isJsonObject(next)) return undefined;
      at =
        typeof next['$ref'] === 'string'
          ? (this.#find(next['$ref']) ?? at)
          : { node: next, pointer: `${at.pointer}/${key}` };
    }
    return at;
  }

  *#examplesBelow(value: unknown, pointer: string): Generator<Example> {
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) yield* this.#examplesBelow(one, `${pointer}/${index}`);
      return;
    }
    const node = toJsonObject(value);
    if (isJsonObject(node['schema'])) {
      if ('example' in node)
        yield { examplePointer: `${pointer}/example`, pointer: `${pointer}/schema`, value: node['example'] };
      for (const [name, one] of Object.entries(toJsonObject(node['examples']))) {
        const example = toJsonObject(resolveReference(this.document, one))['value'];
        yield { examplePointer: `${pointer}/examples/${name}`, pointer: `${pointer}/schema`, value: example };
      }
    }
    for (const [key, one] of Object.entries(node))
      if (!['example', 'examples', 'schema'].includes(key))
        yield* this.#examplesBelow(one, `${pointer}/${escapePointer(key)}`);
  }
}
