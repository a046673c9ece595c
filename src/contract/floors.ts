import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import { importsOf, impuritiesOf, readsEnvironment, strayShapesOf } from './source-facts.ts';
import { root } from './run-tool.ts';

export type Violation = { readonly path: string; readonly rule: string; readonly message: string };

/** Source texts by their path from the root of the project, e.g. `src/domain/dates.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** The house from the ground up. A room is a folder or a file under src/; an import goes to a lower floor or stays in its room. */
const floors: readonly (readonly string[])[] = [
  ['domain'],
  ['telemetry'],
  ['feeds', 'store', 'delivery'],
  ['http'],
  ['products'],
  ['work'],
  ['cli', 'mock', 'app', 'main', 'config'],
];

/**
 * Rooms outside the house, and the rooms and single files each may see. `contract` runs when the project is built and takes only
 * pure things from the house: the domain, and the schema of the status feed, which is published. `client` is what a subscriber
 * installs: it lives on generated code alone. Neither is imported by any other room.
 */
const outbuildings: ReadonlyMap<string, readonly string[]> = new Map([
  ['contract', ['domain', 'feeds/status/message-schema.ts']],
  ['client', []],
]);

/** Packages that only some rooms may know, so that each could be replaced by rewriting one room. */
const keepers: readonly { readonly packages: RegExp; readonly rooms: readonly string[] }[] = [
  { packages: /^(hono|@hono\/.*)$/, rooms: ['http', 'app', 'mock', 'generated'] },
  { packages: /^postgres$/, rooms: ['store'] },
  { packages: /^@nats-io\//, rooms: ['delivery'] },
  { packages: /^@stoplight\//, rooms: ['mock'] },
];

/** Rooms of the topmost floor that join the others are files and see each other; everywhere else neighbours are strangers. */
const isTopFloor = (floor: number): boolean => floor === floors.length - 1;

/** Builtins that compute and touch nothing outside the process; the domain hashes its keys. */
const pureBuiltins = new Set(['node:crypto']);

/** Fewer modules or imports than this means that the check has lost sight of the sources, not that the house is tidy. */
export const leastSeen = { modules: 100, imports: 300 };

const roomOf = (path: string): string => {
  const [top = '', second = ''] = path.split('/');
  return top === 'src' ? second.replace(/\.ts$/, '') : top;
};

const floorOf = (room: string): number => floors.findIndex((rooms) => rooms.includes(room));

const productOf = (path: string): { readonly product: string; readonly version: number } | undefined => {
  const match = /^src\/products\/([^/]+)\/(?:v(\d+)\/)?/.exec(path);
  return match ? { product: match[1] ?? '', version: Number(match[2] ?? 0) } : undefined;
};

/** Why one product may not see another's file, or undefined when it may: a version sees itself and later ones of its product. */
const productRefusal = (from: string, to: string): string | undefined => {
  const here = productOf(from);
  const there = productOf(to);
  if (!here || !there) return here && !there ? 'a product does not import the register of products' : undefined;
  if (here.product !== there.product) return 'products are strangers to one another';
  return there.version !== 0 && there.version < here.version ? 'a version does not import an older one' : undefined;
};

const generatedRefusal = (from: string, to: string): string | undefined => {
  const target = `${to} is generated`;
  if (/^generated\/catalog\.ts$/.test(from))
    return roomOf(to) === 'domain' ? undefined : `the catalogue sees src/domain only`;
  if (roomOf(from) === 'generated') {
    if (roomOf(to) === 'generated' || (/routes\.gen\.ts$/.test(from) && roomOf(to) === 'http')) return undefined;
    return 'generated code sees itself, and routes see src/http';
  }
  const isAllowed = floorOf(roomOf(from)) >= floorOf('products') || roomOf(from) === 'client';
  return isAllowed ? undefined : `${target}; only the floors from products up, and the client, know the contract`;
};

const refusal = (from: string, to: string): string | undefined => {
  const [here, there] = [roomOf(from), roomOf(to)];
  if (here === 'generated' || there === 'generated') return generatedRefusal(from, to);
  if (!to.startsWith('src/')) return `'${to}' lies outside src/`;
  if (here === there) return here === 'products' ? productRefusal(from, to) : undefined;
  if (outbuildings.has(there)) return `nothing imports src/${there}`;
  const seen = outbuildings.get(here);
  if (seen) {
    const isSeen = seen.includes(there) || seen.includes(to.replace('src/', ''));
    return isSeen ? undefined : `src/${here} sees ${seen.join(', ') || 'generated code only'}`;
  }
  const [floor, target] = [floorOf(here), floorOf(there)];
  if (target < floor || (target === floor && isTopFloor(floor))) return undefined;
  return target === floor ? 'rooms of one floor are strangers' : 'an import only goes down';
};

const isBuiltin = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name);

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const packageRefusal = (from: string, specifier: string): string | undefined => {
  const room = roomOf(from);
  if (room === 'domain' && !pureBuiltins.has(specifier))
    return `src/domain is pure and imports nothing like '${specifier}'`;
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? undefined : `write 'node:${specifier}'`;
  const keeper = keepers.find(({ packages }) => packages.test(packageOf(specifier)));
  return keeper && !keeper.rooms.includes(room)
    ? `'${specifier}' is known only in ${keeper.rooms.join(', ')}`
    : undefined;
};

const violationsOf = (path: string, text: string): readonly Violation[] => {
  const room = roomOf(path);
  const found: Violation[] = [];
  if (floorOf(room) < 0 && !outbuildings.has(room) && room !== 'generated')
    found.push({ path, rule: 'known-room', message: `'${room}' has no floor; give it one in src/contract/floors.ts` });
  for (const specifier of importsOf(path, text)) {
    const isOwn = specifier.startsWith('.');
    const to = isOwn ? posix.join(posix.dirname(path), specifier) : specifier;
    const message = isOwn ? refusal(path, to) : packageRefusal(path, specifier);
    if (message !== undefined)
      found.push({ path, rule: isOwn ? 'floors' : 'packages', message: `imports ${to}: ${message}` });
  }
  if (room === 'domain')
    for (const message of impuritiesOf(path, text)) found.push({ path, rule: 'pure-domain', message });
  if (room !== 'generated')
    for (const message of strayShapesOf(path, text)) found.push({ path, rule: 'shapes', message });
  if (path.startsWith('src/') && room !== 'config' && readsEnvironment(path, text))
    found.push({ path, rule: 'environment', message: 'process.env is read in src/config.ts only' });
  return found;
};

/** Files that import each other in a ring, each ring once, as paths from its first file. */
const cyclesOf = (graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] => {
  const done = new Set<string>();
  const rings: (readonly string[])[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) rings.push(trail.slice(start));
    if (start >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return rings;
};

/** Every break of the house rules in these sources; types count as imports, for they are knowledge too. */
export const checkFloors = (sources: Sources): readonly Violation[] => {
  const graph = new Map(
    [...sources]
      .filter(([path]) => path.startsWith('src/'))
      .map(([path, text]) => {
        const own = importsOf(path, text).filter((specifier) => specifier.startsWith('.'));
        return [path, own.map((specifier) => posix.join(posix.dirname(path), specifier))] as const;
      }),
  );
  const rings = cyclesOf(graph).map((ring) => ({
    path: ring[0] ?? '',
    rule: 'cycles',
    message: `imports itself by way of ${ring.join(' -> ')}`,
  }));
  return [...[...sources].flatMap(([path, text]) => violationsOf(path, text)), ...rings];
};

/** The sources of this project, tests left out: they may look anywhere. */
export const readSources = (): Sources =>
  new Map(
    globSync(['src/**/*.ts', 'generated/catalog.ts', 'generated/**/routes.gen.ts'], { cwd: root })
      .toSorted()
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );

const main = (): void => {
  const sources = readSources();
  const imports = [...sources].reduce((sum, [path, text]) => sum + importsOf(path, text).length, 0);
  const found = checkFloors(sources);
  for (const { path, rule, message } of found) console.error(`${path}: [${rule}] ${message}`);
  if (sources.size < leastSeen.modules || imports < leastSeen.imports)
    console.error(
      `only ${sources.size} modules and ${imports} imports seen; at least ${leastSeen.modules} and ${leastSeen.imports} are there`,
    );
  else if (found.length === 0) return;
  process.exitCode = 1;
};

if (import.meta.main) main();
