import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Example, Guide } from './guide.ts';

/** What became of one example: the statuses of its calls, and what it printed. */
export type ExampleRun = { readonly example: Example; readonly statuses: readonly number[]; readonly printed: string };

/** Where the guides say that the service and the mock are, and where they are in the test. */
export type BaseUrls = { readonly service: string; readonly mock: string };

const MARK = '=== next ===';

/** Each call tells its status on standard error, so that what the examples print stays as a reader sees it. */
const preamble = `set -eu
curl() { command curl --write-out '%{stderr}%{http_code}\\n' "$@"; }
`;

const splitOutput = (output: string): readonly string[] => output.split(`${MARK}\n`).slice(1);

/** Runs the examples of a guide one after the other in one shell, as a reader does who pastes them. Throws when the shell stops at one. */
export const runExamples = async ({ examples }: Guide, { service, mock }: BaseUrls): Promise<readonly ExampleRun[]> => {
  const marked = examples.map(({ script }) => `echo '${MARK}'; echo '${MARK}' >&2\n${script}\necho`).join('\n');
  const script = `${preamble}${marked}`
    .replaceAll('http://localhost:8080', service)
    .replaceAll('http://localhost:4010', mock);
  const shell = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => shell.once('close', resolve));
  const [out, err, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  if (code !== 0) throw new Error(`the shell ended with ${code}: ${out}${err}`);
  const printed = splitOutput(out);
  const statuses = splitOutput(err).map((piece) => piece.trim().split('\n').filter(Boolean).map(Number));
  return examples.map((example, index) => ({
    example,
    statuses: statuses[index] ?? [],
    printed: printed[index] ?? '',
  }));
};
