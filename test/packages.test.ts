import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sbomText } from '../src/contract/build-sbom.ts';
import { listOf, nodeOf } from '../src/lib/openapi-document.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const manifest = nodeOf(JSON.parse(read('package.json')));
const lock = read('package-lock.json');
const groups = ['dependencies', 'devDependencies', 'optionalDependencies'];
const direct = groups.flatMap((group) => Object.entries(nodeOf(manifest[group])));

/** What a service is installed with that needs nothing optional, by folder. */
const required = Object.entries(nodeOf(nodeOf(JSON.parse(lock))['packages']))
  .map(([folder, one]) => [folder, nodeOf(one)] as const)
  .filter(([folder, one]) => folder !== '' && !['dev', 'optional', 'devOptional'].some((mark) => one[mark] === true));

/** Licences that ask for no more than to be named. */
const licences = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense'];

test('a service stands on few packages, all under licences that anyone can keep to', () => {
  const others = required.filter(([, { license }]) => !licences.includes(String(license)));
  expect(others.map(([folder, { license }]) => `${folder}: ${String(license)}`)).toEqual([]);
  expect(required.length).toBeGreaterThan(20);
  expect(required.length).toBeLessThan(60);
});

test('whoever has to list what runs gets a list of every package, with version, licence, sum and what it needs', () => {
  const { bomFormat, serialNumber, metadata, components, dependencies } = nodeOf(JSON.parse(sbomText()));
  const { name, version } = nodeOf(nodeOf(metadata)['component']);
  expect([bomFormat, name, version]).toEqual(['CycloneDX', 'flightdata', manifest['version']]);
  expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  const listed = listOf(components).map(nodeOf);
  const told = listed.map((one) => {
    const { id } = nodeOf(nodeOf(listOf(one['licenses'])[0])['license']);
    const { alg, content } = nodeOf(listOf(one['hashes'])[0]);
    const sum = Buffer.from(String(content), 'hex').toString('base64');
    return [one['scope'], one['name'], one['version'], id, `${String(alg).replace('SHA-', 'sha')}-${sum}`].join(' ');
  });
  const wanted = Object.entries(nodeOf(nodeOf(JSON.parse(lock))['packages'])).flatMap(([folder, value]) => {
    const one = nodeOf(value);
    if (folder === '' || one['dev'] === true || one['devOptional'] === true) return [];
    const bare = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const scope = one['optional'] === true ? 'optional' : 'required';
    return [[scope, bare, one['version'], one['license'], one['integrity']].join(' ')];
  });
  expect(told.toSorted()).toEqual([...new Set(wanted)].toSorted());
  // Each but the service itself is needed by something, and what is needed is in the list.
  const needed = listOf(dependencies).flatMap((one) => listOf(nodeOf(one)['dependsOn']).map(String));
  expect(new Set(needed)).toEqual(new Set(listed.map((one) => String(one['bom-ref']))));
});

test('no package of a service runs anything when it is installed', () => {
  expect(required.filter(([, one]) => one['hasInstallScript'] === true).map(([folder]) => folder)).toEqual([]);
});

test('every package has one version, and the lock names no host that it would come from', () => {
  const loose = direct.filter(([, version]) => !/^(?:npm:@?[\w/.-]+@)?\d+\.\d+\.\d+[\w.-]*$/.test(String(version)));
  expect(loose).toEqual([]);
  expect(lock).not.toContain('"resolved"');
});

test('every package that is asked for has its reason in the decisions', () => {
  const reasons = read('docs/decisions/0005-dependencies.md');
  const named = [...reasons.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const isNamed = (name: string): boolean =>
    named.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
  expect(direct.map(([name]) => name).filter((name) => !isNamed(name))).toEqual([]);
});
