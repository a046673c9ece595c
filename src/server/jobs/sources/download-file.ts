import { createWriteStream } from 'node:fs';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { PassThrough, Transform } from 'node:stream';
import { z } from 'zod';

/** How requests reach publishers. */
export type DownloadRoute = {
  /** Address of a mirror that replaces the hosts of publishers, without a slash at its end. */
  readonly mirror?: string | undefined;
  /** Proxies and exceptions, as the runtime reads them from the environment. */
  readonly proxies?: Readonly<Record<string, string | undefined>>;
};

/** What identifies a version of a file. */
export type FileValidators = { readonly etag?: string | undefined; readonly lastModified?: string | undefined };

/** How long a server may take, milliseconds. */
export type TransferLimits = {
  /** Time for a file, with redirects and resumed transfers. */
  readonly totalMs: number;
  /** The least number of bytes in each window, if any arrive. */
  readonly minBytes: number;
  readonly windowMs: number;
};

type DownloadOptions = {
  /** Where the received bytes are stored; `<path>.json` describes an incomplete file. */
  readonly path: string;
  readonly route: DownloadRoute;
  readonly maxBytes: number;
  /** Those of a copy that is already there. */
  readonly known?: FileValidators | undefined;
  readonly limits?: TransferLimits | undefined;
  /** Called with the bytes received so far and the total, 0 when unknown. */
  readonly onProgress?: (done: number, total: number) => void;
};

/** The result of a download: the validators of the complete file, or that the known copy is the current one. */
export type DownloadResult = { readonly kind: 'unchanged' } | ({ readonly kind: 'complete' } & FileValidators);

/** A connection without any byte for this long is given up, milliseconds. */
const IDLE_MS = 60_000;
/** A modem of 1995 sends three times as much. */
const defaultLimits: TransferLimits = { totalMs: 3_600_000, minBytes: 60_000, windowMs: 60_000 };
const MAX_REDIRECTS = 5;
/** A lost connection is resumed this often in one run. */
const MAX_RESUMES = 3;

/** An incomplete file: what has been received of which version. */
const partialRecord = z.strictObject({ address: z.string(), ifRange: z.string() });

/** A transfer that ended early; the received part is kept. */
class InterruptedError extends Error {}

const formatLimit = (ms: number): string => (ms < 60_000 ? `${ms / 1000} seconds` : `${ms / 60_000} minutes`);

/** Aborts a transfer that takes too long, or whose bytes arrive too slowly: a server that sends a little all the time would hold it for days. */
export class TransferWatch {
  readonly #aborted = new AbortController();
  readonly #signal: AbortSignal;
  readonly #timers: readonly NodeJS.Timeout[];
  #bytes = 0;

  constructor({ totalMs, minBytes, windowMs }: TransferLimits, signal?: AbortSignal) {
    this.#signal = signal ? AbortSignal.any([this.#aborted.signal, signal]) : this.#aborted.signal;
    this.#timers = [
      setTimeout(() => this.#abort(`the transfer took more than ${formatLimit(totalMs)}`), totalMs),
      setInterval(() => {
        const bytes = this.#bytes;
        this.#bytes = 0;
        // The timeout of the connection is for a server that sends nothing.
        if (bytes > 0 && bytes < minBytes)
          this.#abort(`the server sent ${bytes} bytes in ${windowMs / 1000} seconds, fewer than ${minBytes}`);
      }, windowMs),
    ];
  }

  get signal(): AbortSignal {
    return this.#signal;
  }

  readonly count = (bytes: number): void => {
    this.#bytes += bytes;
  };

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #abort(reason: string): void {
    this.#aborted.abort(new Error(reason));
  }
}

/** Returns the address of a published file on the mirror, `MIRROR/HOST/PATH`, or its own address without a mirror. */
export const toRequestUrl = (address: string, { mirror }: DownloadRoute): URL => {
  const url = new URL(address);
  return mirror === undefined ? url : new URL(`${mirror}/${url.host}${url.pathname}${url.search}`);
};

