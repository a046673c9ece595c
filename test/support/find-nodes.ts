import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the Node executables to run packages on, by major version: the current one, and others from 20 on that the PATH has. */
export const findNodes = async (): Promise<ReadonlyMap<string, string>> => {
  const executables = new Map([[process.versions.node.replace(/\..*/, ''), process.execPath]]);
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(directory, 'node');
    if (!existsSync(node)) continue;
    const { stdout } = await run(node, ['-p', 'process.versions.node.split(".")[0]']);
    if (Number(stdout) >= 20 && !executables.has(stdout.trim())) executables.set(stdout.trim(), node);
  }
  return executables;
};
