import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';
import type { IHttpRequest, IHttpResponse } from '@stoplight/prism-http';
import { pino } from 'pino';
import type { Contract } from '../contract.ts';

/** The errors that Prism reports about a request and its response; empty when both are valid. */
type PrismErrors = { readonly request: readonly string[]; readonly response: readonly string[] };

export type PrismValidator = (
  request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | undefined;
  },
  response: () => Promise<IHttpResponse>,
) => Promise<PrismErrors>;

type Diagnostic = { readonly message: string; readonly path?: readonly string[] };

const formatDiagnostics = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.map(({ path = [], message }) => `${path.join('.')}: ${message}`);

/** Converts a query; a repeated name has a list. */
const queryOf = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

const methods = ['get', 'post', 'patch', 'put', 'delete'] as const;

const requestOf = ({ method, path, headers, body }: Parameters<PrismValidator>[0]): IHttpRequest => {
  const [address = '', query = ''] = path.split('?');
  const known = methods.find((one) => one === method.toLowerCase()) ?? 'get';
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  const sent: unknown = body === undefined || !isJson ? body : JSON.parse(body);
  const url = { path: address, query: queryOf(query) };
  return { method: known, url, headers: { ...headers }, ...(sent !== undefined && { body: sent }) };
};

const proxy = {
  mock: { dynamic: false },
  isProxy: true,
  upstream: new URL('http://service.test'),
  upstreamProxy: undefined,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  errors: false,
} as const;

export const toPrismResponse = async (response: Response): Promise<IHttpResponse> => {
  const body: unknown = await response.json();
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body };
};

/** Creates a Prism proxy for a document, which validates a request and the response to which it is forwarded. */
export const createPrismValidator = async ({ document }: Contract): Promise<PrismValidator> => {
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const logger = pino({ enabled: false });
  return async (request, response) => {
    const forward = () => () => async () => ({ _tag: 'Right', right: await response() }) as const;
    const result = await createInstance(proxy, { logger, forward }).request(requestOf(request), operations)();
    if (result._tag === 'Left') throw result.left;
    const { input, output } = result.right.validations;
    return { request: formatDiagnostics(input), response: formatDiagnostics(output) };
  };
};
