/*
 * Clients that take their time, in a process of their own, so that what they cost is not taken for what they cost the server. It is given
 * the port and the attacks, tells its parent once all are connected and how long each was suffered, and is told by it of connections that the
 * server closed: a client that does not read does not learn of it.
 */
import { connect } from 'node:net';

/** How so many attackers of a kind begin, and what each does four times a second. */
export type SlowAttack = {
  readonly name: string;
  readonly count: number;
  readonly opening: string;
  /** Sent again and again. */
  readonly trickle?: string;
  /** Bytes that are read again and again, instead of all that comes. */
  readonly sip?: number;
};

/** After how many milliseconds an attacker was cut off. */
export type ClosedConnection = { readonly name: string; readonly ms: number };

/** What attackers tell: that all are connected, and what became of each. */
export type AttackerReport = { readonly connected: number } | ClosedConnection;

/** So many connect at once: what comes beyond those that the system keeps for a busy server is forgotten without a word. */
const CONNECT_BATCH = 200;

const plan: { readonly port: number; readonly attacks: readonly SlowAttack[] } = JSON.parse(process.argv[2] ?? '{}');
const endByPort = new Map<number, () => void>();
const report = (told: AttackerReport): void => void process.send?.(told);

/** Begins one attack, and resolves once it is connected. */
const attack = ({ name, opening: begin, trickle, sip }: SlowAttack): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ port: plan.port, host: '127.0.0.1' });
    const started = performance.now();
    let isOver = false;
    if (sip === undefined) socket.resume();
    socket.on('error', () => undefined);
    socket.write(begin);
    const timer = setInterval(() => {
      if (trickle !== undefined && socket.writable) socket.write(trickle);
      if (sip !== undefined && sip > 0) socket.read(sip);
    }, 250);
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      socket.destroy();
      resolve();
      report({ name, ms: performance.now() - started });
    };
    socket.once('close', end);
    socket.once('connect', () => {
      endByPort.set(socket.localPort ?? 0, end);
      resolve();
    });
  });

process.on('message', (port: number) => endByPort.get(port)?.());
const all = plan.attacks.flatMap((one) => Array.from({ length: one.count }, () => one));
for (let from = 0; from < all.length; from += CONNECT_BATCH)
  await Promise.all(all.slice(from, from + CONNECT_BATCH).map(attack));
report({ connected: all.length });
