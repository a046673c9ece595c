import { request, type IncomingMessage } from 'node:http';

export type ReceivedEvent = { readonly id: string; readonly event: string; readonly data: string };

export type EventStreamReader = {
  readonly status: number;
  /** The complete events so far. */
  readonly events: readonly ReceivedEvent[];
  /** The number of comments so far. */
  readonly comments: () => number;
  /** Resolves when `count` events have arrived or the stream has ended. */
  readonly until: (count: number) => Promise<void>;
  /** Resolves when the stream has ended, for whatever reason. */
  readonly ended: Promise<void>;
  readonly response: IncomingMessage;
  readonly close: () => void;
};

export type EventStreamOptions = {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly onEvent?: (event: ReceivedEvent) => void;
};

const fieldsOf = (block: string): ReadonlyMap<string, string> =>
  new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );

/** Connects to a stream of server-sent events with Node's HTTP client; discards an incomplete event. */
export const openEventStream = async ({
  port,
  path,
  headers,
  onEvent,
}: EventStreamOptions): Promise<EventStreamReader> => {
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
      const fields = fieldsOf(block);
      const event = {
        id: fields.get('id') ?? '',
        event: fields.get('event') ?? '',
        data: fields.get('data') ?? '',
      };
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
    events,
    comments: () => comments,
    until: async (count) => {
      const there = Promise.withResolvers<void>();
      const before = look;
      look = () => {
        before();
        if (events.length >= count || response.closed) there.resolve();
      };
      look();
      await there.promise;
    },
    ended: over.promise,
    response,
    close: () => void sent.destroy(),
  };
};
