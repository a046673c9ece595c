const streaming = Symbol('streaming');

/** A 200 that goes on: server-sent events as they come, in place of a body. */
export type EventStream = {
  readonly [streaming]: true;
  /** Text in pieces, each of whole events. It ends when the signal is aborted: then nobody is there any more. */
  readonly pieces: (signal: AbortSignal) => AsyncGenerator<string>;
  /** Called once, when the stream is over or was never begun. */
  readonly onEnd: () => void;
  /** How long a piece may wait to be taken before the stream ends, milliseconds. */
  readonly stallMs: number;
  readonly headers: Readonly<Record<string, string>>;
};

/** Answers with server-sent events. */
export const eventStream = (stream: Omit<EventStream, typeof streaming>): EventStream => ({
  ...stream,
  [streaming]: true,
});

/** Told of what made a stream end before its time. */
type OnFailure = (error: unknown) => void;

/** Whether a handler's result was made by `eventStream`. */
export const isEventStream = (value: unknown): value is EventStream =>
  typeof value === 'object' && value !== null && streaming in value;

/**
 * The body of a stream. A piece is asked for only when the one before was taken, so that whoever reads slowly is waited for and one piece
 * is all that is held for him. A failure ends the stream as the end does: whoever asks again is told of it in a proper answer.
 * Of a stream that is not read the server gets rid by cutting its connection.
 */
const bodyOf = ({ pieces, onEnd, stallMs }: EventStream, onFailure: OnFailure): ReadableStream<Uint8Array> => {
  const over = new AbortController();
  const encoder = new TextEncoder();
  const texts = pieces(over.signal);
  let stalled: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(stalled);
    if (over.signal.aborted) return;
    over.abort();
    onEnd();
    void texts.return(undefined).catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        clearTimeout(stalled);
        const next = await texts.next().catch(onFailure);
        if (over.signal.aborted) return;
        if (!next || next.done === true) {
          end();
          controller.close();
          return;
        }
        controller.enqueue(encoder.encode(next.value));
        stalled = setTimeout(() => {
          end();
          controller.close();
        }, stallMs);
        stalled.unref();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
};

/** A stream as it goes over the wire; a HEAD request begins none. */
export const streamResponse = (stream: EventStream, method: string, onFailure: OnFailure): Response => {
  const headers = {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
    ...stream.headers,
  };
  if (method !== 'HEAD') return new Response(bodyOf(stream, onFailure), { headers });
  stream.onEnd();
  return new Response(null, { headers });
};
