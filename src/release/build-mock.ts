import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findImports } from '#contract/analyze-source.ts';
import { toOwnPath } from '#contract/own-path.ts';
import { root, runTool } from '#contract/run-tool.ts';
import { toJsonObject } from '#lib/openapi-document.ts';

const MAIN = 'src/mock/main.ts';

/** Settings in addition to those of tsconfig.json. Node.js 20 has what these libraries declare; `src/mock/node-20.ts` adds the promises. */
const settings = {
  extends: '../../tsconfig.json',
  compilerOptions: {
    noEmit: false,
    target: 'es2022',
    lib: ['es2023', 'es2024.collection', 'es2024.promise', 'es2024.string', 'dom', 'dom.iterable'],
    rootDir: '../..',
    outDir: '.',
    rewriteRelativeImportExtensions: true,
  },
  files: [`../../${MAIN}`],
  include: [],
};

/** The documents of all versions, and what the mock serves beside them. */
const DOCUMENTS = ['generated/*/*/{openapi,asyncapi}.json', 'generated/recipes/*.json', 'spec/*/CHANGES.md'];

const toScript = (path: string): string => path.replace(/\.ts$/, '.js');

const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';

/** Returns the compiled modules that the mock loads, by path, and the packages that they import. The compiler also writes those with only types. */
const findLoaded = (stage: string) => {
  const modules = new Set([toScript(MAIN)]);
  const packages = new Set<string>();
  for (const path of modules)
    for (const specifier of findImports(path, readFileSync(join(stage, path), 'utf8'))) {
      const own = toOwnPath(path, specifier);
      if (own !== undefined) modules.add(toScript(own));
      else if (!specifier.startsWith('node:')) packages.add(packageOf(specifier));
    }
  return { modules: [...modules].toSorted(), packages: [...packages].toSorted() };
};

const packageJson = (packages: readonly string[]): object => {
  const manifest = toJsonObject(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const versions = { ...toJsonObject(manifest['devDependencies']), ...toJsonObject(manifest['dependencies']) };
  return {
    name: 'flightdata-mock',
    version: manifest['version'],
    description: 'A mock of the flight data service: the examples of its OpenAPI documents over HTTP.',
    keywords: ['aviation', 'flights', 'flightdata', 'mock', 'openapi'],
    license: manifest['license'],
    type: 'module',
    bin: { 'flightdata-mock': 'dist/src/mock/main.js' },
    imports: {
      '#generated/*.ts': './dist/generated/*.js',
      '#mock/*.ts': './dist/src/mock/*.js',
      '#*.ts': './dist/src/server/*.js',
    },
    files: ['dist', 'generated', 'spec'],
    // Prism loads ES modules with `require`.
    engines: { node: '>=20.19' },
    dependencies: Object.fromEntries(packages.map((name) => [name, versions[name]])),
  };
};

/** Writes the mock as a package, ready for `npm pack`, into a folder that it empties first. Throws the output of the compiler. */
export const buildMock = async (outDir: string): Promise<void> => {
  mkdirSync(join(root, 'build'), { recursive: true });
  const stage = mkdtempSync(join(root, 'build/mock-'));
  try {
    writeFileSync(join(stage, 'tsconfig.json'), JSON.stringify(settings));
    const { code, output } = await runTool('tsc', ['-p', stage]);
    if (code !== 0) throw new Error(`the mock does not compile:\n${output}`);
    const { modules, packages } = findLoaded(stage);
    rmSync(outDir, { recursive: true, force: true });
    const copy = (from: string, to: string): void => {
      mkdirSync(dirname(join(outDir, to)), { recursive: true });
      cpSync(from, join(outDir, to));
    };
    for (const path of modules) copy(join(stage, path), join('dist', path));
    for (const path of globSync(DOCUMENTS, { cwd: root })) copy(join(root, path), path);
    copy(join(root, 'src/mock/README.md'), 'README.md');
    copy(join(root, 'LICENSE'), 'LICENSE');
    writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(packageJson(packages), undefined, 2)}\n`);
  } finally {
    rmSync(stage, { recursive: true });
  }
};

if (import.meta.main) {
  const outDir = join(root, 'dist/mock');
  await buildMock(outDir);
  console.log(`The package is in ${outDir}; \`npm pack\` there makes a file of it.`);
}
