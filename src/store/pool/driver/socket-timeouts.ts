import { connect, type Socket } from 'node:net';

/** Where the driver wants to connect, as it resolved its URL: lists, for a URL can name several hosts. */
type Target = { readonly host: readonly string[]; readonly port: readonly number[] };

export type SocketSettings = {
  /** The path of a unix socket; it is connected to instead of a host. */
  readonly path?: string | undefined;
  /** How long the server may leave something unanswered before the connection is given up, milliseconds; for ever when not given. */
  readonly silenceMs?: number | undefined;
};

/** Makes the sockets of a pool, and paces how fast they follow one another. */
export type Sockets = {
  /** Answers a socket that is connecting: what becomes of it, its events tell the driver. */
  readonly connect: (target: Target) => Socket;
  /** How long to wait before the next one, seconds; asked after each that was closed. */
  readonly pause: () => number;
  /** Gives up all that are open. Over TLS, where the driver leaves nobody to hear that one is silent, this is what ends them. */
  readonly breakOff: () => void;
  /** None is made any more, and those that are left keep no process alive. */
  readonly end: () => void;
};

/** A connection that lived as long as this was a good one, milliseconds. */
const GOOD_MS = 1000;
const FIRST_PAUSE_SECONDS = 0.05;
const LONGEST_PAUSE_SECONDS = 1;

/**
 * Connections that fail one after the other are made at ever longer pauses, up to a second; whether nobody listened or a server said no
 * is the same here, whereas the driver pauses only after the former. Chance spreads them, for many processes lose a server at once.
 */
const newPace = (): { readonly closed: (livedMs: number) => void; readonly pause: () => number } => {
  let failures = 0;
  return {
    closed: (livedMs) => {
      failures = livedMs > GOOD_MS ? 0 : Math.min(failures + 1, 10);
    },
    pause: () => (0.5 + Math.random() / 2) * Math.min(FIRST_PAUSE_SECONDS * 2 ** failures, LONGEST_PAUSE_SECONDS),
  };
};

/** Gives a connection up when what was written to it stays unanswered. */
const endSilent = (socket: Socket, silenceMs: number): void => {
  let answered = 0;
  socket.on('data', () => {
    answered = socket.bytesWritten;
  });
  // A listener that is given along with the time hears of the first silence alone, which may be that of nobody asking.
  socket.setTimeout(silenceMs);
  socket.on('timeout', () => {
    if (socket.bytesWritten > answered) socket.destroy(lost('ETIMEDOUT', 'the database does not answer'));
  });
};

/**
 * Tells the driver (3.4.9) of the end of a connection as soon as it is known, and with an error. Between the failure of a socket and its closing it
 * takes questions, which are then answered with what others asked; and what it had begun over a connection that is closed without a word it
 * begins again at once, for ever, and tells nobody.
 */
const endAtOnce = (socket: Socket, isMute: () => boolean): void => {
  const closed = (): Error => lost('CONNECTION_CLOSED', 'the database closed the connection');
  socket.once('end', () => socket.destroy(closed()));
  socket.once('close', (hadError) => {
    if (!hadError && !isMute()) socket.emit('error', closed());
  });
  // After those who listen to the error, and before anything else.
  socket.once('error', () => process.nextTick(() => socket.emit('close', true)));
};

/**
 * Ends a connection over which the driver does not greet the server, so that it makes another one. Where it was just about to write when the
 * connection before was lost, it writes nothing until that is a kilobyte: each greeting brings it nearer, and some ten are enough.
 */
const endMute = (socket: Socket, onMute: () => void): (() => boolean) => {
  let isMute = false;
  // It writes in the turn after it has connected.
  const look = (): void => {
    isMute = !socket.destroyed && socket.bytesWritten === 0;
    if (!isMute) return;
    onMute();
    socket.destroy();
  };
  socket.once('connect', () => setImmediate(() => setImmediate(look)));
  return () => isMute;
};

const lost = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/**
 * Sockets for a driver that leaves its own as they come: small writes then wait for the server to acknowledge the ones before,
 * which it puts off for 40 ms. A COPY of a few rows took 90 ms so, and takes 3.
 */
export const newSockets = ({ path, silenceMs }: SocketSettings = {}): Sockets => {
  /** When each began, milliseconds. */
  const open = new Map<Socket, number>();
  const pace = newPace();
  let ended = false;
  return {
    connect: ({ host: [host = 'localhost'], port: [port = 5432] }) => {
      if (ended) throw lost('CONNECTION_ENDED', 'the pool has been ended');
      const socket = path === undefined ? connect({ host, port, noDelay: true }) : connect({ path });
      open.set(socket, performance.now());
      if (silenceMs !== undefined) endSilent(socket, silenceMs);
      // That is no fault of the server, to be spared by pauses.
      endAtOnce(
        socket,
        endMute(socket, () => open.delete(socket)),
      );
      // The driver asks the socket by what name to check the server's certificate.
      return Object.assign(socket, { host, port });
    },
    pause: () => {
      // The driver takes all listeners from a socket that it puts TLS over: only looking tells which are closed.
      for (const [socket, startedAt] of open) {
        if (!socket.destroyed) continue;
        open.delete(socket);
        pace.closed(performance.now() - startedAt);
      }
      return pace.pause();
    },
    breakOff: () => {
      for (const socket of open.keys()) socket.destroy(lost('ETIMEDOUT', 'the database does not answer'));
    },
    end: () => {
      ended = true;
      for (const socket of open.keys()) socket.unref();
    },
  };
};
