import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { findExportedTypes, findFunctionDeclarations, findImports, findImpurities } from './analyze-source.ts';
import { toOwnPath } from './own-path.ts';
import { root } from './run-tool.ts';

export type LayerViolation = { readonly path: string; readonly rule: string; readonly message: string };

/** Source texts by their path from the root of the project, e.g. `src/server/domain/time/dates.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** Parts of `src/server` by layer, lowest first. A part is a folder or a file. An import goes to a lower layer or stays in its part. */
const layers: readonly (readonly string[])[] = [
  ['lib'],
  ['domain'],
  ['telemetry'],
  ['feeds', 'store', 'delivery'],
  ['http'],
  ['products'],
  ['jobs'],
  ['cli', 'mcp', 'service', 'service-version', 'app', 'config'],
];

/** Parts of the top layer join the others and may import each other. */
const topLayer = layers.length - 1;

/**
 * The other rooms of `src`, with the rooms, parts and files of the server that each may import. `contract`, `portal` and `release` run at build
 * time; `client` is what a subscriber installs and depends on generated code only. Other parts do not import them, but the commands load
 * `demo`.
 */
const standalone: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'contract',
    [
      'lib',
      'domain',
      'cli/program.ts',
      'config.ts',
      'feeds/aidx/element-uses.ts',
      'feeds/live/live-elements.ts',
      'feeds/status/message-schema.ts',
      'http/response/problem.ts',
      'http/router/version-lifecycle.ts',
      'http/server/connection-limits.ts',
      'jobs/export/flight-columns.ts',
      'jobs/sources/live-registry.ts',
      'jobs/sources/source-registry.ts',
      'jobs/task-registry.ts',
      'telemetry/tracing-options.ts',
    ],
  ],
  ['release', ['lib', 'contract', 'feeds/master-data/boundaries']],
  ['portal', ['lib', 'domain', 'contract', 'http/router/version-lifecycle.ts']],
  ['mock', ['lib', 'domain', 'http', 'products', 'cli/shared', 'app.ts', 'service-version.ts']],
  ['demo', ['lib', 'domain', 'feeds', 'store', 'products', 'jobs']],
  ['client', []],
]);

/** Rooms that a part of the server imports. */
const startedBy: ReadonlyMap<string, string> = new Map([['demo', 'cli']]);

