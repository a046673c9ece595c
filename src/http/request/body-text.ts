import { Problem } from '../response/problem.ts';

/** Size limit of a JSON body. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Size limit of a body that is not JSON, as sent and decompressed. */
export const MAX_FEED_BYTES = 5 * 1024 * 1024;

/** Limit of chunks: they normally have about a kilobyte, and each costs as much memory as hundreds of bytes. */
const MIN_BYTES_PER_CHUNK = 256;

/** Shorter than the request timeout of the server, which closes the connection, so that the client still gets a response. */
const BODY_TIMEOUT_MS = 20_000;

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

/**
 * Reads the body of a request. Throws Problem `body-too-large` beyond `maxBytes` or one chunk for each 256 of them, `request-timeout` after
 * `timeoutMs`, and `malformed-request` when the body is incomplete.
 */
export const readBodyBytes = async (
  { headers, body }: Request,
  maxBytes: number,
  timeoutMs = BODY_TIMEOUT_MS,
): Promise<Buffer> => {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw bodyTooLargeProblem(maxBytes);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const timeout = Promise.withResolvers<never>();
  // The timer can fire after the body was read.
  timeout.promise.catch(() => undefined);
  const timer = setTimeout(
    () => timeout.reject(new Problem('request-timeout', 'The body did not arrive in time.')),
    timeoutMs,
  );
  try {
    for await (const chunk of readChunks(body, timeout.promise)) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw bodyTooLargeProblem(maxBytes);
      if (chunks.push(chunk) > maxBytes / MIN_BYTES_PER_CHUNK)
        throw new Problem('body-too-large', 'The body arrived in too many pieces. Send larger chunks.');
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    // Such an error concerns the connection to the client; it must not be mistaken for an unavailable database.
    throw new Problem('malformed-request', 'The body is incomplete.', { cause });
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
};

/** Reads the body of a request as UTF-8 text without byte order mark, up to 1 MiB, as `readBodyBytes` does. */
export const readBodyText = async (request: Request, timeoutMs?: number): Promise<string> =>
  new TextDecoder().decode(await readBodyBytes(request, MAX_BODY_BYTES, timeoutMs));
