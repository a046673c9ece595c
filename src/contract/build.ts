import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTool } from './run-tool.ts';

/** What a package needs of the compiler beyond what checking needs: JavaScript, with imports that name it. */
const settings = {
  extends: '../tsconfig.json',
  compilerOptions: { noEmit: false, rootDir: '..', outDir: '../dist', rewriteRelativeImportExtensions: true },
  include: ['../src', '../generated'],
  // Tools of the build itself, which need what only a checkout has, and the client, which is a package of its own.
  exclude: ['../src/contract', '../src/portal', '../src/client'],
};

/**
 * Writes `dist/`, the service as JavaScript, for Node runs no TypeScript that lies under node_modules, and the portal that it serves.
 * With `--without-portal` the service alone is written, and what else is in `dist/` stays as it is.
 */
const build = async (hasPortal: boolean): Promise<void> => {
  for (const part of hasPortal ? ['.'] : ['src', 'generated'])
    rmSync(join(root, 'dist', part), { recursive: true, force: true });
  mkdirSync(join(root, 'build'), { recursive: true });
  const project = join(root, 'build/tsconfig.json');
  writeFileSync(project, JSON.stringify(settings));
  const { code, output } = await runTool('tsc', ['-p', project]);
  if (code !== 0) {
    console.error(output);
    process.exitCode = 1;
    return;
  }
  cpSync(join(root, 'src/store/schema/migrations'), join(root, 'dist/src/store/schema/migrations'), {
    recursive: true,
  });
  for (const table of globSync('src/**/*.csv', { cwd: root })) cpSync(join(root, table), join(root, 'dist', table));
  if (!hasPortal) return;
  const portal = await runTool('node', ['src/portal/build-portal.ts']);
  if (portal.code === 0) return;
  console.error(portal.output);
  process.exitCode = 1;
};

await build(!process.argv.includes('--without-portal'));