/** A response whose body ends instead of failing when the connection is lost, so that what was received is kept. */
type ReceivedResponse = {
  readonly response: http.IncomingMessage;
  readonly body: PassThrough;
  /** Returns why the body ended early, undefined when it did not. */
  readonly findLoss: () => Error | undefined;
};

const receive = (response: http.IncomingMessage): ReceivedResponse => {
  const body = new PassThrough();
  let loss: Error | undefined;
  response.once('error', (error) => {
    loss = error;
    body.end();
  });
  response.pipe(body);
  return { response, body, findLoss: () => loss };
};

/** What a file is transferred with. */
type Transfer = { readonly route: DownloadRoute; readonly watch: TransferWatch };

const sendRequest = async (
  url: URL,
  headers: http.OutgoingHttpHeaders,
  { route: { proxies = {} }, watch: { signal } }: Transfer,
): Promise<ReceivedResponse> => {
  const protocol = url.protocol === 'https:' ? https : http;
  const agent = new protocol.Agent({ proxyEnv: { ...proxies } });
  const request = protocol.get(url, { agent, headers, timeout: IDLE_MS, signal });
  request.on('timeout', () => request.destroy(new Error(`the server sent nothing for ${IDLE_MS / 1000} seconds`)));
  return new Promise((resolve, reject) => {
    // After the response, its stream reports every error. Its body is received at once: a lost connection discards what is not.
    request.on('error', reject);
    request.on('response', (response) => resolve(receive(response)));
  });
};

const isRedirect = ({ statusCode = 0 }: http.IncomingMessage): boolean =>
  [301, 302, 303, 307, 308].includes(statusCode);

/** Sends a request and follows redirects, which may only lead to https or to the mirror. */
export const openResponse = async (
  address: string,
  headers: http.OutgoingHttpHeaders,
  by: Transfer,
): Promise<ReceivedResponse> => {
  const { route } = by;
  let url = toRequestUrl(address, route);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const received = await sendRequest(url, headers, by);
    const { response } = received;
    if (!isRedirect(response)) return received;
    response.destroy();
    const { location = '' } = response.headers;
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    const isMirror = next !== undefined && route.mirror !== undefined && next.origin === new URL(route.mirror).origin;
    if (!next || (next.protocol !== 'https:' && !isMirror))
      throw new Error(`${url.href} redirects to '${location}', which is neither https nor the mirror`);
    url = next;
  }
  throw new Error(`${address} redirects more than ${MAX_REDIRECTS} times`);
};

const readPartial = async (
  path: string,
  address: string,
): Promise<{ readonly bytes: number; readonly ifRange: string } | undefined> => {
  try {
    const record = partialRecord.parse(JSON.parse(await readFile(`${path}.json`, 'utf8')));
    const { size } = await stat(path);
    return record.address === address && size > 0 ? { bytes: size, ifRange: record.ifRange } : undefined;
  } catch {
    // Without a readable record the transfer begins again.
    return undefined;
  }
};

/** Removes an incomplete file and its description. */
export const removePartial = async (path: string): Promise<void> => {
  await rm(path, { force: true });
  await rm(`${path}.json`, { force: true });
};

/** Writes before which bytes of which version the transfer may continue; a weak entity tag does not identify bytes. */
const writePartialRecord = async (path: string, address: string, { headers }: http.IncomingMessage): Promise<void> => {
  const strong = headers.etag?.startsWith('W/') === false ? headers.etag : undefined;
  const ifRange = strong ?? headers['last-modified'];
  await rm(`${path}.json`, { force: true });
  if (ifRange === undefined) return;
  await writeFile(`${path}.json.tmp`, JSON.stringify({ address, ifRange }));
  await rename(`${path}.json.tmp`, `${path}.json`);
};

/** Returns where the bytes of a response begin in the file, and the size of the file, 0 when unknown. */
const readExtent = ({
  statusCode,
  headers,
}: http.IncomingMessage): { readonly start: number; readonly total: number } => {
  const [, start = '', total = ''] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  if (statusCode !== 206) return { start: 0, total: Number(headers['content-length'] ?? 0) };
  return { start: start === '' ? -1 : Number(start), total: Number(total) };
};

