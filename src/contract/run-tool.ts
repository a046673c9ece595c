import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

export type Outcome = { readonly code: number; readonly output: string };

/**
 * Runs one of the installed tools at the root of the project, on the Node that runs this; what it writes is kept in the
 * order written. It throws only when the tool is not installed.
 */
export const runTool = (name: string, args: readonly string[]): Promise<Outcome> =>
  new Promise((settle, refuse) => {
    const script = realpathSync(resolve(root, 'node_modules/.bin', name));
    const child = spawn(process.execPath, [script, ...args], { cwd: root });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', refuse);
    child.on('close', (code) => settle({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
