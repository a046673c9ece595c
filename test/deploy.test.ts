import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { serviceVariables } from '#config.ts';
import { renderVariablesHelp, type VariableDescription } from '#lib/environment-variable.ts';
import { toList, toJsonObject } from '#lib/openapi-document.ts';
import { tracingVariables } from '#telemetry/tracing-options.ts';

const readText = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const known = new Set([...serviceVariables, ...tracingVariables].map(({ name }) => name));
const dockerfile = readText('docs/deploy/Dockerfile');
const unit = readText('docs/deploy/flightdata.service');
const services = toJsonObject(toJsonObject(parse(readText('docs/deploy/compose.yaml'), { merge: true }))['services']);
const { bin } = toJsonObject(JSON.parse(readText('package.json')));
const program = String(toJsonObject(bin)['flightdata']);

test('the container files set only variables of the service and can set all of them', () => {
  const ofServices = ['flightdata', 'hub-config'].flatMap((name) =>
    Object.keys(toJsonObject(toJsonObject(services[name])['environment'])),
  );
  const [, ofImage = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? [];
  const names = [...ofServices, ...ofImage.split(' ').map((one) => one.split('=')[0] ?? '')];
  expect(names.filter((name) => !known.has(name) && name !== 'NODE_ENV')).toEqual([]);
  // No embedded database, no clock override, one protocol only, the key is a variable, and mcp runs beside its model.
  const omitted = new Set([
    'DATA_DIR',
    'FLIGHTDATA_TODAY',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
    'SECRETS_KEY_FILE',
    'SUBSCRIPTION_KEY',
  ]);
  expect([...known].filter((name) => !names.includes(name) && !omitted.has(name))).toEqual([]);
});

test('the help lists every variable of the service, and the reference page those of tracing as well', () => {
  const findMissing = (text: string, variables: readonly VariableDescription[]): readonly string[] =>
    variables.flatMap(({ name }) => (new RegExp(`\\b${name}\\b`).test(text) ? [] : [name]));
  expect(serviceVariables.length).toBeGreaterThan(20);
  expect(findMissing(renderVariablesHelp(serviceVariables), serviceVariables)).toEqual([]);
  expect(tracingVariables.length).toBeGreaterThan(10);
  expect(findMissing(readText('docs/reference/configuration.md'), [...serviceVariables, ...tracingVariables])).toEqual(
    [],
  );
});

test('image and unit start the program of the package from what is copied or installed', () => {
  expect(dockerfile).toContain(`ENTRYPOINT ["node", "${program}"]\nCMD ["serve"]`);
  expect(unit).toContain(`node_modules/flightdata/${program} serve`);
  expect(toList(toJsonObject(services['hub-config'])['command']).join(' ')).toContain(
    `node ${program} hub server-config`,
  );
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/flightdata\/(\S+)/gm)].map(([, path]) => path);
  const { files } = toJsonObject(JSON.parse(readText('package.json')));
  const shipped = toList(files).map((one) => String(one).split('/')[0] ?? '');
  expect(shipped.filter((one) => !/^(?:!|docs$|CHANGELOG\.md$)/.test(one) && !copied.includes(one))).toEqual([]);
});

test('only the container that writes the broker configuration runs as root, and ports are bound to loopback', () => {
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(unit).toMatch(/^User=flightdata$/m);
  expect(Object.keys(services).filter((name) => toJsonObject(services[name])['user'] === 'root')).toEqual([
    'hub-config',
  ]);
  expect(toJsonObject(services['flightdata'])['ports']).toEqual(['127.0.0.1:8080:8080']);
  expect([toJsonObject(services['flightdata'])['read_only'], toJsonObject(services['flightdata'])['cap_drop']]).toEqual(
    [true, ['ALL']],
  );
});

test('alerts and dashboard of the cluster use metrics that exist', () => {
  const documented = new Set(readText('docs/reference/metrics.md').match(/(?:flightdata|process|nodejs)_\w+/g));
  const used = ['alerts.yaml', 'grafana-dashboard.json'].flatMap(
    (file) => readText(`docs/deploy/cluster/${file}`).match(/\b(?:flightdata|process|nodejs)_[a-z_]+/g) ?? [],
  );
  expect(used.length).toBeGreaterThan(20);
  expect([...new Set(used)].filter((name) => !documented.has(name.replace(/_bucket$/, '')))).toEqual([]);
});

test('the servers of the cluster set only variables of the service', () => {
  const cluster = toJsonObject(
    toJsonObject(parse(readText('docs/deploy/cluster/compose.yaml'), { merge: true }))['services'],
  );
  const names = ['server1', 'server2', 'hub-config'].flatMap((name) =>
    Object.keys(toJsonObject(toJsonObject(cluster[name])['environment'])),
  );
  expect(names).toContain('NATS_URL');
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});
