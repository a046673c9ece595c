import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Example, Guide } from './guide.ts';

/** The result of an example: the statuses of its calls and its output. */
export type ExampleRun = { readonly example: Example; readonly statuses: readonly number[]; readonly printed: string };

/** The base URLs of the test that replace those of the guides. */
export type BaseUrls = { readonly service: string; readonly mock: string };

const MARK = '=== next ===';

/** curl writes each status to standard error, so that standard output stays as in the guide. */
const preamble = `set -eu
curl() { command curl --write-out '%{stderr}%{http_code}\\n' "$@"; }
`;

const splitOutput = (output: string): readonly string[] => output.split(`${MARK}\n`).slice(1);

/** Runs the examples of a guide in order in one shell, like a reader who pastes them. Throws when one fails. */
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
