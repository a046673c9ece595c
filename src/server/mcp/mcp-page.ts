import { Hono, type Context } from 'hono';
import type { CheckKey } from '../http/auth/api-keys.ts';
import { getPeer, type Env } from '../http/context/env.ts';
import type { GetClientId } from '../http/auth/client-address.ts';
import { fairAdmission } from '../http/middleware/fair-admission.ts';
import { rateLimit } from '../http/middleware/rate-limit.ts';
import type { FairQueues } from '../http/rate-limit/fair-admission.ts';
import type { AdmitRequest } from '../http/rate-limit/rate-limiter.ts';
import { MAX_JSON_BYTES } from '../http/request/body-bytes.ts';
import type { BodyMemory } from '../http/request/body-memory.ts';
import { validateJsonText } from '../http/request/json-text.ts';
import { Problem } from '../http/response/problem.ts';
import { splitTarget } from '../http/router/request-url.ts';
import type { PublicPages } from '../http/static/published-pages.ts';
import type { StaticFile } from '../http/static/static-files.ts';
import { isJsonObject } from '../lib/openapi-document.ts';
import type { SendToolRequest } from './mcp-server.ts';

const MCP_PATH = '/mcp';

export type McpPageOptions = {
  /** Handles the request of a tool as any other request: with its key, its limits and its line in the access log. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly checkKey: CheckKey;
  readonly admitRequest: AdmitRequest;
  readonly fairQueues: FairQueues;
  readonly bodyMemory: BodyMemory;
  readonly getClientId?: GetClientId | undefined;
  /** Documents and recipes. */
  readonly files: readonly StaticFile[];
  /** Returns the portal with its guides, or no files until it is built. */
  readonly portal: () => readonly StaticFile[];
  /** Whether tools may write. */
  readonly canWrite: boolean;
  readonly clock: () => Date;
  readonly publicUrl?: string | undefined;
};

const isLoopback = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(host);

/**
 * Rejects the request of a page of another origin, as the protocol requires. Without `publicUrl` only loopback addresses are trusted: the
 * `Host` of a rebound name is that of the page.
 */
const checkOrigin = ({ raw }: Context<Env>['req'], publicUrl: string | undefined): void => {
  const origin = raw.headers.get('origin');
  if (origin === null) return;
  const own = new URL(publicUrl ?? raw.url);
  if (origin === own.origin && (publicUrl !== undefined || isLoopback(own.host))) return;
  throw new Problem('origin-not-permitted', 'This endpoint does not accept requests of web pages of another origin.');
};

/** Whether the message is a tool call. Its request counts by itself; the message counts only if it makes none. */
const isToolCall = (message: unknown): boolean => isJsonObject(message) && message['method'] === 'tools/call';

/** Serves one message. The SDK is loaded by the first one. */
const createMessageHandler = ({ fetch, files, portal, canWrite, clock }: McpPageOptions) => {
  const load = async (guides: readonly StaticFile[]) => {
    const sdk = await import('./mcp-server.ts');
    return { sdk, content: sdk.createMcpCatalog({ files: [...files, ...guides], canWrite, now: clock() }) };
  };
  let loaded: { readonly guides: readonly StaticFile[]; readonly parts: ReturnType<typeof load> } | undefined;
  const loadOnce = (): ReturnType<typeof load> => {
    const guides = portal();
    if (loaded?.guides !== guides) loaded = { guides, parts: load(guides) };
    return loaded.parts;
  };
  return async (request: Request, message: unknown, onSend: () => void = () => {}): Promise<Response> => {
    const { sdk, content } = await loadOnce();
    const { origin } = splitTarget(request.url);
    const copied = ['subscription-key', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'].flatMap((name) => {
      const value = request.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const send: SendToolRequest = async ({ method, target, headers, body }, signal) => {
      onSend();
      return fetch(
        new Request(`${origin}${target}`, {
          method,
          headers: { ...headers, ...Object.fromEntries(copied), accept: 'application/json' },
          signal,
          ...(body !== undefined && { body }),
        }),
      );
    };
    return sdk.handleMessage(request, { message, content, send });
  };
};

/**
 * Creates `/mcp`, the Model Context Protocol over HTTP without sessions: any process can handle any message. Messages need a subscription
 * key. They count against its limits, a tool call by the request that it makes.
 *
 * @example createApp({ pages: [createMcpPage({ fetch, checkKey, admitRequest, fairQueues, bodyMemory, files, portal, canWrite: false, clock })] })
 */
export const createMcpPage = (options: McpPageOptions): PublicPages => {
  const app = new Hono<Env>({ strict: true });
  const handle = createMessageHandler(options);
  const limit = rateLimit(options.admitRequest);
  const admit = fairAdmission(options.fairQueues.memory);

  const parse = async (c: Context<Env, string>, bytes: Buffer): Promise<unknown> => {
    let message: unknown;
    await admit(c, async () => {
      const text = new TextDecoder().decode(bytes);
      validateJsonText(text);
      message = JSON.parse(text);
    });
    // One count of a limit must not buy many responses; the current revision of the protocol has no batches.
    if (Array.isArray(message)) throw new Problem('invalid-body', 'The body must be one message, not a batch.');
    return message;
  };

  const respond = async (c: Context<Env, string>, bytes: Buffer): Promise<Response> => {
    const message = await parse(c, bytes);
    c.get('headers')['cache-control'] = 'no-store';
    if (isToolCall(message)) {
      let hasSent = false;
      const response = await handle(c.req.raw, message, () => {
        hasSent = true;
      });
      // The request is made while the body is read.
      const body = await response.arrayBuffer();
      if (!hasSent) await limit(c, async () => {});
      return new Response(body.byteLength === 0 ? null : body, response);
    }
    let response: Response | undefined;
    await limit(c, async () => {
      await admit(c, async () => {
        response = await handle(c.req.raw, message);
      });
    });
    if (!response) throw new Error('the message has no response');
    return response;
  };

  app.all(MCP_PATH, async (c) => {
    checkOrigin(c.req, options.publicUrl);
    if (c.req.method !== 'POST')
      throw new Problem('method-not-allowed', `${MCP_PATH} supports POST, not ${c.req.method.slice(0, 16)}.`, {
        headers: { Allow: 'POST' },
      });
    const { headers } = c.req.raw;
    const getId = () => options.getClientId?.(getPeer(c), headers.get('x-forwarded-for'));
    // Each tool call checks the key for its own product.
    const key = await options.checkKey(headers.get('subscription-key'), undefined, getId);
    c.set('key', key);
    const owner = key.subscriptionId;
    return options.bodyMemory.receive(c.req.raw, { owner, maxBytes: MAX_JSON_BYTES }, (bytes) => respond(c, bytes));
  });
  return { prefixes: [], app };
};
