import http, { type AgentOptions, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { createGuardedLookup, parseTarget, type Target, type TargetGuard } from './target-guard.ts';
import { type CustomHeader, findHeaderError } from './custom-header.ts';
import {
  AttemptAbortedError,
  type DeliveryResult,
  type FailureReason,
  MAX_TEXT_BYTES,
  type ReceivedStatus,
  toDeliveryResult,
  toFailureReason,
  toResponseText,
} from './delivery-result.ts';
import { createSignedHeaders, type OutgoingEvent } from './signatures.ts';

/** Time-outs of an attempt, milliseconds. */
export type DeliveryTimeouts = {
  /** Until the connection is ready: DNS lookup, TCP and TLS. */
  readonly connectMs: number;
  /** From the connection to the status line of the response. */
  readonly responseMs: number;
  /** Until the end of the response, in total. */
  readonly totalMs: number;
};

/** Bytes of a response body after which the connection is closed. A TLS connection is read in records of up to 16 KiB, so at most 64 KiB are read. */
const MAX_RESPONSE_BYTES = 48 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** For 103 Early Hints and the like, each of which may have as many headers as a response. */
const MAX_INFORMATIONAL_RESPONSES = 5;

type AttemptOptions = {
  readonly options: RequestOptions;
  readonly isSecure: boolean;
  readonly body: string;
  /** Values that the stored response text must not contain. */
  readonly secrets: readonly string[];
  readonly timeouts: DeliveryTimeouts;
  readonly now: () => Date;
};

type AttemptResult = {
  readonly result: DeliveryResult;
  /** Whether a kept-alive connection turned out to be closed, which says nothing about the receiver. */
  readonly wasStale: boolean;
};

/** Calls `onChange` with true when the request can be written to its connection, and with false when the TLS handshake starts. */
const watchConnection = (request: ClientRequest, isSecure: boolean, onChange: (isReady: boolean) => void): void => {
  request.once('socket', (socket) => {
    if (request.reusedSocket) return onChange(true);
    if (isSecure) socket.once('connect', () => onChange(false)).once('secureConnect', () => onChange(true));
    else socket.once('connect', () => onChange(true));
  });
};

/** Sends one request and reads the relevant part of its response. Never rejects: every failure is a result. */
const sendAttempt = ({ options, isSecure, body, secrets, timeouts, now }: AttemptOptions): Promise<AttemptResult> =>
  new Promise((resolve) => {
    const startedMs = performance.now();
    const chunks: Buffer[] = [];
    let responseBytes = 0;
    let received: ReceivedStatus | undefined;
    let isEncoded = false;
    let isComplete = false;
    let isHandshaking = false;

    const request = (isSecure ? https : http).request({ ...options, maxHeaderSize: MAX_HEADER_BYTES });
    const abort = (reason: FailureReason) => () => request.destroy(new AttemptAbortedError(reason));
    let phaseTimer = setTimeout(abort('connect-timeout'), timeouts.connectMs);
    const totalTimer = setTimeout(abort('total-timeout'), timeouts.totalMs);

    const finish = (error?: Error): void => {
      clearTimeout(phaseTimer);
      clearTimeout(totalTimer);
      const responseText = isEncoded ? '' : toResponseText(Buffer.concat(chunks), { secrets, isComplete });
      const attempt = { durationMs: Math.round(performance.now() - startedMs), responseBytes, responseText };
      // The status decides; failures in the rest of the response are irrelevant.
      if (received) return resolve({ result: toDeliveryResult(received, attempt), wasStale: false });
      // Closed without a response.
      const reason = error ? toFailureReason(error, isHandshaking) : 'connection-reset';
      const wasStale = request.reusedSocket && reason === 'connection-reset';
      resolve({ result: { ...attempt, kind: 'failed', reason, status: undefined }, wasStale });
    };

    watchConnection(request, isSecure, (isReady) => {
      isHandshaking = !isReady;
      if (!isReady) return;
      clearTimeout(phaseTimer);
      phaseTimer = setTimeout(abort('answer-timeout'), timeouts.responseMs);
    });

    let informational = 0;
    request.on('information', () => {
      informational += 1;
      if (informational > MAX_INFORMATIONAL_RESPONSES) abort('answer-not-http')();
    });
    request.on('response', (response: IncomingMessage) => {
      clearTimeout(phaseTimer);
      received = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], at: now() };
      isEncoded = (response.headers['content-encoding'] ?? 'identity') !== 'identity';
      response.on('data', (chunk: Buffer) => {
        if (responseBytes < MAX_TEXT_BYTES) chunks.push(chunk);
        responseBytes += chunk.length;
        if (responseBytes >= MAX_RESPONSE_BYTES) request.destroy();
      });
      response.on('end', () => {
        isComplete = true;
      });
      // A destroyed response still emits 'close'.
      response.on('error', () => {});
    });
    request.on('error', finish);
    request.on('close', () => finish());
    request.end(body);
  });

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
