import http, { type AgentOptions } from 'node:http';
import https from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { sendAttempt, type DeliveryTimeouts } from './attempt.ts';
import { createGuardedLookup } from './check-target.ts';
import { findHeaderError, type CustomHeader } from './custom-header.ts';
import type { DeliveryResult } from './delivery-result.ts';
import { parseTarget, type Target } from './parse-target.ts';
import { createSignedHeaders, type OutgoingEvent } from './signed-headers.ts';
import type { TargetGuard } from './target-guard.ts';

/** A receiver of events. */
export type WebhookEndpoint = {
  readonly url: string;
  /** `whsec_` secrets and `whsk_` keys, the newest first; several during a rotation. */
  readonly keys: readonly string[];
  readonly header?: CustomHeader | undefined;
};

export type DelivererOptions = {
  readonly guard: TargetGuard;
  readonly timeouts?: DeliveryTimeouts;
  /** Certificates (PEM) of further authorities to trust, for internal receivers. */
  readonly authorities?: readonly string[];
  /** Clock of signatures and of `Retry-After` dates. */
  readonly now?: () => Date;
};

/** Sends events over pool-alive connections. */
export type Deliverer = {
  /** Makes one attempt; never rejects because of the receiver. Throws a RangeError for an invalid event, key or header. */
  readonly deliver: (endpoint: WebhookEndpoint, event: OutgoingEvent) => Promise<DeliveryResult>;
  /** Closes the idle connections; to be called when no attempt is in progress. */
  readonly close: () => void;
};

export const defaultTimeouts: DeliveryTimeouts = { connectMs: 5000, responseMs: 15_000, totalMs: 20_000 };

const USER_AGENT = 'flightdata-webhooks/1';
/** Idle time-out of a connection, and maximum number of idle connections for each receiver. */
const IDLE_MS = 10_000;
const MAX_IDLE = 4;
/** Maximum age of a connection, so that DNS changes are noticed and checked. */
const MAX_AGE_MS = 60_000;

type Agents = { readonly http: http.Agent; readonly https: https.Agent };

/** Separate agents: environment variables for proxies or TLS checks do not affect them. */
const createAgents = (secureContext: SecureContext, options: AgentOptions): Agents => ({
  http: new http.Agent(options),
  https: new https.Agent({ ...options, secureContext, rejectUnauthorized: true }),
});

const createHeaders = ({ header, keys }: WebhookEndpoint, event: OutgoingEvent, at: Date): Record<string, string> => {
  const error = header && findHeaderError(header);
  if (error) throw new RangeError(error);
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(event.body)),
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    ...createSignedHeaders(event, keys, at),
    ...(header && { [header.name]: header.value }),
  };
};

/** Minimum length of a query value and of a path segment that counts as a token. */
const TOKEN_LENGTH = { query: 8, path: 16 } as const;

/** The secrets that a receiver may echo: the header value, and tokens in the URL. */
const listSecrets = ({ url, header }: WebhookEndpoint): readonly string[] => {
  const { pathname, searchParams } = new URL(url);
  return [
    ...(header ? [header.value] : []),
    ...[...searchParams.values()]
      .filter(({ length }) => length >= TOKEN_LENGTH.query)
      .flatMap((value) => [value, encodeURIComponent(value)]),
    ...pathname.split('/').filter(({ length }) => length >= TOKEN_LENGTH.path),
  ];
};

const addressRejected: DeliveryResult = {
  kind: 'failed',
  reason: 'address-refused',
  status: undefined,
  durationMs: 0,
  responseBytes: 0,
  responseText: '',
};

/** Creates the deliverer; one for each process, because it pools connections. */
export const createDeliverer = ({
  guard,
  timeouts = defaultTimeouts,
  authorities = [],
  now = () => new Date(),
}: DelivererOptions): Deliverer => {
  // Created once: reading some 150 authorities for each connection would take longer than connecting.
  const secureContext = createSecureContext({
    ca: [...getCACertificates('default'), ...authorities],
    minVersion: 'TLSv1.2',
  });
  const createPooled = (): Agents =>
    createAgents(secureContext, { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS, scheduling: 'lifo' });
  let pool = { agents: createPooled(), since: now().getTime() };
  const getPooledAgents = (): Agents => {
    const at = now().getTime();
    // The absolute value also handles a clock that was set back. Idle connections of the previous agents time out.
    if (Math.abs(at - pool.since) > MAX_AGE_MS) pool = { agents: createPooled(), since: at };
    return pool.agents;
  };
  const unpooled = createAgents(secureContext, { keepAlive: false });

  const send = (target: Target, endpoint: WebhookEndpoint, event: OutgoingEvent) => {
    const headers = createHeaders(endpoint, event, now());
    return (agents: Agents, limits: DeliveryTimeouts) =>
      sendAttempt({
        options: {
          method: 'POST',
          host: target.host,
          port: target.port,
          path: target.path,
          headers,
          agent: target.isSecure ? agents.https : agents.http,
          lookup: createGuardedLookup(target, guard),
        },
        isSecure: target.isSecure,
        body: event.body,
        secrets: listSecrets(endpoint),
        timeouts: limits,
        now,
      });
  };

  return {
    deliver: async (endpoint, event) => {
      const parsed = parseTarget(endpoint.url, guard);
      if ('error' in parsed) return addressRejected;
      const sendWith = send(parsed.target, endpoint, event);
      const first = await sendWith(getPooledAgents(), timeouts);
      if (!first.wasStale) return first.result;
      // The receiver closed an idle connection, as it may at any time; retry over a new one.
      const spentMs = first.result.durationMs;
      const second = await sendWith(unpooled, { ...timeouts, totalMs: Math.max(1, timeouts.totalMs - spentMs) });
      return { ...second.result, durationMs: second.result.durationMs + spentMs };
    },
    close: () => {
      for (const agents of [pool.agents, unpooled]) {
        agents.http.destroy();
        agents.https.destroy();
      }
    },
  };
};
