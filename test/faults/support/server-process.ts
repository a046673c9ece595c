import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { waitForOutput, startCommand, type Environment } from '../../cli/run-command.ts';

/** A server of `flightdata serve` in a process of its own. */
export type ServerProcess = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly base: string;
  /** What it has written to its standard output so far. */
  readonly output: () => string;
  /** Asks it to end; answers its exit code and how long that took, seconds. */
  readonly stop: () => Promise<{ readonly code: number | null; readonly seconds: number }>;
  /** Ends it at once, if it still runs. */
  readonly kill: () => Promise<void>;
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Starts a server on a free port of this machine and waits until it listens. */
export const startServerProcess = async (args: readonly string[], env: Environment): Promise<ServerProcess> => {
  const child = startCommand(['serve', ...args], { PORT: '0', ...env });
  let text = '';
  child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
  const [, base = ''] = await waitForOutput(child, /listening on (http:\/\/127\.0\.0\.1:\d+)/);
  return {
    child,
    pid: child.pid ?? 0,
    base,
    output: () => text,
    stop: async () => {
      const beganAt = performance.now();
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
      return { code: child.exitCode, seconds: Math.round(performance.now() - beganAt) / 1000 };
    },
    kill: async () => {
      if (hasEnded(child)) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
};

/** The process that started a process; undefined where that has ended. */
const readParentPid = (pid: string): number | undefined => {
  try {
    // The name of the program, in brackets, may hold anything; state and parent come after it.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) \S /s, '')
        .split(' ', 1)[0],
    );
  } catch {
    return undefined;
  }
};

/** The processes that a process has started and that still run; on Linux. */
export const listChildProcesses = (pid: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readParentPid(name) === pid)
    .map(Number);
