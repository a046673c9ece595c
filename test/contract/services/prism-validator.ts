import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpRequest,
  type IHttpResponse,
} from '@stoplight/prism-http';
import { pino } from 'pino';
import type { Contract } from '../contract.ts';

/** What a witness says of a question and of its answer; nothing when both are as the document says. */
export type PrismErrors = { readonly question: readonly string[]; readonly answer: readonly string[] };

/** What is asked, and how it is answered. */
export type PrismValidator = (
  question: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | undefined;
  },
  answer: () => Promise<IHttpResponse>,
) => Promise<PrismErrors>;

type Diagnostic = { readonly message: string; readonly path?: readonly string[] };

const said = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.map(({ path = [], message }) => `${path.join('.')}: ${message}`);

/** Names to texts; a name that comes twice has a list. */
const queryOf = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

/** The methods that Prism knows by these names. */
const methods = ['get', 'post', 'patch', 'put', 'delete'] as const;

const requestOf = ({ method, path, headers, body }: Parameters<PrismValidator>[0]): IHttpRequest => {
  const [address = '', query = ''] = path.split('?');
  const known = methods.find((one) => one === method.toLowerCase()) ?? 'get';
  const sent: unknown = body === undefined ? undefined : JSON.parse(body);
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

/** An answer as Prism reads one. */
export const toPrismResponse = async (response: Response): Promise<IHttpResponse> => {
  const body: unknown = await response.json();
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body };
};

/**
 * Prism as a proxy in front of a service: it finds the operation of a question by itself, reads the question, passes it on
 * and reads the answer, by its own understanding of the document.
 */
export const createPrismValidator = async ({ document }: Contract): Promise<PrismValidator> => {
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const logger = pino({ enabled: false });
  return async (question, answer) => {
    const forward = () => () => async () => ({ _tag: 'Right', right: await answer() }) as const;
    const result = await createInstance(proxy, { logger, forward }).request(requestOf(question), operations)();
    if (result._tag === 'Left') throw result.left;
    const { input, output } = result.right.validations;
    return { question: said(input), answer: said(output) };
  };
};
