import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { listOf, nodeOf } from '../src/domain/openapi-document.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const known = new Set([...read('src/config.ts').matchAll(/\(env, '([A-Z_]+)'/g)].map(([, name = '']) => name));
const dockerfile = read('docs/deploy/Dockerfile');
const unit = read('docs/deploy/flightdata.service');
const services = nodeOf(nodeOf(parse(read('docs/deploy/compose.yaml'), { merge: true }))['services']);
const { bin } = nodeOf(JSON.parse(read('package.json')));
const program = String(nodeOf(bin)['flightdata']);

test('every variable that a container is given is one that the service reads', () => {
  const ofServices = ['flightdata', 'hub-config'].flatMap((name) =>
    Object.keys(nodeOf(nodeOf(services[name])['environment'])),
  );
  const [, ofImage = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? [];
  const names = [...ofServices, ...ofImage.split(' ').map((one) => one.split('=')[0] ?? '')];
  expect(names.filter((name) => !known.has(name) && name !== 'NODE_ENV')).toEqual([]);
  expect(names.length).toBeGreaterThan(6);
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
