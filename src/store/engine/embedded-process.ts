import { spawn } from 'node:child_process';

import type { UnixAccount } from './embedded-account.ts';

export type RunOptions = {
  readonly args: readonly string[];
  /** Entered before the user changes, so it may lie where that user could not go by path. */
  readonly cwd?: string;
  readonly account?: UnixAccount | undefined;
  /** A file descriptor to read from; nothing when not given. */
  readonly stdin?: number;
};

/** The environment of every PostgreSQL program: none of ours, so that no PGDATA or locale of the operator changes what happens. */
export const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' } as const;

/** What every failure of the embedded engine ends with, because it is the one way that always works. */
export const DATABASE_URL_HINT = 'set DATABASE_URL to use a PostgreSQL server of your own instead';

/** Runs a program to its end. Answers its output; throws with its error output when it cannot start or fails. */
export const runProgram = (program: string, { args, cwd, account, stdin }: RunOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...account,
      cwd,
      env: environment,
      stdio: [stdin ?? 'ignore', 'pipe', 'pipe'],
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(Buffer.concat(output).toString());
      const said = Buffer.concat(errors).toString().trim() || `it ended with ${signal ?? `code ${code}`}`;
      reject(new Error(said));
    });
  });
