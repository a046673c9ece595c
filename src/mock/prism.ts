import type { IHttpResponse } from '@stoplight/prism-http';
import { pino, type LoggerOptions } from 'pino';
import type { JsonObject, OpenApiOperation } from '../lib/openapi-document.ts';

/** What Prism is to answer with: the example of that name or, where `isDynamic`, something made up from the schema that fits it. */
export type Wanted = {
  readonly status: number;
  readonly mediaType: string;
  readonly example: string | undefined;
  readonly isDynamic: boolean;
};

/** An answer of Prism: the headers that the document declares, by their names there, and the body as a value. */
export type Drawn = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** Answers for an operation at a path of its own. Throws when Prism cannot: then the document is at fault. */
export type Draw = (
  operation: Pick<OpenApiOperation, 'method' | 'path'>,
  wanted: Wanted,
  path: string,
) => Promise<Drawn>;

/** Requests are checked before Prism is asked, and as strictly as the service does; so it only answers. */
const answering = {
  isProxy: false,
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
} as const;

/** Prism adds these to what a document declares. */
const ownHeaders = new Set(['content-type', 'deprecation', 'link', 'sl-violations']);

/**
 * Of the bodies that Prism makes up, one in ten is not as its schema says; it knows that itself when it is asked. Where so many in a row
 * are wrong, the example is answered.
 */
const MOST_ATTEMPTS = 20;

/** Prism writes at levels of its own, whether or not anybody listens, and keeps quiet about them in its types. */
const customLevels = { success: 31, start: 32 };
const quiet: LoggerOptions = { enabled: false, customLevels };

const PRISM = '@stoplight/prism-http';

const withoutPrism = (cause: unknown): Error =>
  new Error(`the mock needs the package ${PRISM}, which a server does without; npm install ${PRISM} adds it`, {
    cause,
  });

/** Throws what to do where Prism is not installed; far quicker than loading it. */
export const needPrism = (): void => {
  try {
    import.meta.resolve(PRISM);
  } catch (cause) {
    throw withoutPrism(cause);
  }
};

/** Servers do without this package; loading it takes 0.6 s, which no other command should have to wait for. */
const loadPrism = async () => {
  try {
    return await import('@stoplight/prism-http');
  } catch (cause) {
    throw withoutPrism(cause);
  }
};

const mockOf = ({ status, mediaType, example, isDynamic }: Wanted) => ({
  code: status,
  mediaTypes: [mediaType],
  dynamic: isDynamic,
  ...(example !== undefined && !isDynamic && { exampleKey: example }),
});

const drawnOf = ({ headers = {}, body }: IHttpResponse): Drawn => {
  const declared = Object.entries(headers).filter(
    ([name, value]) => value !== null && !ownHeaders.has(name.toLowerCase()),
  );
  return { headers: Object.fromEntries(declared), body };
};

/** What Prism answers, and what it says of that. */
type Answered = {
  readonly output: IHttpResponse;
  readonly validations: { readonly output: readonly { readonly path?: readonly string[] }[] };
};

/** Prism over one document. Reading the largest, of 25 operations, takes 0.2 s. */
export const openPrism = async (document: JsonObject): Promise<Draw> => {
  const { createInstance, getHttpOperationsFromSpec } = await loadPrism();
  // It changes what it is given.
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const prism = createInstance({ ...answering, mock: { dynamic: false } }, { logger: pino(quiet) });
  return async ({ method, path: template }, wanted, path) => {
    const own = operations.filter((one) => one.method === method && one.path === template);
    const ask = async (isDynamic: boolean): Promise<Answered> => {
      const config = { ...answering, validateResponse: isDynamic, mock: mockOf({ ...wanted, isDynamic }) };
      const result = await prism.request({ method, url: { path } }, own, config)();
      if (result._tag === 'Left') throw result.left;
      return result.right;
    };
    for (let attempt = 0; wanted.isDynamic && attempt < MOST_ATTEMPTS; attempt++) {
      const made = await ask(true);
      if (!made.validations.output.some((fault) => fault.path?.[0] === 'body')) return drawnOf(made.output);
    }
    return drawnOf((await ask(false)).output);
  };
};
