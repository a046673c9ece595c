import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { listOf, nodeOf } from '../src/lib/openapi-document.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const readIn = (path: string): readonly string[] =>
  [...read(path).matchAll(/\(env, '([A-Z_]+)'/g)].map(([, name = '']) => name);
const ofService = new Set(readIn('src/config.ts'));
const ofTraces = new Set(readIn('src/telemetry/read-tracing.ts'));
const known = ofService.union(ofTraces);
const dockerfile = read('docs/deploy/Dockerfile');
const unit = read('docs/deploy/flightdata.service');
const services = nodeOf(nodeOf(parse(read('docs/deploy/compose.yaml'), { merge: true }))['services']);
const { bin } = nodeOf(JSON.parse(read('package.json')));
const program = String(nodeOf(bin)['flightdata']);

test('a container can be given every variable that the service reads, and no other', () => {
  const ofServices = ['flightdata', 'hub-config'].flatMap((name) =>
    Object.keys(nodeOf(nodeOf(services[name])['environment'])),
  );
  const [, ofImage = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? [];
  const names = [...ofServices, ...ofImage.split(' ').map((one) => one.split('=')[0] ?? '')];
  expect(names.filter((name) => !known.has(name) && name !== 'NODE_ENV')).toEqual([]);
  // There is no embedded database, and a rehearsal wants a store of its own.
  const settled = new Set(['DATA_DIR', 'FLIGHTDATA_TODAY']);
  expect([...known].filter((name) => !names.includes(name) && !settled.has(name))).toEqual([]);
});

test('every variable is told by the help and the README, and those of traces by the page about operating', () => {
  const lacks = (path: string, names: ReadonlySet<string>): readonly string[] =>
    [...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(read(path)));
  expect(ofService.size).toBeGreaterThan(20);
  expect(lacks('src/cli/main.ts', ofService)).toEqual([]);
  expect(lacks('README.md', ofService)).toEqual([]);
  expect(ofTraces.size).toBeGreaterThan(10);
  expect(lacks('docs/operating.md', ofTraces)).toEqual([]);
});

test('image and unit start the program that the package names, by what is copied or installed', () => {
  expect(dockerfile).toContain(`ENTRYPOINT ["node", "${program}"]\nCMD ["serve"]`);
  expect(unit).toContain(`node_modules/flightdata/${program} serve`);
  expect(listOf(nodeOf(services['hub-config'])['command']).join(' ')).toContain(`node ${program} hub server-config`);
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/flightdata\/(\S+)/gm)].map(([, path]) => path);
  const { files } = nodeOf(JSON.parse(read('package.json')));
  const shipped = listOf(files).map((one) => String(one).split('/')[0] ?? '');
  expect(shipped.filter((one) => !/^(?:!|docs$|CHANGELOG\.md$)/.test(one) && !copied.includes(one))).toEqual([]);
});

test('nothing runs as root but what writes the configuration of the broker, and nothing is reached from outside but by a proxy', () => {
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(unit).toMatch(/^User=flightdata$/m);
  expect(Object.keys(services).filter((name) => nodeOf(services[name])['user'] === 'root')).toEqual(['hub-config']);
  expect(nodeOf(services['flightdata'])['ports']).toEqual(['127.0.0.1:8080:8080']);
  expect([nodeOf(services['flightdata'])['read_only'], nodeOf(services['flightdata'])['cap_drop']]).toEqual([
    true,
    ['ALL'],
  ]);
});
