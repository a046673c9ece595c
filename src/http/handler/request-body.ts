import { Problem } from '../response/problem.ts';

/** The largest body that is read. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The most pieces in which a body may arrive: a larger one comes in a thousand or so, and each costs as much as hundreds of bytes. */
const MAX_PIECES = 4096;

/** Shorter than the time in which a connection is cut that brings no whole request: so there is still an answer. */
const BODY_WITHIN_MS = 20_000;

const tooLarge = (): Problem => new Problem('body-too-large', `The body may have at most ${MAX_BODY_BYTES} bytes.`);

/** The pieces of a body as they arrive. The stream is not cancelled when it is left: the connection has to bring the refusal. */
async function* piecesOf(body: ReadableStream<Uint8Array> | null, isLate: Promise<never>): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  const read = () => Promise.race([reader?.read(), isLate]);
  for (let next = await read(); next?.value; next = await read()) yield next.value;
}

/**
 * The body of a request as text, UTF-8 without its mark. Throws Problem `body-too-large` beyond 1 MiB or 4,096 pieces, `request-timeout` when
 * it is still arriving after `withinMs`, and `malformed-request` when it does not arrive whole.
 */
export const readBodyText = async ({ headers, body }: Request, withinMs = BODY_WITHIN_MS): Promise<string> => {
  if (Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const late = Promise.withResolvers<never>();
  // Nobody may be listening any more.
  late.promise.catch(() => undefined);
  const timer = setTimeout(
    () => late.reject(new Problem('request-timeout', 'The body did not arrive in time.')),
    withinMs,
  );
  try {
    for await (const piece of piecesOf(body, late.promise)) {
      bytes += piece.length;
      if (bytes > MAX_BODY_BYTES) throw tooLarge();
      if (pieces.push(piece) > MAX_PIECES)
        throw new Problem('body-too-large', 'The body came in too many pieces: send larger chunks.');
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    // Whatever keeps a body from arriving is between the caller and us: no database is away.
    throw new Problem('malformed-request', 'The body did not arrive whole.', { cause });
  } finally {
    clearTimeout(timer);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
};
