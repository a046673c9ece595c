import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTool } from './run-tool.ts';

/** What a package needs of the compiler beyond what checking needs: JavaScript, with imports that name it. */
const settings = {
  extends: '../tsconfig.json',
  compilerOptions: { noEmit: false, rootDir: '..', outDir: '../dist', rewriteRelativeImportExtensions: true },
  include: ['../src', '../generated'],
  // Tools of the build itself, which need what only a checkout has.
  exclude: ['../src/contract'],
};

/** Writes `dist/`, the service as JavaScript: Node runs no TypeScript that lies under node_modules. */
const build = async (): Promise<void> => {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  mkdirSync(join(root, 'build'), { recursive: true });
  const project = join(root, 'build/tsconfig.json');
  writeFileSync(project, JSON.stringify(settings));
  const { code, output } = await runTool('tsc', ['-p', project]);
  if (code !== 0) {
    console.error(output);
    process.exitCode = 1;
    return;
  }
  cpSync(join(root, 'src/store/migrations'), join(root, 'dist/src/store/migrations'), { recursive: true });
};

await build();
