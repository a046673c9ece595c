import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTool } from '#contract/run-tool.ts';
import { LICENCES_FILE, renderThirdPartyLicences } from './third-party-licences.ts';

// Build tools need a checkout, and client and mock are separate packages.
const otherRooms = ['contract', 'release', 'portal', 'client', 'mock'];

/** Compiler settings of the package in addition to tsconfig.json: emit JavaScript, and rewrite imports to it. */
const settings = {
  extends: '../tsconfig.json',
  compilerOptions: { noEmit: false, rootDir: '..', outDir: '../dist', rewriteRelativeImportExtensions: true },
  include: ['../src', '../generated'],
  exclude: otherRooms.map((room) => `../src/${room}`),
};

/**
 * Writes `dist/`: the service as JavaScript, because Node runs no TypeScript under node_modules, the portal, and the licences of
 * packages. With `--without-portal` it writes only the service and keeps the rest of `dist/`.
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
  // The compiler leaves `#store/...` as it is; here the names lead to the JavaScript.
  const imports = {
    '#generated/*.ts': './generated/*.js',
    '#demo/*.ts': './src/demo/*.js',
    '#*.ts': './src/server/*.js',
  };
  writeFileSync(join(root, 'dist/package.json'), JSON.stringify({ type: 'module', imports }));
  // Migrations, tables and other files that code reads beside it, of any type.
  for (const file of globSync('src/**/*.*', {
    cwd: root,
    exclude: [`src/{${otherRooms.join(',')}}/**`, '**/*.{ts,md}'],
  }))
    cpSync(join(root, file), join(root, 'dist', file));
  if (!hasPortal) return;
  writeFileSync(join(root, 'dist', LICENCES_FILE), renderThirdPartyLicences(root));
  const portal = await runTool('node', ['src/portal/build-portal.ts']);
  if (portal.code === 0) return;
  console.error(portal.output);
  process.exitCode = 1;
};

await build(!process.argv.includes('--without-portal'));
