import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonObject, type JsonObject } from '../lib/openapi-document.ts';
import { root } from './run-tool.ts';

const NESTED = 'node_modules/';

/** A package of the lock file: where it is put, and what is written of it. */
type Locked = { readonly folder: string; readonly name: string; readonly version: string; readonly facts: JsonObject };

const refOf = ({ name, version }: Locked): string => `${name}@${version}`;

const purlOf = ({ name, version }: Locked): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** `sha512-<base64>` as CycloneDX has it. */
const hashesOf = (integrity: unknown) =>
  String(integrity)
    .split(' ')
    .map((one) => /^sha(\d+)-(.+)$/.exec(one))
    .flatMap((match) =>
      match ? [{ alg: `SHA-${match[1]}`, content: Buffer.from(match[2] ?? '', 'base64').toString('hex') }] : [],
    );

/** The packages that are installed with a service, optional ones of every machine among them; one that is there twice is told once. */
const lockedPackages = (packages: JsonObject): readonly Locked[] => {
  const locked = Object.entries(packages)
    .map(([folder, value]) => {
      const facts = toJsonObject(value);
      const bare = folder.slice(folder.lastIndexOf(NESTED) + NESTED.length);
      return { folder, name: bare, version: String(facts['version']), facts };
    })
    .filter(({ folder, facts }) => folder !== '' && facts['dev'] !== true && facts['devOptional'] !== true);
  return [...new Map(locked.map((one) => [refOf(one), one])).values()].toSorted((one, other) =>
    refOf(one) < refOf(other) ? -1 : 1,
  );
};

/** What a package in a folder finds by a name: the one nearest to it, as Node does. */
const findFrom = (packages: JsonObject, folder: string, name: string): string | undefined => {
  // `node_modules/a/node_modules/b` looks in its own folder, in that of a, and in the first.
  const parts = folder.split(NESTED);
  return parts
    .map(
      (_, depth) =>
        `${parts
          .slice(0, parts.length - depth)
          .join(NESTED)
          .replace(/([^/])$/, '$1/')}${NESTED}${name}`,
    )
    .find((path) => path in packages);
};

const dependenciesOf = (packages: JsonObject, folder: string, locked: readonly Locked[]): readonly string[] => {
  const { dependencies, optionalDependencies } = toJsonObject(packages[folder]);
  const known = new Set(locked.map(refOf));
  return Object.keys({ ...toJsonObject(dependencies), ...toJsonObject(optionalDependencies) })
    .flatMap((name) => {
      const path = findFrom(packages, folder, name);
      const facts = path === undefined ? undefined : toJsonObject(packages[path]);
      return facts ? [`${name}@${String(facts['version'])}`] : [];
    })
    .filter((ref) => known.has(ref))
    .toSorted();
};

const componentOf = (one: Locked) => ({
  type: 'library',
  'bom-ref': refOf(one),
  name: one.name,
  version: one.version,
  scope: one.facts['optional'] === true ? 'optional' : 'required',
  purl: purlOf(one),
  hashes: hashesOf(one.facts['integrity']),
  licenses: [{ license: { id: String(one.facts['license']) } }],
});

/** A UUID (version 8) that is the same for the same text. */
const uuidOf = (text: string): string => {
  const digits = hash('sha256', text);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
};

/**
 * The packages that a service runs on, as a CycloneDX 1.5 document, JSON: each with version, licence, the sum by which it is installed, and
 * what it needs. Made from the lock file alone, and the same for the same lock. `npm sbom --omit dev` (npm 11.19) would do, but leaves out
 * what tools of development need as well: six packages, zod and yaml among them.
 */
export const sbomText = (): string => {
  const lock = toJsonObject(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const packages = toJsonObject(lock['packages']);
  const { license, version } = toJsonObject(packages['']);
  const locked = lockedPackages(packages);
  const ref = `flightdata@${String(version)}`;
  const content = {
    metadata: {
      lifecycles: [{ phase: 'pre-build' }],
      component: {
        type: 'application',
        'bom-ref': ref,
        name: 'flightdata',
        version,
        purl: `pkg:npm/${ref}`,
        licenses: [{ license: { id: license } }],
      },
    },
    components: locked.map(componentOf),
    dependencies: [
      { ref, dependsOn: dependenciesOf(packages, '', locked) },
      ...locked.map((one) => ({ ref: refOf(one), dependsOn: dependenciesOf(packages, one.folder, locked) })),
    ],
  };
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`;
  return `${JSON.stringify({ ...head, serialNumber, version: 1, ...content }, null, 2)}\n`;
};

if (import.meta.main) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist/sbom.cdx.json'), sbomText());
}
