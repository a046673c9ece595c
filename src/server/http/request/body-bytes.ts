import { Problem } from '../response/problem.ts';

/** Size limit of a JSON body. */
export const MAX_JSON_BYTES = 1024 * 1024;

/** Size limit of a body that is not JSON, as sent and decompressed. */
export const MAX_FEED_BYTES = 5 * 1024 * 1024;

/** Limit of chunks: they normally have about a kilobyte, and each costs as much memory as hundreds of bytes. */
const MIN_BYTES_PER_CHUNK = 256;

/** How fast a body arrives. */
type ArrivalLimits = {
  /** Time for the whole body, milliseconds: shorter than the request timeout of the server, which closes the connection without a response. */
  readonly timeoutMs: number;
  /** Average speed after `graceMs`; that of Kestrel, which is below that of any working connection. */
  readonly minBytesPerSecond: number;
  readonly graceMs: number;
  readonly checkIntervalMs: number;
};

const arrivalLimits: ArrivalLimits = {
  timeoutMs: 20_000,
  minBytesPerSecond: 240,
  graceMs: 5_000,
  checkIntervalMs: 1_000,
};

/** Returns the problem of a body beyond the limit. */
export const bodyTooLargeProblem = (maxBytes: number): Problem =>
  new Problem('body-too-large', `The limit of a body is ${maxBytes} bytes.`);

/** Returns the media type of a body in lower case, without parameters; empty when the request has none. */
export const readBodyType = (headers: Headers): string =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';

/** Yields the chunks of a body. The stream is not cancelled on exit, because the connection must still send the response. */
async function* readChunks(
  body: ReadableStream<Uint8Array> | null,
  timeout: Promise<never>,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  const read = () => Promise.race([reader?.read(), timeout]);
  for (let next = await read(); next?.value; next = await read()) yield next.value;
}

/** Rejects `isLate` when a body arrives too slowly, by the number of bytes that have arrived. Call `stop` when it is read. */
const watchArrival = (countBytes: () => number) => {
  const { timeoutMs, minBytesPerSecond, graceMs, checkIntervalMs } = arrivalLimits;
  const late = Promise.withResolvers<never>();
  // The timer can fire after the body was read.
  late.promise.catch(() => undefined);
  const startedAt = performance.now();
  let slowChecks = 0;
  const timer = setInterval(() => {
    const elapsedMs = performance.now() - startedAt;
    const bytes = countBytes();
    const isSlow = elapsedMs > graceMs && bytes < (minBytesPerSecond * elapsedMs) / 1000;
    // A busy process may not have read yet what had arrived before the first of two checks.
    slowChecks = isSlow ? slowChecks + 1 : 0;
    if (elapsedMs >= timeoutMs) late.reject(new Problem('request-timeout', 'The body did not arrive in time.'));
    if (slowChecks > 1)
      late.reject(
        new Problem(
          'request-timeout',
          `The body arrives too slowly: ${bytes} bytes in ${Math.floor(elapsedMs / 1000)} seconds. The minimum is ${minBytesPerSecond} bytes a second.`,
        ),
      );
  }, checkIntervalMs);
  return { isLate: late.promise, stop: () => clearInterval(timer) };
};

/** Takes memory for bytes that have arrived; throws a Problem if there is none. */
export type ReserveMemory = (bytes: number) => void;

/**
 * Reads the body of a request. Throws Problem `body-too-large` beyond `maxBytes` or one chunk for each 256 of them, `request-timeout` when it takes
 * more than 20 seconds or arrives slower than 240 bytes a second, and `malformed-request` when the body is incomplete.
 */
export const readBodyBytes = async (
  { headers, body }: Request,
  maxBytes: number,
  reserve: ReserveMemory = () => undefined,
): Promise<Buffer> => {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw bodyTooLargeProblem(maxBytes);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const arrival = watchArrival(() => bytes);
  try {
    for await (const chunk of readChunks(body, arrival.isLate)) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw bodyTooLargeProblem(maxBytes);
      if (chunks.push(chunk) > maxBytes / MIN_BYTES_PER_CHUNK)
        throw new Problem('body-too-large', 'The body arrived in too many pieces. Send larger chunks.');
      reserve(Math.max(chunk.length, MIN_BYTES_PER_CHUNK));
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    // Such an error concerns the connection to the client; it must not be mistaken for an unavailable database.
    throw new Problem('malformed-request', 'The body is incomplete.', { cause });
  } finally {
    arrival.stop();
  }
  return Buffer.concat(chunks);
};
