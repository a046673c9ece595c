import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTool, root } from './run-tool.ts';

/** Every product brings the same runtime; a package has it once. */
const RUNTIME = ['client', 'core'] as const;

const settings = {
  compilerOptions: {
    target: 'es2022',
    // What browsers and Node.js 20 have as well, and nothing of Node: the same code runs wherever there is fetch and WebCrypto.
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

/** Source texts by their path in the package, with imports that fit there. Throws when the products' runtimes are not the same. */
const sourcesOf = (): ReadonlyMap<string, string> => {
  const sources = new Map<string, string>();
  const products = new Set<string>();
  for (const path of globSync('src/client/*.ts', { cwd: root })) {
    const text = read(path);
    for (const [, product = ''] of text.matchAll(/'\.\.\/\.\.\/generated\/([\w-]+\/\w+)\//g)) products.add(product);
    const here = text
      .replaceAll(/'\.\.\/\.\.\/generated\/[\w-]+\/\w+\/client\//g, `'./generated/runtime/client/`)
      .replaceAll(`'../../generated/`, `'./generated/`);
    sources.set(path.replace('src/client/', ''), here);
  }
  for (const product of products) {
    for (const name of ['sdk.gen.ts', 'client.gen.ts', 'types.gen.ts'])
      sources.set(
        `generated/${product}/${name}`,
        read(`generated/${product}/${name}`).replaceAll(`'./client/`, `'../../runtime/client/`),
      );
    for (const path of globSync(`generated/${product}/{${RUNTIME.join(',')}}/*.ts`, { cwd: root })) {
      const name = path.replace(`generated/${product}/`, 'generated/runtime/');
      const text = read(path);
      if ((sources.get(name) ?? text) !== text) throw new Error(`${path} is not the runtime of the other products`);
      sources.set(name, text);
    }
  }
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

/** Writes the client as a package, ready for `npm pack`, into a folder that it empties first. Throws with what the compiler says. */
export const buildClient = async (outDir: string): Promise<void> => {
  mkdirSync(join(root, 'build'), { recursive: true });
  const stage = mkdtempSync(join(root, 'build/client-'));
  try {
    for (const [path, text] of sourcesOf()) {
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
