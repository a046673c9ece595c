import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTool, root } from './run-tool.ts';

const settings = {
  compilerOptions: {
    target: 'es2022',
    // Common to browsers and Node.js 20: the code needs fetch and WebCrypto only.
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    rootDir: 'lib',
  },
  include: ['lib'],
};

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Returns the source texts by their path in the package, with imports adapted: `generated/` is a folder of the package. */
const readSources = (): ReadonlyMap<string, string> => {
  const sources = new Map<string, string>();
  const products = new Set<string>();
  for (const path of globSync('src/client/*.ts', { cwd: root })) {
    const text = read(path);
    for (const [, product = ''] of text.matchAll(/'\.\.\/\.\.\/generated\/([\w-]+\/v\d+)\//g)) products.add(product);
    sources.set(path.replace('src/client/', ''), text.replaceAll(`'../../generated/`, `'./generated/`));
  }
  const generated = [...products].map((product) => `generated/${product}/{sdk,client,types}.gen.ts`);
  for (const path of globSync([...generated, 'generated/runtime/*/*.ts'], { cwd: root })) sources.set(path, read(path));
  return sources;
};

const packageJson = (): object => {
  const { version, license }: { readonly version: string; readonly license: string } = JSON.parse(read('package.json'));
  return {
    name: 'flightdata-client',
    version,
    description: 'A client of the flight data service: typed calls, lists to walk, retries, events, webhooks.',
    keywords: ['aviation', 'flights', 'flightdata', 'openapi'],
    license,
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    files: ['dist'],
    engines: { node: '>=20' },
  };
};

/** Writes the client as a package, ready for `npm pack`, into a folder that it empties first. Throws the output of the compiler. */
export const buildClient = async (outDir: string): Promise<void> => {
  mkdirSync(join(root, 'build'), { recursive: true });
  const stage = mkdtempSync(join(root, 'build/client-'));
  try {
    for (const [path, text] of readSources()) {
      mkdirSync(dirname(join(stage, 'lib', path)), { recursive: true });
      writeFileSync(join(stage, 'lib', path), text);
    }
    writeFileSync(join(stage, 'tsconfig.json'), JSON.stringify(settings));
    rmSync(outDir, { recursive: true, force: true });
    const { code, output } = await runTool('tsc', ['-p', stage, '--outDir', join(outDir, 'dist')]);
    if (code !== 0) throw new Error(`the client does not compile:\n${output}`);
    writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(packageJson(), undefined, 2)}\n`);
    for (const [from, to] of [
      ['src/client/README.md', 'README.md'],
      ['LICENSE', 'LICENSE'],
    ] as const)
      cpSync(join(root, from), join(outDir, to));
  } finally {
    rmSync(stage, { recursive: true });
  }
};

if (import.meta.main) {
  const outDir = join(root, 'dist/client');
  await buildClient(outDir);
  console.log(`The package is in ${outDir}; \`npm pack\` there makes a file of it.`);
}
