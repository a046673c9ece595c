import { pino, type DestinationStream } from 'pino';
import { openLogOutput } from './log-output.ts';

/** One answered request. */
export type AccessEntry = {
  readonly at: Date;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  /** Size of the body, undefined where it is not known beforehand. */
  readonly bytes: number | undefined;
  /** Until the answer was ready to be sent. */
  readonly durationMs: number;
  readonly product: string | undefined;
  readonly version: string | undefined;
  /** The path as the contract has it, e.g. `/flight-instances/{date}/{key}`: for counting. Undefined where nothing is at the path. */
  readonly route: string | undefined;
  readonly subscriptionId: number | undefined;
  readonly keyHint: string | undefined;
  /** The kind of problem it was answered with, if any. */
  readonly problem: string | undefined;
};

/** Where requests and failures are written, one JSON line each. */
export type AccessLog = {
  readonly request: (entry: AccessEntry) => void;
  /** A fault that is ours: the caller sees only the id. */
  readonly failure: (error: unknown, at: Date, requestId: string) => void;
  /** Resolves when what was buffered is written. */
  readonly flush: () => Promise<void>;
};

const MAX_LOGGED_CHARACTERS = 2048;

// The header is where keys belong, but callers mistake it: a key in a query must not come to rest in a log.
const secrets = /((?:subscription|api)(?:[-_]|%2d|%5f)?key|token|secret|password)=[^&]*/gi;

// JSON escapes the C0 controls; these too can move a cursor or break a line in some readers.
const controls = /[\u007f-\u009f\u2028\u2029]/g;

const withoutSecrets = (query: string): string =>
  // Most queries hold no such word: one look at them is cheaper than a replacement that finds nothing.
  /key|token|secret|password/i.test(query) ? query.replaceAll(secrets, '$1=***') : query;

const clean = (text: string): string => text.slice(0, MAX_LOGGED_CHARACTERS).replaceAll(controls, '?');

/**
 * A log to `destination`, by default standard output, buffered and written in the background at least once a second:
 * a request never waits for it.
 */
export const createAccessLog = (destination: DestinationStream = openLogOutput()): AccessLog => {
  const logger = pino({ base: null, timestamp: false, formatters: { level: (level) => ({ level }) } }, destination);
  return {
    // Written by hand, member by member, in half the time of the logger: there is one of these for each request.
    request: (entry) => {
      const { at, requestId, method, status, bytes, product, version, subscriptionId, keyHint, problem } = entry;
      const line = {
        level: 'info',
        time: at.toISOString(),
        requestId,
        method,
        status,
        bytes,
        product,
        version,
        subscriptionId,
        keyHint,
        problem,
        path: clean(entry.path),
        query: entry.query === '' ? undefined : withoutSecrets(clean(entry.query)),
        durationMs: Math.round(entry.durationMs * 1000) / 1000,
      };
      destination.write(`${JSON.stringify(line)}\n`);
    },
    failure: (error, at, requestId) => logger.error({ time: at.toISOString(), requestId, err: error }),
    flush: () => new Promise((resolve) => logger.flush(() => resolve())),
  };
};
