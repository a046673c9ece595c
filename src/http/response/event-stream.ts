/** The body of a response that stays open: server-sent events as they are written. */
export type EventStream = {
  /** Yields chunks of whole events; must return when the signal aborts, because the client has disconnected. */
  readonly chunks: (signal: AbortSignal) => AsyncGenerator<string>;
  /** Called once, when the stream has ended or was never started. */
  readonly onEnd: () => void;
  /** How long the client may take to read a chunk before the stream ends, milliseconds. */
  readonly stallMs: number;
};

/**
 * Returns the body of a stream. The next chunk is requested only after the client has read the one before, so a slow reader costs one
 * chunk of memory. An error ends the stream like its end does: the client reconnects and gets an error response.
 * The server closes the connection of a client that does not read.
 */
export const toReadableStream = (
  { chunks, onEnd, stallMs }: EventStream,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> => {
  const ended = new AbortController();
  const encoder = new TextEncoder();
  const texts = chunks(ended.signal);
  let stallTimer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(stallTimer);
    if (ended.signal.aborted) return;
    ended.abort();
    onEnd();
    void texts.return(undefined).catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        clearTimeout(stallTimer);
        const next = await texts.next().catch(onError);
        if (ended.signal.aborted) return;
        if (!next || next.done === true) {
          end();
          controller.close();
          return;
        }
        controller.enqueue(encoder.encode(next.value));
        stallTimer = setTimeout(() => {
          end();
          controller.close();
        }, stallMs);
        stallTimer.unref();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
};
