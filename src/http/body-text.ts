import { Problem } from './problem.ts';

const MAX_BODY_BYTES = 1024 * 1024;

const tooLarge = (): Problem => new Problem('body-too-large', `The body may have at most ${MAX_BODY_BYTES} bytes.`);

/** The pieces of a body as they arrive. The stream is not cancelled when it is left: the connection has to bring the refusal. */
async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) yield next.value;
}

/**
 * The body of a request as text, UTF-8 without its mark. Throws Problem `body-too-large` beyond 1 MiB, and `malformed-request` when it does not
 * arrive whole.
 */
export const bodyText = async ({ headers, body }: Request): Promise<string> => {
  if (Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of piecesOf(body)) {
      bytes += piece.length;
      if (bytes > MAX_BODY_BYTES) throw tooLarge();
      pieces.push(piece);
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    // Whatever keeps a body from arriving is between the caller and us: no database is away.
    throw new Problem('malformed-request', 'The body did not arrive whole.', { cause });
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
};
