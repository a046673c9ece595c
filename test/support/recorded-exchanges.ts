import { onTestFailed, TestRunner } from 'vitest';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '#http/context/env.ts';

/** A request and its response as sent over the wire. Clone the response before reading its body: it belongs to the caller. */
export type Exchange = { readonly request: Request; readonly response: Response };

type Listener = (exchange: Exchange) => void;

const listeners = new Set<Listener>();

/** Calls a listener for every exchange of this test file. Returns a function that removes the listener. */
export const recordExchanges = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The last exchange of each running test, with the body as far as the test has read it. */
type LastExchange = Exchange & { readonly sent: Request | undefined; received?: string };
const lastExchanges = new WeakMap<object, LastExchange>();

const renderHeaders = (headers: Headers): string => [...headers].map(([name, value]) => `${name}: ${value}\n`).join('');

const clip = (text: string): string =>
  text.length > 4000 ? `${text.slice(0, 4000)} [${text.length} characters]` : text;

const printLastExchange = async (test: object): Promise<void> => {
  const last = lastExchanges.get(test);
  if (!last) return;
  const { request, sent, response, received = '(not read)' } = last;
  const body = sent ? clip(await sent.text()) : '';
  console.error(
    `last request: ${request.method} ${request.url}\n${renderHeaders(request.headers)}${body}\n` +
      `its response: ${response.status}\n${renderHeaders(response.headers)}\n${clip(received)}`,
  );
};

/** Remembers the exchange, to be printed when the running test fails. */
const remember = (sent: Request | undefined, { request, response }: Exchange): void => {
  const test = TestRunner.getCurrentTest();
  if (!test) return;
  if (!lastExchanges.has(test)) onTestFailed(() => printLastExchange(test));
  const last: LastExchange = { sent, request, response };
  lastExchanges.set(test, last);
  const readText = response.text.bind(response);
  // A clone would keep a stream open that the test cancels.
  const text = async (): Promise<string> => (last.received = await readText());
  const json = async (): Promise<unknown> => JSON.parse(await text());
  Object.defineProperties(response, {
    text: { value: text, configurable: true },
    json: { value: json, configurable: true },
  });
};

/** The part of a Hono application that tests use. */
export type TestApp = {
  readonly fetch: (request: Request, bindings?: Env['Bindings']) => Promise<Response>;
  readonly request: (input: string | URL, init?: RequestInit) => Promise<Response>;
};

/** Wraps a service so that its exchanges are recorded; listeners run before the caller receives the response. */
export const recordedExchanges = (app: OpenAPIHono<Env>): TestApp => {
  const fetch: TestApp['fetch'] = async (request, bindings) => {
    // A server reads a body from its connection as the service does; a clone would change that.
    const sent = bindings === undefined && request.body ? request.clone() : undefined;
    const response = await app.fetch(request, bindings);
    for (const listener of listeners) listener({ request, response });
    remember(sent, { request, response });
    return response;
  };
  return { fetch, request: (input, init) => fetch(new Request(input, init)) };
};
