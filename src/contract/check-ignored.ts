/** `make check`: no source file or folder is ignored by git. Commits, format and lint would leave it out without a word. */
import { execFileSync } from 'node:child_process';
import { root } from './run-tool.ts';

/** Folders that tools create inside those of sources. */
const TOOL_FOLDERS = /(?:^|\/)node_modules\/$/;
/** The names of folders, and of files as the project has them; tools and desktops leave others. */
const SOURCES = /\/$|\.(?:css|csv|go|html|js|json|mjs|md|png|py|sh|sql|svg|ts|txt|xml|ya?ml)$/;

const listPaths = (folder: string, args: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '--ignored', '--exclude-standard', '-z', ...args], { cwd: folder, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '');

/** Returns the tracked files that `.gitignore` excludes, and the ignored folders and files below `sources`. */
export const listIgnoredSources = (folder: string, sources: readonly string[]): readonly string[] => [
  ...listPaths(folder, ['--cached']),
  ...listPaths(folder, ['--others', '--directory', '--', ...sources]).filter(
    (path) => SOURCES.test(path) && !TOOL_FOLDERS.test(path),
  ),
];

if (import.meta.main) {
  const ignored = listIgnoredSources(root, ['spec', 'generated', 'src', 'test', 'docs', '.ci']);
  for (const path of ignored)
    console.error(`${path} is ignored by .gitignore: anchor its pattern, for example /coverage/`);
  if (ignored.length > 0) process.exitCode = 1;
}
