import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** The root folder of the project. */
export const root = resolve(import.meta.dirname, '../..');

/** `stdout` alone, for tools with machine-readable output, and `output`: stdout and stderr in the order written. */
export type ToolResult = { readonly code: number; readonly stdout: string; readonly output: string };

const findScript = (tool: string): readonly string[] =>
  tool === 'node' ? [] : [realpathSync(resolve(root, 'node_modules/.bin', tool))];

/** Runs an installed tool, or `node` itself, in the root folder with this version of Node. Throws when it is not installed. */
export const runTool = (tool: string, args: readonly string[]): Promise<ToolResult> =>
  new Promise((resolvePromise, reject) => {
    const child = spawn(process.execPath, [...findScript(tool), ...args], { cwd: root });
    const stdout: Buffer[] = [];
    const all: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => all.push(chunk) && stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => all.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolvePromise({
        code: code ?? 1,
        stdout: Buffer.concat(stdout).toString(),
        output: Buffer.concat(all).toString(),
      }),
    );
  });
