import fs from 'node:fs';
import { type DestinationStream, pino } from 'pino';
import { getErrorCode } from '#lib/error-code.ts';
import { namesSecret } from '#lib/key-form.ts';
import { maskKeyForms } from '#lib/mask-keys.ts';
import { memoizeText } from '#lib/text-memo.ts';

/** A completed request, for the access log, metrics and traces. */
export type AccessEntry = {
  readonly at: Date;
  /** 32 hexadecimal digits. */
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
  /** Path template of the operation, e.g. `/flight-instances/{date}/{key}`; undefined where no operation was selected. Not logged. */
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

const isTemporary = (error: unknown): boolean => ['EAGAIN', 'EBUSY'].includes(getErrorCode(error));

/**
 * Writes the rest of the buffer as the process exits. When no process reads the output any more, sonic-boom 4.2.1 retries permanently and the
 * process never exits; here such a write counts as done.
 */
const flushOnce = (flush: () => void): void => {
  const { writeSync } = fs;
  const writeOrDiscard = (fd: number, text: string): number => {
    try {
      return writeSync(fd, text);
    } catch (error) {
      if (isTemporary(error)) throw error;
      return Buffer.byteLength(text);
    }
  };
  Object.assign(fs, { writeSync: writeOrDiscard });
  try {
    flush();
  } finally {
    Object.assign(fs, { writeSync });
  }
};

/** Characters written at once. */
const BLOCK_CHARACTERS = 64 * 1024;

/** What is kept while it cannot be written, bytes: the reader is slow, or the disk is full. */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;

const countLines = (text: string): number => text.split('\n').length - 1;

/** Reports on standard error when the log cannot be written, and when it is written again. */
const reportFailures = (output: ReturnType<typeof pino.destination>): void => {
  let failed = false;
  let lost = 0;
  const report = (text: string): void => void process.stderr.write(`flightdata: the log ${text}\n`);
  const fail = (cause: string): void => {
    if (!failed) report(`cannot be written: ${cause}; requests are served without it`);
    failed = true;
  };
  output.on('error', ({ message }: Error) => fail(message));
  output.on('drop', (block: string) => {
    fail('its reader is too slow');
    lost += countLines(block);
  });
  output.on('drain', () => {
    if (failed) report(`is written again; ${lost} lines are lost`);
    [failed, lost] = [false, 0];
  });
};

/**
 * Opens standard output for log lines, written in the background. Lines are collected into blocks for up to a second, because passing on each
 * line costs more than building it. When they cannot be written, up to 16 MiB are kept until they can, and further ones are lost.
 */
export const openLogOutput = (): DestinationStream => {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: BLOCK_CHARACTERS,
    maxWrite: 16 * BLOCK_CHARACTERS,
    maxLength: MAX_UNWRITTEN_BYTES,
    periodicFlush: 1000,
  });
  reportFailures(output);
  const { write, flush, flushSync } = output;
  let lines: string[] = [];
  let characters = 0;
  const writeBlock = (): void => {
    if (lines.length === 0) return;
    const block = lines.join('');
    [lines, characters] = [[], 0];
    write.call(output, block);
  };
  return Object.assign(output, {
    write: (line: string): boolean => {
      lines.push(line);
      characters += line.length;
      if (characters >= BLOCK_CHARACTERS) writeBlock();
      return true;
    },
    flush: (onFlushed?: (error?: Error) => void): void => {
      writeBlock();
      flush.call(output, onFlushed);
    },
    flushSync: (): void => {
      writeBlock();
      flushOnce(() => flushSync.call(output));
    },
  });
};

const MAX_LOGGED_CHARACTERS = 2048;

// JSON escapes the C0 control characters; these too can move the cursor or break a line in some viewers.
const controlCharacters = /[\u007f-\u009f\u2028\u2029]/g;

const maskParameter = (parameter: string): string => {
  const [name = ''] = parameter.split('=', 1);
  return namesSecret(name) ? `${name}=***` : parameter;
};

const toLogText = (text: string): string => text.slice(0, MAX_LOGGED_CHARACTERS).replaceAll(controlCharacters, '?');

const toLogQuery = (query: string): string => toLogText(query).split('&').map(maskParameter).join('&');

/** Returns a function that formats a member of the line from a text that many requests share; nothing for none. */
const formatMember = (name: string, toText = (text: string): string => text) => {
  const format = memoizeText((text) => `,"${name}":${JSON.stringify(toText(text))}`);
  return (text: string | undefined): string => (text === undefined ? '' : format(text));
};
const format = {
  method: formatMember('method'),
  product: formatMember('product'),
  version: formatMember('version'),
  keyHint: formatMember('keyHint'),
  problem: formatMember('problem'),
  path: formatMember('path', toLogText),
  query: formatMember('query', toLogQuery),
};

/** Returns a function that formats a time; many requests share a millisecond. */
const createTimeFormat = (): ((at: Date) => string) => {
  let [last, text] = [NaN, ''];
  return (at) => {
    const time = at.getTime();
    if (time !== last) [last, text] = [time, at.toISOString()];
    return text;
  };
};

/** Masks what has the form of an API key in the line of an error, which can contain values of a request. A request ID has that form too. */
const maskErrorLine = (line: string): string =>
  line
    .split(/(?<=[{,])("requestId":"[^"]*")/)
    .map((part, index) => (index % 2 === 1 ? part : maskKeyForms(part)))
    .join('');

/**
 * Creates a log to `destination`, by default standard output. It is buffered and written in the background at least once a second, so a
 * request never waits for it.
 */
export const createAccessLog = (destination: DestinationStream = openLogOutput()): AccessLog => {
  const logger = pino(
    {
      base: null,
      timestamp: false,
      formatters: { level: (level) => ({ level }) },
      hooks: { streamWrite: maskErrorLine },
    },
    destination,
  );
  const formatTime = createTimeFormat();
  return {
    // Built by hand, in a third of the time of the logger: there is one line for each request.
    request: (entry) => {
      const { at, requestId, status, bytes, subscriptionId, durationMs } = entry;
      destination.write(
        `{"level":"info","time":"${formatTime(at)}","requestId":"${requestId}"${format.method(entry.method)},"status":${status}` +
          `${bytes === undefined ? '' : `,"bytes":${bytes}`}${format.product(entry.product)}${format.version(entry.version)}` +
          `${subscriptionId === undefined ? '' : `,"subscriptionId":${subscriptionId}`}${format.keyHint(entry.keyHint)}` +
          `${format.problem(entry.problem)}${format.path(entry.path)}${format.query(entry.query === '' ? undefined : entry.query)}` +
          `,"durationMs":${Math.round(durationMs * 1000) / 1000}}\n`,
      );
    },
    failure: (error, at, requestId) => logger.error({ time: at.toISOString(), requestId, err: error }),
    flush: () => new Promise((resolve) => logger.flush(() => resolve())),
  };
};
