import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderSbom } from '../src/contract/build-sbom.ts';
import { toList, toJsonObject } from '../src/lib/openapi-document.ts';

const readText = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const manifest = toJsonObject(JSON.parse(readText('package.json')));
const lock = readText('package-lock.json');
const groups = ['dependencies', 'devDependencies', 'optionalDependencies'];
const direct = groups.flatMap((group) => Object.entries(toJsonObject(manifest[group])));

/** The required production packages, by folder. */
const required = Object.entries(toJsonObject(toJsonObject(JSON.parse(lock))['packages']))
  .map(([folder, one]) => [folder, toJsonObject(one)] as const)
  .filter(([folder, one]) => folder !== '' && !['dev', 'optional', 'devOptional'].some((mark) => one[mark] === true));

/** Licences that only require attribution. */
const licences = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense'];

test('depends on few packages, all under permissive licences', () => {
  const disallowed = required.filter(([, { license }]) => !licences.includes(String(license)));
  expect(disallowed.map(([folder, { license }]) => `${folder}: ${String(license)}`)).toEqual([]);
  expect(required.length).toBeGreaterThan(20);
  expect(required.length).toBeLessThan(65);
});

test('the SBOM lists every package with version, licence, checksum and dependencies', () => {
  const { bomFormat, serialNumber, metadata, components, dependencies } = toJsonObject(JSON.parse(renderSbom()));
  const { name, version } = toJsonObject(toJsonObject(metadata)['component']);
  expect([bomFormat, name, version]).toEqual(['CycloneDX', 'flightdata', manifest['version']]);
  expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  const listed = toList(components).map(toJsonObject);
  const actual = listed.map((one) => {
    const { id } = toJsonObject(toJsonObject(toList(one['licenses'])[0])['license']);
    const { alg, content } = toJsonObject(toList(one['hashes'])[0]);
    const sum = Buffer.from(String(content), 'hex').toString('base64');
    return [one['scope'], one['name'], one['version'], id, `${String(alg).replace('SHA-', 'sha')}-${sum}`].join(' ');
  });
  const expected = Object.entries(toJsonObject(toJsonObject(JSON.parse(lock))['packages'])).flatMap(
    ([folder, value]) => {
      const one = toJsonObject(value);
      if (folder === '' || one['dev'] === true || one['devOptional'] === true) return [];
      const bare = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const scope = one['optional'] === true ? 'optional' : 'required';
      return [[scope, bare, one['version'], one['license'], one['integrity']].join(' ')];
    },
  );
  expect(actual.toSorted()).toEqual([...new Set(expected)].toSorted());
  // Every package is a dependency of another or of the service, and every dependency is listed.
  const needed = toList(dependencies).flatMap((one) => toList(toJsonObject(one)['dependsOn']).map(String));
  expect(new Set(needed)).toEqual(new Set(listed.map((one) => String(one['bom-ref']))));
});

test('no package runs an install script', () => {
  expect(required.filter(([, one]) => one['hasInstallScript'] === true).map(([folder]) => folder)).toEqual([]);
});

test('every package has a pinned version, and the lock file names no registry', () => {
  const unpinned = direct.filter(([, version]) => !/^(?:npm:@?[\w/.-]+@)?\d+\.\d+\.\d+[\w.-]*$/.test(String(version)));
  expect(unpinned).toEqual([]);
  expect(lock).not.toContain('"resolved"');
});

test('every direct dependency has its reason in the decisions', () => {
  const reasons = readText('docs/decisions/0005-dependencies.md');
  const named = [...reasons.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const isNamed = (name: string): boolean =>
    named.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
  expect(direct.map(([name]) => name).filter((name) => !isNamed(name))).toEqual([]);
});