const createSizeLimit = (
  maxBytes: number,
  before: number,
  onBytes: (done: number, received: number) => void,
): Transform => {
  let done = before;
  return new Transform({
    transform(piece: Buffer, _encoding, next) {
      done += piece.length;
      onBytes(done, piece.length);
      next(done > maxBytes ? new RangeError(`it is larger than the limit of ${maxBytes} bytes`) : null, piece);
    },
  });
};

/** Stores the body of a response. Throws InterruptedError when it ended early. */
const storeBody = async (
  { response, body, findLoss }: ReceivedResponse,
  { start, total }: { readonly start: number; readonly total: number },
  { path, maxBytes, onProgress, watch }: DownloadOptions & Transfer,
): Promise<void> => {
  if (total > maxBytes) throw new RangeError(`it has ${total} bytes, more than the limit of ${maxBytes}`);
  const limit = createSizeLimit(maxBytes, start, (done, received) => {
    watch.count(received);
    onProgress?.(done, total);
  });
  await pipeline(body, limit, createWriteStream(path, { flags: start === 0 ? 'w' : 'a' }));
  const cause = findLoss();
  if (cause === undefined && response.complete) return;
  const { size } = await stat(path);
  throw new InterruptedError(`the connection was lost after ${size} of ${total || 'unknown'} bytes`, { cause });
};

const toValidatorHeaders = ({ etag, lastModified }: FileValidators): http.OutgoingHttpHeaders => ({
  ...(etag !== undefined && { 'if-none-match': etag }),
  ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
});

const transfer = async (address: string, options: DownloadOptions & Transfer): Promise<DownloadResult> => {
  const { path, known = {} } = options;
  const partial = await readPartial(path, address);
  const received = await openResponse(
    address,
    {
      'user-agent': 'flightdata',
      // A range counts the bytes of the file, not of a compressed form.
      'accept-encoding': 'identity',
      ...(partial ? { range: `bytes=${partial.bytes}-`, 'if-range': partial.ifRange } : toValidatorHeaders(known)),
    },
    options,
  );
  const { response } = received;
  try {
    const { statusCode, headers } = response;
    if (statusCode === 304) return { kind: 'unchanged' };
    if (statusCode === 416 && partial) {
      await removePartial(path);
      return await transfer(address, options);
    }
    if (statusCode !== 200 && !(statusCode === 206 && partial))
      throw new Error(`the server responded with status ${statusCode}`);
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') throw new Error(`the server sent it as ${encoding}, although it must not`);
    const extent = readExtent(response);
    if (extent.start !== (statusCode === 206 ? partial?.bytes : 0))
      throw new Error('the server sent another range than requested');
    if (extent.start === 0) await writePartialRecord(path, address, response);
    await storeBody(received, extent, options);
    return { kind: 'complete', etag: headers.etag, lastModified: headers['last-modified'] };
  } finally {
    response.destroy();
  }
};

/**
 * Downloads a file to `path`. Continues an incomplete one when the server still has the same version, also after a lost connection.
 * Throws when the server does not send the file, or too slowly, when it is larger than `maxBytes`, and after the third lost connection.
 */
export const downloadFile = async (address: string, options: DownloadOptions): Promise<DownloadResult> => {
  const watch = new TransferWatch(options.limits ?? defaultLimits);
  try {
    for (let resumes = 0; ; resumes++) {
      try {
        const result = await transfer(address, { ...options, watch });
        if (result.kind === 'complete') await syncFile(options.path);
        return result;
      } catch (error) {
        if (error instanceof RangeError) await removePartial(options.path);
        // The received part stays, and the next run continues it.
        watch.signal.throwIfAborted();
        if (!(error instanceof InterruptedError) || resumes === MAX_RESUMES) throw error;
      }
    }
  } finally {
    watch.stop();
  }
};

const syncFile = async (path: string): Promise<void> => {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};
