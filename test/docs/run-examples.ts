import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { isJsonObject } from '#lib/openapi-document.ts';
import { createEnvironment, type Environment } from '../cli/run-command.ts';
import type { Example, Guide } from './guide.ts';

/** The result of an example: the statuses of its calls and its output. */
export type ExampleRun = { readonly example: Example; readonly statuses: readonly number[]; readonly printed: string };

const MARK = '=== next ===';

/** curl writes each status to standard error, so that standard output stays as on the page. */
const preamble = `set -eu
curl() { command curl --write-out '%{stderr}%{http_code}\\n' "$@"; }
`;

const splitOutput = (output: string): readonly string[] => output.split(`${MARK}\n`).slice(1);

export type RunOptions = {
  /** Working directory. */
  readonly cwd: string;
  /** Texts of the page, such as base URLs, with those of the test. */
  readonly replacements: Readonly<Record<string, string>>;
  readonly env?: Environment;
};

/** Runs the examples of a page in order in one shell. Throws when one fails. */
export const runExamples = async ({ examples }: Guide, options: RunOptions): Promise<readonly ExampleRun[]> => {
  const marked = examples.map(({ script }) => `echo '${MARK}'; echo '${MARK}' >&2\n${script}\necho`).join('\n');
  const script = Object.entries(options.replacements).reduce(
    (all, [shown, real]) => all.replaceAll(shown, real),
    `${preamble}${marked}`,
  );
  const shell = spawn('sh', ['-c', script], {
    cwd: options.cwd,
    env: createEnvironment(options.env ?? {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => shell.once('close', resolve));
  const [out, err, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  if (code !== 0) throw new Error(`the shell ended with ${code}: ${out}${err}`);
  const printed = splitOutput(out);
  const statuses = splitOutput(err).map((piece) => [...piece.matchAll(/^[1-5]\d\d$/gm)].map(Number));
  return examples.map((example, n) => ({ example, statuses: statuses[n] ?? [], printed: printed[n] ?? '' }));
};

/** Whether all calls of an example returned the status of the problem it shows, or success, and printed something. */
export const hasExpectedStatus = ({ example: { script, shown }, statuses, printed }: ExampleRun): boolean => {
  if (!script.includes('curl ')) return true;
  const expected = isJsonObject(shown) && 'type' in shown ? shown['status'] : undefined;
  const isExpected = (status: number): boolean => (expected === undefined ? status < 400 : status === expected);
  return statuses.length > 0 && printed !== '' && statuses.every(isExpected);
};
