import { request, type IncomingMessage } from 'node:http';

export type ReceivedEvent = { readonly id: string; readonly event: string; readonly data: string };

export type EventStreamReader = Awaited<ReturnType<typeof openEventStream>>;

export type EventStreamOptions = {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly onEvent?: (event: ReceivedEvent) => void;
};

// Not by `.` and `$`, which end at U+2028 too.
const fieldOf = (block: string, name: string): string => new RegExp(`(?:^|\n)${name}: ([^\n]*)`).exec(block)?.[1] ?? '';

/** Connects to a stream of server-sent events with Node's HTTP client; discards an incomplete event. */
export const openEventStream = async ({ port, path, headers, onEvent }: EventStreamOptions) => {
  const connected = Promise.withResolvers<IncomingMessage>();
  const sent = request({ host: '127.0.0.1', port, path, headers: { accept: 'text/event-stream', ...headers } });
  sent.once('response', connected.resolve);
  sent.once('error', connected.reject);
  sent.end();
  const response = await connected.promise;
  const events: ReceivedEvent[] = [];
  const over = Promise.withResolvers<void>();
  let [rest, comments, look] = ['', 0, (): void => {}];
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    const blocks = `${rest}${piece}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) comments += 1;
      if (!block.startsWith('id: ')) continue;
      const event = { id: fieldOf(block, 'id'), event: fieldOf(block, 'event'), data: fieldOf(block, 'data') };
      events.push(event);
      onEvent?.(event);
    }
    look();
  });
  response.on('error', () => undefined);
  response.once('close', () => {
    over.resolve();
    look();
  });
  return {
    status: response.statusCode ?? 0,
    /** The complete events, and the number of comments, so far. */
    events: events as readonly ReceivedEvent[],
    comments: () => comments,
    /** Resolves when `count` events have arrived or the stream has ended. */
    until: async (count: number): Promise<void> => {
      const there = Promise.withResolvers<void>();
      const before = look;
      look = () => {
        before();
        if (events.length >= count || response.closed) there.resolve();
      };
      look();
      await there.promise;
    },
    /** Resolves when the stream has ended, for whatever reason. */
    ended: over.promise,
    response,
    close: (): void => void sent.destroy(),
  };
};
