import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Packages of the comparable servers with versions; not dependencies of the project. */
const packages = {
  fastify: '5.12.8',
  '@fastify/etag': '6.2.0',
  '@fastify/rate-limit': '11.2.0',
  'lru-cache': '11.5.3',
  pg: '8.23.1',
  pino: '10.4.0',
  postgraphile: '5.1.5',
} as const;

const folder = fileURLToPath(new URL('../../../build/bench-peers/', import.meta.url));

const load = createRequire(`${folder}package.json`);

/** Imports a module of a package installed for the comparison. */
export const peerModule = (name: string): unknown => load(name);

const areThere = (): boolean =>
  Object.entries(packages).every(([name, version]) => {
    try {
      const { version: found } = load(`./node_modules/${name}/package.json`) as { readonly version: string };
      return found === version;
    } catch {
      return false;
    }
  });

/** Installs the packages into build/bench-peers; false where that is not possible, e.g. without a network. */
export const installPeers = (): boolean => {
  if (areThere()) return true;
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  process.stderr.write(`installing ${wanted.join(', ')} into build/bench-peers for the comparison\n`);
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...wanted], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 180_000,
    });
    return areThere();
  } catch (error) {
    process.stderr.write(`peers are left out: they could not be installed (${String(error)})\n`);
    return false;
  }
};
