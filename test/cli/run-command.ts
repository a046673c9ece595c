import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The module of the command line. */
export const mainModule = fileURLToPath(new URL('../../src/server/cli/main.ts', import.meta.url));
const mockMain = fileURLToPath(new URL('../../src/mock/main.ts', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

/** Variables that commands inherit from the test process; its DATABASE_URL must not leak. */
const inherited = ['PATH', 'HOME', 'NODE_COMPILE_CACHE'] as const;

/** Adds SECRETS_KEY=none for a database, which `serve` requires of a new one, unless a variable for the key is given; `''` gives none. */
export const withoutEncryption = (variables: Environment): Environment =>
  'DATABASE_URL' in variables && !('SECRETS_KEY' in variables) && !('SECRETS_KEY_FILE' in variables)
    ? { ...variables, SECRETS_KEY: 'none' }
    : variables;

/** Returns the environment of a command: these variables, PATH, HOME and the compile cache. */
export const createEnvironment = (variables: Environment): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
  ...withoutEncryption(variables),
});

const running = new Set<ChildProcess>();
// A test file that fails while it is loaded stops nothing that it has started.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const start = (command: readonly string[], env: Environment): ChildProcess => {
  const child = spawn(process.execPath, command, {
    env: createEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
};

/** Starts `flightdata` with these arguments and environment variables. */
export const startCommand = (args: readonly string[], env: Environment): ChildProcess =>
  start([mainModule, ...args], env);

/** Starts `flightdata-mock` with these arguments and environment variables. */
export const startMock = (args: readonly string[], env: Environment = {}): ChildProcess =>
  start([mockMain, ...args], env);

export type CommandResult = { readonly code: number | null; readonly out: string; readonly err: string };

const collectText = (stream: NodeJS.ReadableStream | null): (() => string) => {
  let text = '';
  stream?.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  return () => text;
};

const waitForResult = async (child: ChildProcess): Promise<CommandResult> => {
  const [out, err] = [collectText(child.stdout), collectText(child.stderr)];
  const [code] = await once(child, 'close');
  return { code, out: out(), err: err() };
};

/** Runs `flightdata` in a process of its own until it exits. */
export const runCommand = (args: readonly string[], env: Environment): Promise<CommandResult> =>
  waitForResult(startCommand(args, env));

/** Runs `flightdata-mock` in a process of its own until it exits. */
export const runMock = (args: readonly string[], env: Environment = {}): Promise<CommandResult> =>
  waitForResult(startMock(args, env));

/** Waits until the standard output of a command matches and returns the match; rejects when the command ends before. */
export const waitForOutput = (child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    const [out, err] = [collectText(child.stdout), collectText(child.stderr)];
    child.stdout?.on('data', () => {
      const match = pattern.exec(out());
      if (match) resolve(match);
    });
    child.once('close', (code) =>
      reject(new Error(`the command ended with ${code} before it printed ${String(pattern)}: ${out()}${err()}`)),
    );
  });