/** Packages that only some parts may import, so that each could be replaced by rewriting one part. */
const restrictedPackages: readonly { readonly packages: RegExp; readonly parts: readonly string[] }[] = [
  { packages: /^(hono|@hono\/.*)$/, parts: ['http', 'app', 'service', 'mcp', 'mock', 'generated'] },
  { packages: /^@modelcontextprotocol\//, parts: ['mcp'] },
  { packages: /^postgres$/, parts: ['store'] },
  { packages: /^@nats-io\//, parts: ['delivery'] },
  { packages: /^@opentelemetry\/(?!api$)/, parts: ['telemetry'] },
  { packages: /^@stoplight\//, parts: ['mock'] },
];

/** Dates of API versions; pure, and shared with build time. */
const lifecycle = 'src/server/http/router/version-lifecycle.ts';

/** Builtins without side effects; the domain hashes its keys. */
const pureBuiltins = new Set(['node:crypto']);

/** With fewer modules or imports than this the check did not find the sources. */
export const minimumFound = { modules: 100, imports: 300 };

const partOf = (path: string): string => {
  const [top = '', room = '', part = ''] = path.split('/');
  if (top !== 'src') return top;
  return room === 'server' ? part.replace(/\.ts$/, '') : room;
};

const layerOf = (part: string): number => layers.findIndex((parts) => parts.includes(part));

const productOf = (path: string): { readonly product: string; readonly version: number } | undefined => {
  const match = /^src\/server\/products\/([^/]+)\/(?:v(\d+)\/)?/.exec(path);
  return match ? { product: match[1] ?? '', version: Number(match[2] ?? 0) } : undefined;
};

/** Returns why one product may not import another's file, or undefined: a version imports itself and later versions of its product. */
const checkProductImport = (from: string, to: string): string | undefined => {
  const importer = productOf(from);
  const imported = productOf(to);
  if (!importer || !imported)
    return importer && !imported ? 'a product does not import the register of products' : undefined;
  if (importer.product !== imported.product) return 'products do not import each other';
  return imported.version !== 0 && imported.version < importer.version
    ? 'a version does not import an older one'
    : undefined;
};

const checkGeneratedImport = (from: string, to: string): string | undefined => {
  if (/^generated\/catalog\.ts$/.test(from))
    return to === lifecycle ? undefined : `the catalog imports ${lifecycle} only`;
  if (partOf(from) === 'generated') {
    if (partOf(to) === 'generated' || (/routes\.gen\.ts$/.test(from) && partOf(to) === 'http')) return undefined;
    return 'generated code imports itself, and routes import src/server/http';
  }
  const isAllowed = layerOf(partOf(from)) >= layerOf('products') || ['client', 'demo', 'mock'].includes(partOf(from));
  return isAllowed
    ? undefined
    : `${to} is generated; only products and the layers above, client, demo and mock import it`;
};

const checkOwnImport = (from: string, to: string): string | undefined => {
  const [importer, imported] = [partOf(from), partOf(to)];
  if (importer === 'generated' || imported === 'generated') return checkGeneratedImport(from, to);
  if (!to.startsWith('src/')) return `'${to}' is outside src/`;
  if (importer === imported) return importer === 'products' ? checkProductImport(from, to) : undefined;
  const allowed = standalone.get(importer);
  if (allowed) {
    const name = to.replace(/^src\/(server\/)?/, '');
    const isAllowed = allowed.some((one) => one === imported || one === name || name.startsWith(`${one}/`));
    return isAllowed ? undefined : `src/${importer} imports ${allowed.join(', ') || 'generated code only'}`;
  }
  if (standalone.has(imported))
    return startedBy.get(imported) === importer ? undefined : `no other part imports src/${imported}`;
  const [layer, target] = [layerOf(importer), layerOf(imported)];
  if (target < layer || (target === layer && layer === topLayer)) return undefined;
  return target === layer ? 'parts of one layer do not import each other' : 'imports only go to lower layers';
};

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const checkPackageImport = (from: string, specifier: string): string | undefined => {
  const part = partOf(from);
  if (part === 'domain' && !pureBuiltins.has(specifier))
    return `src/server/domain is pure and does not import '${specifier}'`;
  const restricted = restrictedPackages.find(({ packages }) => packages.test(packageOf(specifier)));
  return restricted && !restricted.parts.includes(part)
    ? `only ${restricted.parts.join(', ')} may import '${specifier}'`
    : undefined;
};

const checkFile = (path: string, text: string): readonly LayerViolation[] => {
  const part = partOf(path);
  const found: LayerViolation[] = [];
  if (layerOf(part) < 0 && !standalone.has(part) && part !== 'generated')
    found.push({ path, rule: 'unknown-part', message: `'${part}' has no layer; add it to src/contract/layers.ts` });
  for (const specifier of findImports(path, text)) {
    const own = toOwnPath(path, specifier);
    const isOwn = own !== undefined;
    const to = own ?? specifier;
    const message = isOwn ? checkOwnImport(path, to) : checkPackageImport(path, specifier);
    if (message !== undefined)
      found.push({ path, rule: isOwn ? 'layers' : 'packages', message: `imports ${to}: ${message}` });
  }
  if (part === 'domain')
    for (const message of findImpurities(path, text)) found.push({ path, rule: 'pure-domain', message });
  if (part !== 'generated')
    for (const message of findFunctionDeclarations(path, text)) found.push({ path, rule: 'arrow-functions', message });
  return found;
};

/** Returns each cycle of a directed graph once, as nodes from its first one. */
const findCycles = (graph: ReadonlyMap<string, Iterable<string>>): readonly (readonly string[])[] => {
  const done = new Set<string>();
  const cycles: (readonly string[])[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    const start = trail.indexOf(node);
    if (start >= 0) cycles.push(trail.slice(start));
    if (start >= 0 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
};

const fileGraph = (sources: Sources): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...sources]
      .filter(([path]) => path.startsWith('src/'))
      .map(([path, text]) => {
        return [path, findImports(path, text).flatMap((specifier) => toOwnPath(path, specifier) ?? [])];
      }),
  );

/** The imports between folders; a folder and its sub-folder are two nodes. */
const folderGraph = (files: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, ReadonlySet<string>> => {
  const graph = new Map<string, Set<string>>();
  for (const [path, imported] of files)
    for (const to of imported) {
      const [folder, target] = [posix.dirname(path), posix.dirname(to)];
      if (folder === target || folder === 'src/server' || !to.startsWith('src/')) continue;
      graph.set(folder, (graph.get(folder) ?? new Set<string>()).add(target));
    }
  return graph;
};

const findDuplicateTypes = (sources: Sources): readonly LayerViolation[] => {
  const declared = new Map<string, string>();
  const found: LayerViolation[] = [];
  for (const [path, text] of sources) {
    if (!path.startsWith('src/') || partOf(path) === 'products') continue;
    for (const name of findExportedTypes(path, text)) {
      const first = declared.get(name);
      if (first === undefined) declared.set(name, path);
      else found.push({ path, rule: 'unique-types', message: `exports the type ${name}, as ${first} does` });
    }
  }
  return found;
};

/** Returns every violation of the architecture rules in these sources. Type imports count as imports. */
export const checkLayers = (sources: Sources): readonly LayerViolation[] => {
  const files = fileGraph(sources);
  const toViolation =
    (rule: string) =>
    (cycle: readonly string[]): LayerViolation => ({
      path: cycle[0] ?? '',
      rule,
      message: `imports itself through ${cycle.join(' -> ')}`,
    });
  return [
    ...[...sources].flatMap(([path, text]) => checkFile(path, text)),
    ...findCycles(files).map(toViolation('file-cycles')),
    ...findCycles(folderGraph(files)).map(toViolation('folder-cycles')),
    ...findDuplicateTypes(sources),
  ];
};

/** Returns the sources of this project without tests, which may import anything. */
export const readSources = (): Sources =>
  new Map(
    globSync(['src/**/*.ts', 'generated/catalog.ts', 'generated/**/routes.gen.ts'], { cwd: root })
      .toSorted()
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );

const main = (): void => {
  const sources = readSources();
  const imports = [...sources].reduce((sum, [path, text]) => sum + findImports(path, text).length, 0);
  const found = checkLayers(sources);
  for (const { path, rule, message } of found) console.error(`${path}: [${rule}] ${message}`);
  if (sources.size < minimumFound.modules || imports < minimumFound.imports)
    console.error(
      `found only ${sources.size} modules and ${imports} imports, expected at least ${minimumFound.modules} and ${minimumFound.imports}`,
    );
  else if (found.length === 0) return;
  process.exitCode = 1;
};

if (import.meta.main) main();
