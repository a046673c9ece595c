import type { IHttpConfig, IHttpResponse } from '@stoplight/prism-http';
import { pino, type LoggerOptions } from 'pino';
import { isJsonObject, toJsonObject, type JsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';

/** Prism only selects and generates: requests are validated before, as strictly as in the service. */
const unchecked = { checkSecurity: false, validateRequest: false, validateResponse: false, errors: false } as const;
const config = { ...unchecked, isProxy: false, upstreamProxy: undefined } as const;

/** With levels that Prism uses and does not declare. */
const quiet: LoggerOptions = { enabled: false, customLevels: { success: 31, start: 32 } };

/** One in ten generated bodies violates its schema, as Prism's own validation shows. After this many in a row the example is returned. */
const MAX_ATTEMPTS = 20;

/** Excludes undeclared properties from objects: Prism would invent some for each object that permits them. */
const closeObjects = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (!isJsonObject(value)) return value;
  const closed = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closeObjects(member)]));
  const isOpen =
    [value['type']].flat().includes('object') &&
    isJsonObject(value['properties']) &&
    !('additionalProperties' in value);
  return isOpen ? { ...closed, additionalProperties: false } : closed;
};

/** Returns Prism's response by code, example, dynamic and media types. Rejects when there is none, which is an error of the document. */
export type RequestPrism = (
  operation: OpenApiOperation,
  path: string,
  selection: IHttpConfig['mock'],
) => Promise<IHttpResponse>;

/**
 * Creates a Prism of a document. Reading the largest, of 25 operations, takes 0.2 s. Loading Prism takes 0.6 s, so the
 * mock listens before.
 */
export const createPrism = async (document: JsonObject): Promise<RequestPrism> => {
  const { createInstance, getHttpOperationsFromSpec } = await import('@stoplight/prism-http');
  // Prism modifies its argument: this is a copy.
  const operations = await getHttpOperationsFromSpec(toJsonObject(closeObjects(document)));
  const prism = createInstance({ ...config, mock: { dynamic: false } }, { logger: pino(quiet) });
  return async ({ method, path: template }, path, selection) => {
    const matching = operations.filter((one) => one.method === method && one.path === template);
    const request = async (mock: typeof selection) => {
      const own = { ...config, validateResponse: mock.dynamic, mock };
      const result = await prism.request({ method, url: { path } }, matching, own)();
      if (result._tag === 'Left') throw result.left;
      return result.right;
    };
    // With the name of an example, Prism would return it instead of generating a body.
    const { exampleKey: _example, ...generated } = selection;
    for (let attempt = 0; selection.dynamic && attempt < MAX_ATTEMPTS; attempt++) {
      const { output, validations } = await request(generated);
      if (!validations.output.some((error) => error.path?.[0] === 'body')) return output;
    }
    return (await request({ ...selection, dynamic: false })).output;
  };
};
