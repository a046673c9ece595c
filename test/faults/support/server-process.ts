import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { waitForOutput, startCommand, type Environment } from '#test/cli/run-command.ts';

export type ServerProcess = Awaited<ReturnType<typeof startServerProcess>>;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

export const startServerProcess = async (args: readonly string[], env: Environment) => {
  const child = startCommand(['serve', ...args], { PORT: '0', ...env });
  let output = '';
  child.stdout?.on('data', (piece: Buffer) => (output += piece.toString()));
  const [, base = ''] = await waitForOutput(child, /listening on (http:\/\/127\.0\.0\.1:\d+)/);
  return {
    child,
    pid: child.pid ?? 0,
    base,
    /** Its standard output so far. */
    output: (): string => output,
    /** Sends SIGTERM; returns the exit code and the seconds until it exited. */
    stop: async () => {
      const startedAt = performance.now();
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
      return { code: child.exitCode, seconds: Math.round(performance.now() - startedAt) / 1000 };
    },
    kill: async (): Promise<void> => {
      if (hasEnded(child)) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
};

/** Returns the parent of a process; undefined when it has exited. */
const readParentPid = (pid: string): number | undefined => {
  try {
    // The program name, in parentheses, may contain any character; state and parent follow it.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) \S /s, '')
        .split(' ', 1)[0],
    );
  } catch {
    return undefined;
  }
};

/** Lists the running child processes of a process (Linux only). */
export const listChildProcesses = (pid: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readParentPid(name) === pid)
    .map(Number);
