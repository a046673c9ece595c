import type { Client } from '../../generated/runtime/client/index.ts';
import { FlightDataConnectionError, ForeignLinkError } from './problem.ts';
import type { CallSettings, KeyedNames, ListNames } from './operation.ts';
import { newPages, type AnyPage } from './pages.ts';
import type { Question, Sending, Transport } from './transport.ts';

/** A generated function that asks one operation. Which parameters it takes is in the types of the product. */
type Ask = (options: never) => Promise<unknown>;

/** One version of a product: what was generated from its document, and what the compiler alone knows of it. */
export type ProductDescription<P> = {
  readonly sdk: Readonly<Record<keyof P, Ask>>;
  readonly product: string;
  readonly version: string;
  /** The operations that are walked page by page. */
  readonly lists: Readonly<Record<ListNames<P>, true>>;
  /** The operations to which an `Idempotency-Key` is sent. */
  readonly keyed: Readonly<Record<KeyedNames<P>, true>>;
};

/** Where requests go, and with what. */
export type Connection = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The runtime of the generated code; it holds the key. */
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

/** What the generated functions are told beside the parameters of their operation. */
type Told = Omit<AnyCall, keyof CallSettings> & {
  readonly client: Client;
  readonly throwOnError: true;
  readonly parseAs: 'text';
  readonly querySerializer: { readonly array: { readonly style: 'form'; readonly explode: false } };
  readonly fetch: (request: Request) => Promise<Response>;
  readonly requestValidator: (settings: { client?: unknown }) => Promise<void>;
};

/** A request that was made once as one that can be sent again. */
const questionOf = async (request: Request): Promise<Question> => {
  const body = await request.text();
  return { url: request.url, method: request.method, headers: request.headers, ...(body !== '' && { body }) };
};

const bodyOf = (text: string, operation: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FlightDataConnectionError('unreadable', operation, { cause });
  }
};

/** Refuses a URL that is not one of the service: the key goes nowhere else. */
const checkLink = (url: string, baseUrl: string): void => {
  const [link, base] = [new URL(url), new URL(`${baseUrl}/`)];
  if (link.origin === base.origin && link.pathname.startsWith(base.pathname)) return;
  throw new ForeignLinkError(
    `The page lies at ${link.origin}${link.pathname}, which is not under ${baseUrl}; the key is sent nowhere else.` +
      ' Give the client the public address of the service as its baseUrl.',
  );
};

/** Refuses what would make the path that of another operation: a URL is read without its dots. */
const checkPath = (path: AnyCall['path'] = {}): void => {
  for (const [name, value] of Object.entries(path))
    if (/^\.{0,2}$/.test(String(value))) throw new TypeError(`path.${name} is '${String(value)}', which names nothing`);
};

/** The operations of a version of a product, each as a function from its parameters to its answer. */
export const newProduct = <P>(description: ProductDescription<P>, connection: Connection): P => {
  const { product, version, lists, keyed } = description;
  const { client, transport, baseUrl, subscriptionKey } = connection;
  // The functions and the types of the product come from the same document: what that lets through is what they take.
  const functions = description.sdk as unknown as Readonly<Record<string, (told: Told) => Promise<unknown>>>;

  const ask = async (operation: string, { signal, timeoutMs, onAnswer, ...given }: AnyCall): Promise<unknown> => {
    checkPath(given.path);
    // A request that waits for events is answered late.
    const waitMs = 1000 * Number(given.query?.['Wait'] ?? 0);
    const sending: Sending = {
      name: { product, version, operation },
      signal,
      timeoutMs: timeoutMs ?? transport.timeoutMs + waitMs,
      onAnswer,
    };
    let text = '';
    const told: Told = {
      ...given,
      headers: { ...(operation in keyed && { 'Idempotency-Key': crypto.randomUUID() }), ...given.headers },
      query: { ...given.query, version },
      client,
      throwOnError: true,
      parseAs: 'text',
      // What is left in the settings becomes those of a request, where a platform may know a `client` of another kind.
      requestValidator: async (settings) => {
        delete settings.client;
      },
      // The generated functions know this only of parameters that stand in the operation itself; all lists are written so.
      querySerializer: { array: { style: 'form', explode: false } },
      fetch: async (request) => {
        const question = await questionOf(request);
        // What needs no key asks how the service is: its first answer is what is wanted.
        const isPublic = !question.headers.has('subscription-key');
        text = await transport.send(question, isPublic ? { ...sending, retries: 0 } : sending);
        return new Response(null);
      },
    };
    await functions[operation]?.(told);
    return bodyOf(text, operation);
  };

  const follow = async (operation: string, url: string, { signal, timeoutMs, onAnswer }: AnyCall): Promise<unknown> => {
    checkLink(url, baseUrl);
    const headers = new Headers({ 'Subscription-Key': subscriptionKey });
    const name = { product, version, operation };
    return bodyOf(
      await transport.send({ url, method: 'GET', headers }, { name, signal, timeoutMs, onAnswer }),
      operation,
    );
  };

  const walk = (operation: string, call: AnyCall): unknown =>
    newPages<unknown>({
      first: async () => (await ask(operation, call)) as AnyPage<unknown>,
      follow: async (url) => (await follow(operation, url, call)) as AnyPage<unknown>,
    });
  const operations = Object.keys(functions).map((operation) => [
    operation,
    (call: AnyCall = {}) => (operation in lists ? walk(operation, call) : ask(operation, call)),
  ]);
  return Object.fromEntries(operations) as P;
};
