import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** The folder of the project. */
export const root = resolve(import.meta.dirname, '../..');

/** `stdout` alone, for tools that answer in a format, and all that was written, in the order written, for people. */
export type ToolResult = { readonly code: number; readonly stdout: string; readonly output: string };

const scriptOf = (tool: string): readonly string[] =>
  tool === 'node' ? [] : [realpathSync(resolve(root, 'node_modules/.bin', tool))];

/** Runs an installed tool, or `node` itself, in the project's folder on the Node that runs this. Throws when it is not installed. */
export const runTool = (tool: string, args: readonly string[]): Promise<ToolResult> =>
  new Promise((settle, refuse) => {
    const child = spawn(process.execPath, [...scriptOf(tool), ...args], { cwd: root });
    const stdout: Buffer[] = [];
    const all: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => all.push(chunk) && stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => all.push(chunk));
    child.on('error', refuse);
    child.on('close', (code) =>
      settle({ code: code ?? 1, stdout: Buffer.concat(stdout).toString(), output: Buffer.concat(all).toString() }),
    );
  });
