import http, { type AgentOptions } from 'node:http';
import https from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { attempt, type Timeouts } from './attempt.ts';
import { checkedLookup } from './checked-lookup.ts';
import { headerRefusal, type CustomHeader } from './custom-header.ts';
import type { Outcome } from './outcome.ts';
import { readTarget, type Target } from './read-target.ts';
import { signedHeaders, type OutgoingEvent } from './signed-headers.ts';
import type { TargetGuard } from './target-guard.ts';

/** Who gets events, and how. */
export type Endpoint = {
  readonly url: string;
  /** `whsec_` secrets and `whsk_` keys, the newest first: several while one replaces another. */
  readonly keys: readonly string[];
  readonly header?: CustomHeader | undefined;
};

export type DeliverySettings = {
  readonly guard: TargetGuard;
  readonly timeouts?: Timeouts;
  /** Certificates (PEM) of authorities to trust beside those of the system, for receivers within a network. */
  readonly authorities?: readonly string[];
  /** The time for signatures and for the dates of `Retry-After`. */
  readonly now?: () => Date;
};

/** Sends events over connections that it keeps for the next ones. */
export type Deliverer = {
  /** One attempt, which never rejects for what a receiver does. Throws a RangeError for an event, a key or a header that is none. */
  readonly deliver: (endpoint: Endpoint, event: OutgoingEvent) => Promise<Outcome>;
  /** Ends the connections that are kept; for when no attempt is under way. */
  readonly close: () => void;
};

export const defaultTimeouts: Timeouts = { connectMs: 5000, answerMs: 15_000, totalMs: 20_000 };

const USER_AGENT = 'flightdata-webhooks/1';
/** How long a connection is kept that nothing is sent over, and how many to one receiver. */
const IDLE_MS = 10_000;
const MAX_IDLE = 4;
/** How long a connection is taken up again, so that a name that comes to lead elsewhere is asked for again and checked again. */
const MAX_AGE_MS = 60_000;

type Agents = { readonly http: http.Agent; readonly https: https.Agent };

/** Agents of our own: variables of the environment that name proxies or turn off checks of certificates have no say in them. */
const agentsOf = (secureContext: SecureContext, options: AgentOptions): Agents => ({
  http: new http.Agent(options),
  https: new https.Agent({ ...options, secureContext, rejectUnauthorized: true }),
});

const headersOf = ({ header, keys }: Endpoint, event: OutgoingEvent, at: Date): Record<string, string> => {
  const refusal = header && headerRefusal(header);
  if (refusal) throw new RangeError(refusal);
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(event.body)),
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    ...signedHeaders(event, keys, at),
    ...(header && { [header.name]: header.value }),
  };
};

/** Shortest part of a query, and of a path, that is taken for a token. */
const TOKEN_LENGTH = { query: 8, path: 16 } as const;

/** What a receiver may repeat in its answer and nobody else should read: the value of the header, and tokens in the URL. */
const secretsOf = ({ url, header }: Endpoint): readonly string[] => {
  const { pathname, searchParams } = new URL(url);
  return [
    ...(header ? [header.value] : []),
    ...[...searchParams.values()]
      .filter(({ length }) => length >= TOKEN_LENGTH.query)
      .flatMap((value) => [value, encodeURIComponent(value)]),
    ...pathname.split('/').filter(({ length }) => length >= TOKEN_LENGTH.path),
  ];
};

const refused: Outcome = {
  kind: 'failed',
  reason: 'address-refused',
  status: undefined,
  durationMs: 0,
  answerBytes: 0,
  answer: '',
};

/** Makes what sends events to webhooks; one for a process, since it keeps connections. */
export const newDeliverer = ({
  guard,
  timeouts = defaultTimeouts,
  authorities = [],
  now = () => new Date(),
}: DeliverySettings): Deliverer => {
  // Made once: reading some 150 authorities for each connection would take longer than connecting.
  const secureContext = createSecureContext({
    ca: [...getCACertificates('default'), ...authorities],
    minVersion: 'TLSv1.2',
  });
  const keeping = (): Agents =>
    agentsOf(secureContext, { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS, scheduling: 'lifo' });
  let kept = { agents: keeping(), since: now().getTime() };
  const keptAgents = (): Agents => {
    const at = now().getTime();
    // A clock that was set back is no reason to keep connections longer. What the agents before still keep ends by itself.
    if (Math.abs(at - kept.since) > MAX_AGE_MS) kept = { agents: keeping(), since: at };
    return kept.agents;
  };
  const fresh = agentsOf(secureContext, { keepAlive: false });

  const send = (target: Target, endpoint: Endpoint, event: OutgoingEvent) => {
    const headers = headersOf(endpoint, event, now());
    return (agents: Agents, limits: Timeouts) =>
      attempt({
        options: {
          method: 'POST',
          host: target.host,
          port: target.port,
          path: target.path,
          headers,
          agent: target.isSecure ? agents.https : agents.http,
          lookup: checkedLookup(target, guard),
        },
        isSecure: target.isSecure,
        body: event.body,
        secrets: secretsOf(endpoint),
        timeouts: limits,
        now,
      });
  };

  return {
    deliver: async (endpoint, event) => {
      const read = readTarget(endpoint.url, guard);
      if ('refusal' in read) return refused;
      const trying = send(read.target, endpoint, event);
      const first = await trying(keptAgents(), timeouts);
      if (!first.wasStale) return first.outcome;
      // The receiver closed a connection while it was taken up again, as it may at any time; a new one tells how it is.
      const spentMs = first.outcome.durationMs;
      const second = await trying(fresh, { ...timeouts, totalMs: Math.max(1, timeouts.totalMs - spentMs) });
      return { ...second.outcome, durationMs: second.outcome.durationMs + spentMs };
    },
    close: () => {
      for (const agents of [kept.agents, fresh]) {
        agents.http.destroy();
        agents.https.destroy();
      }
    },
  };
};
