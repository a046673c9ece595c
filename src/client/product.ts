import type { Client } from '../../generated/runtime/client/index.ts';
import { FlightDataConnectionError, ForeignLinkError } from './problem.ts';
import type { CallSettings, IdempotentNames, ListNames } from './operation.ts';
import { createPages, type ListPage } from './pages.ts';
import type { ClientRequest, SendOptions, Transport } from './transport.ts';

/** A generated function of one operation; the types of the product have its parameters. */
type SdkFunction = (options: never) => Promise<unknown>;

/** One version of a product: its generated functions, and facts that exist only in types. */
export type ProductDescription<P> = {
  readonly sdk: Readonly<Record<keyof P, SdkFunction>>;
  readonly product: string;
  readonly version: string;
  /** The paged operations. */
  readonly lists: Readonly<Record<ListNames<P>, true>>;
  /** The operations that get an `Idempotency-Key`. */
  readonly keyed: Readonly<Record<IdempotentNames<P>, true>>;
};

/** What all products of a client share. */
export type ServiceConnection = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The client of the generated code; contains the key. */
  readonly client: Client;
  readonly subscriptionKey: string;
  readonly transport: Transport;
};

type AnyCall = CallSettings & {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
};

/** Options of the generated functions. */
type SdkOptions = Omit<AnyCall, keyof CallSettings> & {
  readonly client: Client;
  readonly throwOnError: true;
  readonly parseAs: 'text';
  readonly querySerializer: { readonly array: { readonly style: 'form'; readonly explode: false } };
  readonly fetch: (request: Request) => Promise<Response>;
  readonly requestValidator: (settings: { client?: unknown }) => Promise<void>;
};

/** Copies a request so that it can be sent several times. */
const toClientRequest = async (request: Request): Promise<ClientRequest> => {
  const body = await request.text();
  return { url: request.url, method: request.method, headers: request.headers, ...(body !== '' && { body }) };
};

const parseBody = (text: string, operation: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FlightDataConnectionError('unreadable', operation, { cause });
  }
};

/** Throws when a URL is not below the base URL: the key must not be sent there. */
const validateLink = (url: string, baseUrl: string): void => {
  const [link, base] = [new URL(url), new URL(`${baseUrl}/`)];
  if (link.origin === base.origin && link.pathname.startsWith(base.pathname)) return;
  throw new ForeignLinkError(
    `The link to the next page, ${link.origin}${link.pathname}, is not under ${baseUrl}, so the client does not send the key there.` +
      ' Set baseUrl to the public address of the service.',
  );
};

/** Throws for `.`, `..` and empty parameters: URL normalization would make the path that of another operation. */
const validatePath = (path: AnyCall['path'] = {}): void => {
  for (const [name, value] of Object.entries(path))
    if (/^\.{0,2}$/.test(String(value))) throw new TypeError(`path.${name} must not be '${String(value)}'`);
};

/** Creates the operations of a product, each as a function of its parameters. */
export const createProduct = <P>(description: ProductDescription<P>, connection: ServiceConnection): P => {
  const { product, version, lists, keyed } = description;
  const { client, transport, baseUrl, subscriptionKey } = connection;
  // Functions and types are generated from the same document, so the parameter types match.
  const functions = description.sdk as unknown as Readonly<Record<string, (options: SdkOptions) => Promise<unknown>>>;

  const request = async (
    operation: string,
    { signal, timeoutMs, onResponse, ...parameters }: AnyCall,
  ): Promise<unknown> => {
    validatePath(parameters.path);
    // Long polling: the response may take `Wait` seconds more.
    const waitMs = 1000 * Number(parameters.query?.['Wait'] ?? 0);
    const sendOptions: SendOptions = {
      name: { product, version, operation },
      signal,
      timeoutMs: timeoutMs ?? transport.timeoutMs + waitMs,
      onResponse,
    };
    let text = '';
    const options: SdkOptions = {
      ...parameters,
      headers: { ...(operation in keyed && { 'Idempotency-Key': crypto.randomUUID() }), ...parameters.headers },
      query: { ...parameters.query, version },
      client,
      throwOnError: true,
      parseAs: 'text',
      // Remaining settings become those of the Request; on some platforms `client` has another meaning there.
      requestValidator: async (settings) => {
        delete settings.client;
      },
      // Generated functions know the style only of inline parameters; all lists are comma-separated.
      // Bodies that are not JSON are texts, which are sent as they are; generated functions know this of plain text only.
      ...(typeof parameters.body === 'string' && { bodySerializer: null }),
      querySerializer: { array: { style: 'form', explode: false } },
      fetch: async (sdkRequest) => {
        const clientRequest = await toClientRequest(sdkRequest);
        // Public operations are health checks: their first response counts.
        const isPublic = !clientRequest.headers.has('subscription-key');
        text = await transport.send(clientRequest, isPublic ? { ...sendOptions, maxRetries: 0 } : sendOptions);
        return new Response(null);
      },
    };
    await functions[operation]?.(options);
    return parseBody(text, operation);
  };

  const follow = async (
    operation: string,
    url: string,
    { signal, timeoutMs, onResponse }: AnyCall,
  ): Promise<unknown> => {
    validateLink(url, baseUrl);
    const headers = new Headers({ 'Subscription-Key': subscriptionKey });
    const name = { product, version, operation };
    return parseBody(
      await transport.send({ url, method: 'GET', headers }, { name, signal, timeoutMs, onResponse }),
      operation,
    );
  };

  const iterate = (operation: string, call: AnyCall): unknown =>
    createPages<unknown>({
      first: async () => (await request(operation, call)) as ListPage<unknown>,
      follow: async (url) => (await follow(operation, url, call)) as ListPage<unknown>,
    });
  const operations = Object.keys(functions).map((operation) => [
    operation,
    (call: AnyCall = {}) => (operation in lists ? iterate(operation, call) : request(operation, call)),
  ]);
  return Object.fromEntries(operations) as P;
};
