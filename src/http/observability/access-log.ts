import { pino, type DestinationStream } from 'pino';
import { openLogOutput } from './log-output.ts';

/** One line of the access log: a request and its response. */
export type AccessEntry = {
  readonly at: Date;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  /** Size of the body; undefined for streams. */
  readonly bytes: number | undefined;
  /** Time until the response was ready to be sent. */
  readonly durationMs: number;
  readonly product: string | undefined;
  readonly version: string | undefined;
  /** Path template of the operation, e.g. `/flight-instances/{date}/{key}`; undefined where no operation was selected. */
  readonly route: string | undefined;
  readonly subscriptionId: number | undefined;
  readonly keyHint: string | undefined;
  /** Kind of the problem in the response, if any. */
  readonly problem: string | undefined;
};

/** Log of requests and internal errors, one JSON line each. */
export type AccessLog = {
  readonly request: (entry: AccessEntry) => void;
  /** Logs an internal error; the client sees only the request ID. */
  readonly failure: (error: unknown, at: Date, requestId: string) => void;
  /** Resolves when the buffer is written. */
  readonly flush: () => Promise<void>;
};

const MAX_LOGGED_CHARACTERS = 2048;

// Keys belong in the header, but some clients send them in the query: those must not be logged.
const secretParameters = /((?:subscription|api)(?:[-_]|%2d|%5f)?key|token|secret|password)=[^&]*/gi;

// JSON escapes the C0 control characters; these too can move the cursor or break a line in some viewers.
const controlCharacters = /[\u007f-\u009f\u2028\u2029]/g;

const maskSecrets = (query: string): string =>
  // Most queries contain none of these words: the test is cheaper than a replacement without a match.
  /key|token|secret|password/i.test(query) ? query.replaceAll(secretParameters, '$1=***') : query;

const toLogText = (text: string): string => text.slice(0, MAX_LOGGED_CHARACTERS).replaceAll(controlCharacters, '?');

/**
 * Creates a log to `destination`, by default standard output. It is buffered and written in the background at least once a second, so a
 * request never waits for it.
 */
export const createAccessLog = (destination: DestinationStream = openLogOutput()): AccessLog => {
  const logger = pino({ base: null, timestamp: false, formatters: { level: (level) => ({ level }) } }, destination);
  return {
    // Built without the logger, which takes twice the time; there is one line for each request.
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
        path: toLogText(entry.path),
        query: entry.query === '' ? undefined : maskSecrets(toLogText(entry.query)),
        durationMs: Math.round(entry.durationMs * 1000) / 1000,
      };
      destination.write(`${JSON.stringify(line)}\n`);
    },
    failure: (error, at, requestId) => logger.error({ time: at.toISOString(), requestId, err: error }),
    flush: () => new Promise((resolve) => logger.flush(() => resolve())),
  };
};
