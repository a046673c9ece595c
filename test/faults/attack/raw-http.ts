import { connect, type Socket } from 'node:net';

/** One HTTP answer as it came over a connection. */
export type RawResponse = {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What became of a connection on which bytes were sent. */
export type RawExchange = {
  readonly responses: readonly RawResponse[];
  /** What is behind the last whole answer. */
  readonly trailing: string;
  /** Whether the other side closed it, or broke it off, before it was closed here. */
  readonly isClosed: boolean;
  /** Bytes that the other side, or its kernel, took before it closed. */
  readonly bytesSent: number;
};

const parseHeaders = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );

/** The whole answers that a text begins with; those without a length, 100 and 304 among them, have no body. */
const parseResponses = (text: string): Pick<RawExchange, 'responses' | 'trailing'> => {
  const answers: RawResponse[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(rest)?.[1]);
    if (end === -1 || !status) return { responses: answers, trailing: rest };
    const headers = parseHeaders(rest.slice(0, end).split('\r\n').slice(1));
    const length = Number(headers['content-length'] ?? 0);
    if (rest.length < end + 4 + length) return { responses: answers, trailing: rest };
    answers.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
};

export type RawOptions = {
  readonly port: number;
  /** Ends when so many answers are whole, 100 not counted; by default only when the other side closes. */
  readonly maxResponses?: number;
  /** Whether this side says at once that nothing follows. */
  readonly halfClose?: boolean;
  /** Ends after this time without any byte, in either direction. */
  readonly idleTimeoutMs?: number;
};

/** Pieces of a request, the next one only when the one before is taken. */
type Pieces = string | Iterable<string | Buffer>;

const send = async (socket: Socket, pieces: Pieces): Promise<void> => {
  const all = typeof pieces === 'string' ? [pieces] : pieces;
  for (const piece of all) {
    if (socket.destroyed || !socket.writable) return;
    await new Promise<void>((resolve) => {
      socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece, () => resolve());
      socket.once('close', () => resolve());
    });
  }
};

/** Sends bytes as they are (of texts the low byte of each character) and reads what is answered. */
export const exchangeRaw = (pieces: Pieces, options: RawOptions): Promise<RawExchange> =>
  new Promise((resolve) => {
    const { port, maxResponses: wanted = Infinity, halfClose = false, idleTimeoutMs: quietMs = 4_000 } = options;
    const socket = connect(port, '127.0.0.1');
    socket.setMaxListeners(0);
    const chunks: Buffer[] = [];
    let isClosed = true;
    const leave = (): void => {
      isClosed = false;
      socket.destroy();
    };
    socket.setTimeout(quietMs, leave);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const { responses: answers } = parseResponses(Buffer.concat(chunks).toString('latin1'));
      if (answers.filter(({ status }) => status !== 100).length >= wanted) leave();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const found = parseResponses(Buffer.concat(chunks).toString('latin1'));
      resolve({ ...found, isClosed, bytesSent: socket.bytesWritten - socket.writableLength });
    });
    socket.on('connect', () => void send(socket, pieces).then(() => halfClose && socket.end()));
  });
