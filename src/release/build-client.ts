import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTool, root } from '#contract/run-tool.ts';

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
    isolatedModules: true,
    rewriteRelativeImportExtensions: true,
    rootDir: 'lib',
  },
  include: ['lib'],
};

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A union of text values on one line of a generated type. A single value that cannot be null is a constant. */
const UNION = /'[^']*'(?: \| '[^']*')+|'[^']*'(?= \| null)/g;
/** The name of a type, not of a property and not in quotes. */
const TYPE_NAME = /(?<!['\w-])[A-Z]\w*\b(?!['?:-])/g;
const toOpen = (type: string): string => `${type} | (string & {})`;

/** Returns the names of the generated types that requests use. */
const findRequestTypes = (declarations: ReadonlyMap<string, string>): ReadonlySet<string> => {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const [word] of declarations.get(name)?.matchAll(TYPE_NAME) ?? []) if (declarations.has(word)) add(word);
  };
  for (const [name, text] of declarations) if (name.endsWith('Data') && text.includes(`url: '/`)) add(name);
  return found;
};

/**
 * Opens the enumerations of responses in generated types: new values are no breaking change. `'A' | 'B' | (string & {})` accepts every
 * text, and editors suggest the known values. Enumerations of requests remain closed, also in an object that responses share with them.
 */
const openResponseEnums = (text: string): string => {
  const parts = text.split(/^(?=export type )/m);
  const nameOf = (part: string): string => /^export type (\w+)/.exec(part)?.[1] ?? '';
  const toCode = (part: string): string => part.replaceAll(/\/\*\*.*?\*\//gs, '');
  const requestTypes = findRequestTypes(new Map(parts.map((part) => [nameOf(part), toCode(part)])));
  const isEnum = (part: string): boolean => /^export type \w+ = '.*;$/m.test(part);
  const enums = new Set(parts.filter(isEnum).map(nameOf));
  const openLine = (line: string): string =>
    /^\s*\/?\*/.test(line)
      ? line
      : line
          .replaceAll(UNION, toOpen)
          .replaceAll(TYPE_NAME, (name) => (enums.has(name) && requestTypes.has(name) ? toOpen(name) : name));
  const openPart = (part: string): string => part.split('\n').map(openLine).join('\n');
  return parts.map((part) => (requestTypes.has(nameOf(part)) ? part : openPart(part))).join('');
};

/** Returns the source texts by their path in the package, with imports adapted: `generated/` is a folder of the package. */
const readSources = (): ReadonlyMap<string, string> => {
  const sources = new Map<string, string>();
  const clientProducts = read('generated/products.ts');
  sources.set('generated/products.ts', clientProducts.replaceAll(`'../src/client/`, `'../`));
  for (const path of globSync('src/client/*.ts', { cwd: root })) {
    const text = read(path);
    sources.set(path.replace('src/client/', ''), text.replaceAll(`'../../generated/`, `'./generated/`));
  }
  const products = new Set([...clientProducts.matchAll(/'\.\/([\w-]+\/v\d+)\//g)].map(([, product = '']) => product));
  const generated = [...products].map((product) => `generated/${product}/{sdk,client,types}.gen.ts`);
  for (const path of globSync([...generated, 'generated/runtime/*/*.ts'], { cwd: root })) {
    const text = read(path);
    sources.set(path, path.endsWith('types.gen.ts') && !path.includes('runtime') ? openResponseEnums(text) : text);
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
    // For CommonJS programs whose compiler does not read `exports`.
    main: './dist/cjs/index.js',
    types: './dist/cjs/index.d.ts',
    exports: {
      '.': {
        import: { types: './dist/index.d.ts', default: './dist/index.js' },
        require: { types: './dist/cjs/index.d.ts', default: './dist/cjs/index.js' },
      },
      './package.json': './package.json',
    },
    files: ['dist'],
    engines: { node: '>=20' },
  };
};

/** Compiles the sources in `stage/lib` to a module format in a folder. Throws the output of the compiler. */
const compile = async (stage: string, type: 'module' | 'commonjs', outDir: string): Promise<void> => {
  // The types are written once, as those of the CommonJS modules, which both formats can import.
  const compilerOptions = { ...settings.compilerOptions, declaration: type === 'commonjs' };
  writeFileSync(join(stage, 'tsconfig.json'), JSON.stringify({ ...settings, compilerOptions }));
  writeFileSync(join(stage, 'package.json'), JSON.stringify({ type }));
  const { code, output } = await runTool('tsc', ['-p', stage, '--outDir', outDir]);
  if (code !== 0) throw new Error(`the client does not compile:\n${output}`);
};

/** Writes the client as a package, ES modules and CommonJS, ready for `npm pack`, into a folder that it empties first. Throws the output of the compiler. */
export const buildClient = async (outDir: string): Promise<void> => {
  mkdirSync(join(root, 'build'), { recursive: true });
  const stage = mkdtempSync(join(root, 'build/client-'));
  try {
    for (const [path, text] of readSources()) {
      mkdirSync(dirname(join(stage, 'lib', path)), { recursive: true });
      writeFileSync(join(stage, 'lib', path), text);
    }
    rmSync(outDir, { recursive: true, force: true });
    await compile(stage, 'module', join(outDir, 'dist'));
    await compile(stage, 'commonjs', join(outDir, 'dist/cjs'));
    writeFileSync(join(outDir, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
    writeFileSync(join(outDir, 'dist/index.d.ts'), `export * from './cjs/index.js';\n`);
    writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(packageJson(), undefined, 2)}\n`);
    for (const [from, to] of [
      ['src/client/README.md', 'README.md'],
      ['LICENSE', 'LICENSE'],
      // The code of requests is that of the generator.
      ['node_modules/@hey-api/openapi-ts/LICENSE.md', 'dist/openapi-ts.LICENSE.md'],
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
