import { connect, type Socket } from 'node:net';

export type RawResponse = {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type RawExchange = {
  readonly responses: readonly RawResponse[];
  /** The bytes after the last complete response. */
  readonly trailing: string;
  /** Whether the server closed or reset the connection before the client did. */
  readonly isClosed: boolean;
  /** Bytes that the server, or its kernel, read before it closed. */
  readonly bytesSent: number;
};

const parseHeaders = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );

/** Parses the complete responses at the start of a text; those without a length, such as 100 and 304, have no body. */
const parseResponses = (text: string): Pick<RawExchange, 'responses' | 'trailing'> => {
  const responses: RawResponse[] = [];
  let trailing = text;
  for (;;) {
    const end = trailing.indexOf('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(trailing)?.[1]);
    if (end === -1 || !status) return { responses, trailing };
    const headers = parseHeaders(trailing.slice(0, end).split('\r\n').slice(1));
    const length = Number(headers['content-length'] ?? 0);
    if (trailing.length < end + 4 + length) return { responses, trailing };
    responses.push({ status, headers, body: trailing.slice(end + 4, end + 4 + length) });
    trailing = trailing.slice(end + 4 + length);
  }
};

export type RawOptions = {
  readonly port: number;
  /** Closes after this many complete responses, without 100; by default only when the server closes. */
  readonly maxResponses?: number;
  /** Whether the client half-closes the connection after its last byte. */
  readonly halfClose?: boolean;
  /** Closes after this time without a byte in either direction. */
  readonly idleTimeoutMs?: number;
};

/** Pieces of a request; each is sent when the previous one is flushed. */
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

/** Sends bytes unchanged (the low byte of each character of a text) and reads the responses. */
export const exchangeRaw = (pieces: Pieces, options: RawOptions): Promise<RawExchange> =>
  new Promise((resolve) => {
    const { port, maxResponses = Infinity, halfClose = false, idleTimeoutMs = 60_000 } = options;
    const socket = connect(port, '127.0.0.1');
    socket.setMaxListeners(0);
    const chunks: Buffer[] = [];
    let isClosed = true;
    const abort = (): void => {
      isClosed = false;
      socket.destroy();
    };
    socket.setTimeout(idleTimeoutMs, abort);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const { responses } = parseResponses(Buffer.concat(chunks).toString('latin1'));
      if (responses.filter(({ status }) => status !== 100).length >= maxResponses) abort();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const parsed = parseResponses(Buffer.concat(chunks).toString('latin1'));
      resolve({ ...parsed, isClosed, bytesSent: socket.bytesWritten - socket.writableLength });
    });
    socket.on('connect', () => void send(socket, pieces).then(() => halfClose && socket.end()));
  });
