import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderSbom } from '#release/build-sbom.ts';
import { toRepositoryUrl } from '../src/contract/package-table.ts';
import { root } from '../src/contract/run-tool.ts';
import { isOptional, listRuntimePackages, readLockedPackages, toReference } from '../src/contract/runtime-packages.ts';
import { renderThirdPartyLicences } from '#release/third-party-licences.ts';
import { toList, toJsonObject } from '#lib/openapi-document.ts';

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

test('every package in the lock file has a SHA-512 hash', () => {
  const unhashed = Object.entries(toJsonObject(toJsonObject(JSON.parse(lock))['packages'])).filter(
    ([folder, one]) => folder !== '' && !/^sha512-[\w+/]{86}==$/.test(String(toJsonObject(one)['integrity'])),
  );
  expect(unhashed).toEqual([]);
});

test('the file of licences names each runtime package, and has the text of each that is always installed', () => {
  const text = renderThirdPartyLicences(root);
  const [list = '', ...texts] = text.split(`${'='.repeat(80)}\n`);
  const runtime = listRuntimePackages(readLockedPackages(root));
  expect(runtime.filter((one) => !list.includes(`\n${toReference(one)}  ${String(one.entry['license'])}`))).toEqual([]);
  const withText = new Set(texts.flatMap((one) => (one.split('\n\n')[0] ?? '').split('\n')));
  const withoutText = runtime.filter((one) => !isOptional(one) && !withText.has(toReference(one)));
  // These packages have no licence file; they declare the licence in package.json.
  expect(withoutText.map(({ name }) => name)).toEqual([
    '@hono/zod-openapi',
    '@hono/zod-validator',
    'postgres',
    'saxes',
  ]);
  expect(list.match(/^.*the package contains no licence text.*$/gm)).toHaveLength(withoutText.length);
  expect(['@hey-api/openapi-ts@', '@redocly/cli@', 'minisearch@'].filter((one) => !list.includes(`\n${one}`))).toEqual(
    [],
  );
});

test.each([
  ['owner/name'],
  ['github:owner/name'],
  ['https://github.com/owner/name.git'],
  [{ url: 'git+https://github.com/owner/name.git' }],
  [{ url: 'git@github.com:owner/name.git' }],
  [{ url: 'git+ssh://git@github.com/owner/name.git' }],
])('reads the repository %j of a package', (repository) => {
  expect(toRepositoryUrl(repository)).toBe('https://github.com/owner/name');
});

test.each([[undefined], ['https://example.com/owner/name'], [{ directory: 'a' }]])(
  'rejects the repository %j',
  (one) => {
    expect(() => toRepositoryUrl(one)).toThrow('this is no repository on GitHub');
  },
);

test('every installation of the project ignores install scripts', () => {
  const files = ['Makefile', '.ci/run', 'docs/deploy/Dockerfile', 'CONTRIBUTING.md', 'README.md', 'src/mock/README.md'];
  const pages = globSync('docs/how-to/operate/*.md', { cwd: root });
  const commands = [...files, ...pages].flatMap((path) =>
    [...readText(path).matchAll(/^(?! *#).*\bnpm (?:ci|install|prune|"\$\$@").*$/gm)].map(
      ([line]) => `${path}: ${line.trim()}`,
    ),
  );
  expect(commands.filter((line) => !line.includes('--ignore-scripts'))).toEqual([]);
  expect(commands.map((line) => line.split(':')[0])).toEqual(
    expect.arrayContaining(['Makefile', 'docs/deploy/Dockerfile', 'docs/how-to/operate/install.md']),
  );
});
