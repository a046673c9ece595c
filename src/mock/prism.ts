import type { IHttpResponse } from '@stoplight/prism-http';
import { pino, type LoggerOptions } from 'pino';
import type { JsonObject, OpenApiOperation } from '../lib/openapi-document.ts';

/** What Prism should return: the example of that name or, with `isDynamic`, a body generated from the schema. */
export type PrismRequest = {
  readonly status: number;
  readonly mediaType: string;
  readonly example: string | undefined;
  readonly isDynamic: boolean;
};

/** A response of Prism: the declared headers in the spelling of the document, and the body as a value. */
export type PrismResponse = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** Generates the response of an operation at a path. Throws when Prism cannot, which is an error of the document. */
export type GenerateResponse = (
  operation: Pick<OpenApiOperation, 'method' | 'path'>,
  request: PrismRequest,
  path: string,
) => Promise<PrismResponse>;

/** Prism only generates responses: requests are validated before, as strictly as in the service. */
const baseConfig = {
  isProxy: false,
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
} as const;

/** Headers that Prism adds to the declared ones. */
const addedHeaders = new Set(['content-type', 'deprecation', 'link', 'sl-violations']);

/** One in ten generated bodies violates its schema, as Prism's own validation shows. After this many in a row the example is returned. */
const MAX_ATTEMPTS = 20;

/** Log levels that Prism uses but does not declare in its types. */
const customLevels = { success: 31, start: 32 };
const quiet: LoggerOptions = { enabled: false, customLevels };

const PRISM = '@stoplight/prism-http';

const prismMissingError = (cause: unknown): Error =>
  new Error(`the mock requires the package ${PRISM}; install it with: npm install ${PRISM}`, {
    cause,
  });

/** Throws an error with instructions when Prism is not installed; much faster than loading it. */
export const assertPrismInstalled = (): void => {
  try {
    import.meta.resolve(PRISM);
  } catch (cause) {
    throw prismMissingError(cause);
  }
};

/** Loads Prism. It is not installed on servers, and loading takes 0.6 s, so other commands must not import it. */
const loadPrism = async () => {
  try {
    return await import('@stoplight/prism-http');
  } catch (cause) {
    throw prismMissingError(cause);
  }
};

const toMockConfig = ({ status, mediaType, example, isDynamic }: PrismRequest) => ({
  code: status,
  mediaTypes: [mediaType],
  dynamic: isDynamic,
  ...(example !== undefined && !isDynamic && { exampleKey: example }),
});

const toPrismResponse = ({ headers = {}, body }: IHttpResponse): PrismResponse => {
  const declared = Object.entries(headers).filter(
    ([name, value]) => value !== null && !addedHeaders.has(name.toLowerCase()),
  );
  return { headers: Object.fromEntries(declared), body };
};

/** A response of Prism with its validation. */
type ValidatedResponse = {
  readonly output: IHttpResponse;
  readonly validations: { readonly output: readonly { readonly path?: readonly string[] }[] };
};

/** Creates the response generator of a document. Reading the largest, of 25 operations, takes 0.2 s. */
export const createResponseGenerator = async (document: JsonObject): Promise<GenerateResponse> => {
  const { createInstance, getHttpOperationsFromSpec } = await loadPrism();
  // Prism modifies its argument.
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const prism = createInstance({ ...baseConfig, mock: { dynamic: false } }, { logger: pino(quiet) });
  return async ({ method, path: template }, request, path) => {
    const matching = operations.filter((one) => one.method === method && one.path === template);
    const generate = async (isDynamic: boolean): Promise<ValidatedResponse> => {
      const config = { ...baseConfig, validateResponse: isDynamic, mock: toMockConfig({ ...request, isDynamic }) };
      const result = await prism.request({ method, url: { path } }, matching, config)();
      if (result._tag === 'Left') throw result.left;
      return result.right;
    };
    for (let attempt = 0; request.isDynamic && attempt < MAX_ATTEMPTS; attempt++) {
      const generated = await generate(true);
      if (!generated.validations.output.some((error) => error.path?.[0] === 'body'))
        return toPrismResponse(generated.output);
    }
    return toPrismResponse((await generate(false)).output);
  };
};
