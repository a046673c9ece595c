import { connect, type Socket } from 'node:net';

/** The address from the driver's parsed URL: lists, because a URL can name several hosts. */
type SocketTarget = { readonly host: readonly string[]; readonly port: readonly number[] };

export type SocketOptions = {
  /** The path of a unix socket, used instead of host and port. */
  readonly path?: string | undefined;
  /** How long the server may leave written bytes unanswered before the socket is destroyed, milliseconds; without it there is no limit. */
  readonly silenceMs?: number | undefined;
};

/** Opens the sockets of a pool and delays reconnects. */
export type PoolSockets = {
  /** Returns a connecting socket; the driver learns the result from its events. */
  readonly connect: (target: SocketTarget) => Socket;
  /** Returns how long to wait before the next connection, seconds. The driver calls it after each close. */
  readonly reconnectDelay: () => number;
  /** Destroys all open sockets. Over TLS, where the driver removes the timeout listeners, only this ends silent ones. */
  readonly destroyAll: () => void;
  /** Destroys all open sockets and opens no more. */
  readonly close: () => void;
};

/** A connection that lived this long resets the reconnect delay, milliseconds. */
const STABLE_MS = 1000;
const FIRST_DELAY_SECONDS = 0.05;
const MAX_DELAY_SECONDS = 1;
const MAX_FAILURES = 10;

/**
 * Computes the reconnect delay: exponential backoff with jitter, up to a second, because many processes lose a server at the same time.
 * The driver itself delays only after a refused connection, not after the server rejected a login.
 */
const createBackoff = (): { readonly onClosed: (livedMs: number) => void; readonly delaySeconds: () => number } => {
  let failures = 0;
  return {
    onClosed: (livedMs) => {
      failures = livedMs > STABLE_MS ? 0 : Math.min(failures + 1, MAX_FAILURES);
    },
    delaySeconds: () => (0.5 + Math.random() / 2) * Math.min(FIRST_DELAY_SECONDS * 2 ** failures, MAX_DELAY_SECONDS),
  };
};

/** Destroys a socket when bytes written to it stay unanswered. */
const destroyWhenSilent = (socket: Socket, silenceMs: number): void => {
  let answeredBytes = 0;
  socket.on('data', () => {
    answeredBytes = socket.bytesWritten;
  });
  // A callback passed to `setTimeout` runs only once, and the first timeout may be that of an idle connection.
  socket.setTimeout(silenceMs);
  socket.on('timeout', () => {
    if (socket.bytesWritten > answeredBytes)
      socket.destroy(connectionError('ETIMEDOUT', 'the database does not respond'));
  });
};

/**
 * Reports the end of a socket to the driver (3.4.9) at once and as an error. Between the failure and the close of a socket the driver still
 * sends queries, which then get results of others. After a close without an error it repeats its pending query at once, without an end.
 */
const reportEndAtOnce = (socket: Socket): void => {
  socket.once('end', () => socket.destroy(connectionError('CONNECTION_CLOSED', 'the database closed the connection')));
  // After the listeners of this error, and before anything else.
  socket.once('error', () => process.nextTick(() => socket.emit('close', true)));
};

/**
 * Destroys a connection on which the driver sends no startup message, so that it opens another one. A write that was scheduled when the
 * connection before was lost stays scheduled permanently: the driver then writes nothing until its buffer holds 1 KiB. Each startup message
 * adds to the buffer; about ten connections are enough.
 */
const destroyWhenMute = (socket: Socket, onMute: () => void): void => {
  const check = (): void => {
    if (socket.destroyed || socket.bytesWritten > 0) return;
    onMute();
    socket.destroy();
  };
  // The driver writes in the turn of the event loop after the connect.
  socket.once('connect', () => setImmediate(() => setImmediate(check)));
};

const connectionError = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/**
 * Creates the sockets of a pool. The driver leaves Nagle's algorithm on: small writes then wait up to 40 ms for a delayed acknowledgement.
 * A COPY of a few rows took 90 ms that way, and takes 3 ms with `noDelay`.
 */
export const createPoolSockets = ({ path, silenceMs }: SocketOptions = {}): PoolSockets => {
  /** Start of each open socket, by `performance.now()`. */
  const open = new Map<Socket, number>();
  const backoff = createBackoff();
  let closed = false;
  return {
    connect: ({ host: [host = 'localhost'], port: [port = 5432] }) => {
      if (closed) throw connectionError('CONNECTION_ENDED', 'the pool has been ended');
      const socket = path === undefined ? connect({ host, port, noDelay: true }) : connect({ path });
      open.set(socket, performance.now());
      if (silenceMs !== undefined) destroyWhenSilent(socket, silenceMs);
      reportEndAtOnce(socket);
      // A mute connection is not a failure of the server, so it does not count for the backoff.
      destroyWhenMute(socket, () => open.delete(socket));
      // The driver reads the name for the check of the server's certificate from the socket.
      return Object.assign(socket, { host, port });
    },
    reconnectDelay: () => {
      // The driver removes all listeners of a socket that it wraps in TLS, so closed sockets are found by looking.
      for (const [socket, startedAt] of open) {
        if (!socket.destroyed) continue;
        open.delete(socket);
        backoff.onClosed(performance.now() - startedAt);
      }
      return backoff.delaySeconds();
    },
    destroyAll: () => {
      for (const socket of open.keys()) socket.destroy(connectionError('ETIMEDOUT', 'the database does not respond'));
    },
    close: () => {
      closed = true;
      for (const socket of open.keys()) socket.destroy();
    },
  };
};
