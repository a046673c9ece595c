import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { root } from '#contract/run-tool.ts';
import {
  isOptional,
  listRuntimePackages,
  NESTED,
  readLockedPackages,
  toReference,
  type LockedPackage,
} from '#contract/runtime-packages.ts';

const toPurl = ({ name, version }: LockedPackage): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Converts `sha512-<base64>` to the hashes of CycloneDX. */
const toHashes = (integrity: unknown) =>
  String(integrity)
    .split(' ')
    .map((one) => /^sha(\d+)-(.+)$/.exec(one))
    .flatMap((match) =>
      match ? [{ alg: `SHA-${match[1]}`, content: Buffer.from(match[2] ?? '', 'base64').toString('hex') }] : [],
    );

/** Resolves a dependency by name from a folder, as Node does: the nearest node_modules wins. */
const resolveDependency = (packages: JsonObject, folder: string, name: string): string | undefined => {
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

const listDependencies = (
  packages: JsonObject,
  folder: string,
  locked: readonly LockedPackage[],
): readonly string[] => {
  const { dependencies, optionalDependencies } = toJsonObject(packages[folder]);
  const known = new Set(locked.map(toReference));
  return Object.keys({ ...toJsonObject(dependencies), ...toJsonObject(optionalDependencies) })
    .flatMap((name) => {
      const path = resolveDependency(packages, folder, name);
      const entry = path === undefined ? undefined : toJsonObject(packages[path]);
      return entry ? [`${name}@${String(entry['version'])}`] : [];
    })
    .filter((ref) => known.has(ref))
    .toSorted();
};

const toComponent = (one: LockedPackage) => ({
  type: 'library',
  'bom-ref': toReference(one),
  name: one.name,
  version: one.version,
  scope: isOptional(one) ? 'optional' : 'required',
  purl: toPurl(one),
  hashes: toHashes(one.entry['integrity']),
  licenses: [{ license: { id: String(one.entry['license']) } }],
});

/** Derives a UUID (version 8) from a text. */
const deriveUuid = (text: string): string => {
  const digits = hash('sha256', text);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
};

/**
 * Renders the packages of the service as a CycloneDX 1.5 document: version, licence, checksum and dependencies of each. The lock file is
 * the only input. `npm sbom --omit dev` (npm 11.19) lists 60 of the 68 packages: it omits those that development tools need too, zod and
 * yaml among them. It also writes the time and a random number, so that two builds of a commit would differ.
 */
export const renderSbom = (): string => {
  const packages = readLockedPackages(root);
  const { license, version } = toJsonObject(packages['']);
  const locked = listRuntimePackages(packages);
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
    components: locked.map(toComponent),
    dependencies: [
      { ref, dependsOn: listDependencies(packages, '', locked) },
      ...locked.map((one) => ({ ref: toReference(one), dependsOn: listDependencies(packages, one.folder, locked) })),
    ],
  };
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
  };
  const serialNumber = `urn:uuid:${deriveUuid(JSON.stringify(content))}`;
  return `${JSON.stringify({ ...head, serialNumber, version: 1, ...content }, null, 2)}\n`;
};

if (import.meta.main) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist/sbom.cdx.json'), renderSbom());
}
