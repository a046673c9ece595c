import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

/** What a command has of the environment of the tests: a DATABASE_URL of theirs must not leak into it. */
const kept = ['PATH', 'HOME', 'NODE_COMPILE_CACHE'] as const;

/** The environment of a command: what is given, the path, and where Node keeps what it makes of modules. */
export const environment = (given: Environment): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
  ...given,
});

/** Starts `flightdata` with these arguments and nothing in the environment but what is given. */
export const startCommand = (args: readonly string[], env: Environment): ChildProcess =>
  spawn(process.execPath, [main, ...args], { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });

export type Outcome = { readonly code: number | null; readonly out: string; readonly err: string };

const textOf = (stream: NodeJS.ReadableStream | null): (() => string) => {
  let text = '';
  stream?.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  return () => text;
};

/** Runs `flightdata` to its end. */
export const runCommand = async (args: readonly string[], env: Environment): Promise<Outcome> => {
  const child = startCommand(args, env);
  const [out, err] = [textOf(child.stdout), textOf(child.stderr)];
  const [code] = await once(child, 'close');
  return { code, out: out(), err: err() };
};

/** Waits until the standard output of a command matches, and answers the match; rejects when the command ends before. */
export const saidBy = (child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    const [out, err] = [textOf(child.stdout), textOf(child.stderr)];
    child.stdout?.on('data', () => {
      const match = pattern.exec(out());
      if (match) resolve(match);
    });
    child.once('close', (code) =>
      reject(new Error(`the command ended with ${code} before it said ${String(pattern)}: ${out()}${err()}`)),
    );
  });
