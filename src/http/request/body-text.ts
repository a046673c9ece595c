import { Problem } from '../response/problem.ts';

/** Size limit of a request body. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Limit of chunks: a body of 1 MiB normally arrives in about a thousand, and each costs as much memory as hundreds of bytes. */
const MAX_CHUNKS = 4096;

/** Shorter than the request timeout of the server, which closes the connection, so that the client still gets a response. */
const BODY_TIMEOUT_MS = 20_000;

const tooLarge = (): Problem => new Problem('body-too-large', `The limit of a body is ${MAX_BODY_BYTES} bytes.`);

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
 * Reads the body of a request as UTF-8 text without byte order mark. Throws Problem `body-too-large` beyond 1 MiB or 4,096 chunks,
 * `request-timeout` after `timeoutMs`, and `malformed-request` when the body is incomplete.
 */
export const readBodyText = async ({ headers, body }: Request, timeoutMs = BODY_TIMEOUT_MS): Promise<string> => {
  if (Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
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
      if (bytes > MAX_BODY_BYTES) throw tooLarge();
      if (chunks.push(chunk) > MAX_CHUNKS)
        throw new Problem('body-too-large', 'The body arrived in too many pieces. Send larger chunks.');
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    // Such an error concerns the connection to the client; it must not be mistaken for an unavailable database.
    throw new Problem('malformed-request', 'The body is incomplete.', { cause });
  } finally {
    clearTimeout(timer);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
};
