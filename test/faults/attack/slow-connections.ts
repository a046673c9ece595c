/*
 * Child process: slow clients, separate from the server so that their own cost is not measured. Arguments: port and attacks.
 * It reports to its parent when all are connected and how long each connection lasted. The parent sends the ports of connections
 * that the server closed, because a client that does not read does not notice.
 */
import { connect } from 'node:net';

/** What the attackers of one kind send first, and what each does four times a second. */
export type SlowAttack = {
  readonly name: string;
  readonly count: number;
  readonly opening: string;
  /** Sent repeatedly. */
  readonly trickle?: string;
  /** Bytes read each time, instead of all available ones. */
  readonly sip?: number;
  /** Whether a connection that was closed is opened again, and not reported. */
  readonly isRepeated?: boolean;
};

export type ClosedConnection = { readonly name: string; readonly ms: number };

/** A message to the parent: all are connected, or one was closed. */
export type AttackerReport = { readonly connected: number } | ClosedConnection;

/** Simultaneous connection attempts; the kernel silently drops those beyond the accept backlog of a busy server. */
const CONNECT_BATCH = 200;

const plan: { readonly port: number; readonly attacks: readonly SlowAttack[] } = JSON.parse(process.argv[2] ?? '{}');
const endByPort = new Map<number, () => void>();
const report = (message: AttackerReport): void => void process.send?.(message);

const attack = (one: SlowAttack): Promise<void> =>
  new Promise((resolve) => {
    const { name, opening, trickle, sip, isRepeated } = one;
    const socket = connect({ port: plan.port, host: '127.0.0.1' });
    const started = performance.now();
    let isOver = false;
    if (sip === undefined) socket.resume();
    socket.on('error', () => undefined);
    socket.write(opening);
    const timer = setInterval(() => {
      if (trickle !== undefined && socket.writable) socket.write(trickle);
      if (sip !== undefined && sip > 0) socket.read(sip);
    }, 250);
    const finish = (): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      socket.destroy();
      resolve();
      if (isRepeated) void attack(one);
      else report({ name, ms: performance.now() - started });
    };
    socket.once('close', finish);
    socket.once('connect', () => {
      endByPort.set(socket.localPort ?? 0, finish);
      resolve();
    });
  });

// The server of the test process is gone.
process.on('disconnect', () => process.exit());
process.on('message', (port: number) => endByPort.get(port)?.());
const all = plan.attacks.flatMap((one) => Array.from({ length: one.count }, () => one));
for (let from = 0; from < all.length; from += CONNECT_BATCH)
  await Promise.all(all.slice(from, from + CONNECT_BATCH).map(attack));
report({ connected: all.length });
