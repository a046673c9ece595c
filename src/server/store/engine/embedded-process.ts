import { spawn } from 'node:child_process';

import type { UnixAccount } from './embedded-account.ts';

export type RunOptions = {
  readonly args: readonly string[];
  /** Entered before the user changes, so the user need not be able to reach it by its path. */
  readonly cwd?: string;
  readonly account?: UnixAccount | undefined;
  /** A file descriptor for standard input. */
  readonly stdin?: number;
};

/** The environment of every PostgreSQL program: nothing is inherited, so that no PGDATA or locale of the operator has an effect. */
export const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' } as const;

/** The end of every error message of the embedded engine: the alternative that always works. */
export const DATABASE_URL_HINT = 'set DATABASE_URL to use your own PostgreSQL server instead';

/** Runs a program to its end and returns its output. Rejects with its error output when it cannot start or fails. */
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
      const message = Buffer.concat(errors).toString().trim() || `it ended with ${signal ?? `code ${code}`}`;
      reject(new Error(message));
    });
  });
