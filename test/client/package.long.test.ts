import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildClient } from '#release/build-client.ts';
import { root } from '#contract/run-tool.ts';
import { createSecret, createSignedHeaders } from '#delivery/webhook/signatures.ts';
import { buildFile, buildLeg } from '../feeds/ssim/build-file.ts';
import { insertTestEvents } from '../products/flight-info-alerts/v1/events/account-events.ts';
import { serveAlerts } from '../products/flight-info-alerts/v1/alerts-service.ts';
import { findNodes } from '../support/find-nodes.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { publishText, TEST_KEY } from '../support/tiny-world.ts';
import { startTestService } from './test-service.ts';

const run = promisify(execFile);

const codeOf = (text: string): readonly string[] =>
  [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);

const blocks = fs
  .readFileSync(join(root, 'src/client/README.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .flatMap((part) => {
    const heading = part.slice(0, part.indexOf('\n')).toLowerCase().replaceAll(' ', '-');
    return codeOf(part).map((code, index) => [`${heading}-${index + 1}`, code] as const);
  });

/** The part of the first example that creates the client; the other examples need it. */
const opening = blocks[0]?.[1].split('const flights')[0] ?? '';
const examples = blocks.map(([name, code], index) => [name, index === 0 ? code : `${opening}${code}`] as const);

/** Calls the receiver of the example as the service does, and then without a valid signature. */
const callReceiver = `
const { headers, body } = JSON.parse(process.env['POSTED'] ?? '') as { headers: Record<string, string>; body: string };
for (const text of [body, body + ' '])
  console.log((await receive(new Request('http://receiver.test', { method: 'POST', headers, body: text }))).status);
`;

const printed: Readonly<Record<string, readonly string[]>> = {
  'first-call-1': ['XX 101 2026-06-01', 'XX 101 2026-06-02', 'XX 101 2026-06-03'],
  'first-call-2': ['2 of 3', '1 of 3'],
  'first-call-3': ['GB'],
  'errors-1': ['404 not-found true'],
  'errors-2': ['From Heathrow, renamed'],
  'deprecation-warnings-1': [`{ flightInfo: 'healthy' }`],
  'events-1': ['1 FlightStatus', '2 ScheduleInstance'],
  'webhooks-1': ['Test e-1', '204', 'no-matching-signature', '401'],
  burst: ['24'],
};

/** More simultaneous calls than Node.js 20 allows listeners on one signal without a warning. */
const burst = `
const { signal } = new AbortController();
const calls = Array.from({ length: 12 }, () => [
  client.masterData.getLocation({ path: { code: 'LHR' } }),
  client.masterData.getLocation({ path: { code: 'LHR' }, signal }),
]);
console.log((await Promise.all(calls.flat())).length);
`;

const runExamples = `
for (const name of ${JSON.stringify([...examples.map(([name]) => name), 'burst'])}) {
  console.log('== ' + name);
  await import('./out/' + name + '.js');
}
`;

const sources: readonly (readonly [name: string, code: string])[] = [
  ...examples.map(([name, code]) => [`${name}.ts`, name === 'webhooks-1' ? code + callReceiver : code] as const),
  ['burst.ts', opening + burst],
  ['guide.ts', codeOf(fs.readFileSync(join(root, 'docs/how-to/typescript-client.md'), 'utf8')).join('')],
];

type Compiling = {
  readonly lib: readonly string[];
  readonly types: readonly string[];
  readonly include: readonly string[];
};

/** Compiles the sources in the folder with the types of the package, as a consumer would. Rejects when the compiler reports errors. */
const compile = (
  compiler: 'tsc' | 'tsc6',
  moduleResolution: 'nodenext' | 'bundler' | 'node10',
  { include, ...own }: Compiling,
) => {
  const module = moduleResolution === 'bundler' ? 'preserve' : 'nodenext';
  // Skips the libraries of the compiler, which take longer than the rest.
  const common = { strict: true, target: 'es2022', module, moduleResolution, skipDefaultLibCheck: true };
  const compilerOptions = { ...common, ...own, rootDir: folder, outDir: join(folder, 'out') };
  const project = write('tsconfig.json', JSON.stringify({ compilerOptions, include }));
  const tool = join(root, 'node_modules/.bin', compiler);
  return run(process.execPath, [tool, '-p', project], { cwd: folder });
};

const { folder, write } = createTemporaryFolder();
const npm = (args: readonly string[], cwd: string) =>
  run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd });

const installPackage = async (): Promise<void> => {
  const built = join(folder, 'package');
  await buildClient(built);
  await npm(['pack', '--pack-destination', folder], built);
  write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const [tarball = ''] = fs.globSync('flightdata-client-*.tgz', { cwd: folder });
  await npm(['install', '--ignore-scripts', join(folder, tarball)], folder);
  for (const [name, code] of sources) write(name, code);
  fs.mkdirSync(join(folder, 'node_modules/@types'));
  fs.symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
};
beforeAll(installPackage, 300_000);

/** Serves what the examples request; returns the variables that they read. */
const serveExamples = async (): Promise<NodeJS.ProcessEnv> => {
  const world = await serveAlerts();
  onTestFinished(world.drop);
  await publishText(world.db, buildFile(buildLeg()), { horizonDays: 10 });
  await world.refresh();
  const service = await startTestService(world.app.fetch);
  const accountId = await world.createAccount();
  const events = ['FlightStatus', 'ScheduleInstance'].map((documentType) => ({ body: { documentType } }));
  await insertTestEvents(world.db, accountId, { events, now: new Date('2026-06-01T11:00:00Z') });
  const secret = createSecret();
  const body = JSON.stringify({ messageId: 'e-1', documentType: 'Test' });
  return {
    FLIGHTDATA_URL: service.baseUrl,
    FLIGHTDATA_KEY: TEST_KEY,
    FLIGHTDATA_ACCOUNT: accountId,
    WEBHOOK_SECRETS: [createSecret(), secret].join(' '),
    POSTED: JSON.stringify({ headers: createSignedHeaders({ id: 'e-1', body }, [secret], new Date()), body }),
  };
};

test('publint reports nothing about the package', async () => {
  const { messages } = await publint({ pkgDir: join(folder, 'package'), strict: true, pack: false });
  expect(messages).toEqual([]);
});

test('the package is complete, small, and free of dependencies and Node APIs', async () => {
  const installed = join(folder, 'node_modules/flightdata-client');
  const files = fs.globSync('**/*', { cwd: installed }).filter((path) => /\.\w+$|LICENSE/.test(path));
  const texts = new Map(files.map((path) => [path, fs.readFileSync(join(installed, path), 'utf8')]));
  const described: Readonly<Record<string, unknown>> = JSON.parse(texts.get('package.json') ?? '');
  const foreign = [...texts]
    .filter(([path]) => /\.(?:js|d\.ts)$/.test(path))
    .flatMap(([, text]) => text.match(/\b(?:from|import) '[^.][^']*'/g) ?? []);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']));
  const clients = files.filter((path) => /runtime\/client\/client\.gen\.js$/.test(path));
  // One for each module format.
  expect([foreign, described['dependencies'], clients.length]).toEqual([[], undefined, 2]);
  expect([...texts.values()].join('').length).toBeLessThan(650_000);
});

/** A consumer whose wrong uses must be rejected by the compiler. */
const typedConsumer = `
  import { createFlightDataClient, type ConnectionsTypes, type FlightInfoAlertsTypes, type FlightInfoTypes } from 'flightdata-client';
  const { flightInfo, connections, schedules } = createFlightDataClient({ baseUrl: 'https://flights.example', subscriptionKey: 'k' });
  export const numbers = async (): Promise<number[]> => {
    const flightNumbers: number[] = [];
    for await (const flight of flightInfo.listFlightInstances()) flightNumbers.push(numberOf(flight));
    return flightNumbers;
  };
  const numberOf = ({ flightNumber }: FlightInfoTypes.FlightInstance): number => flightNumber;
  export const back = schedules.listSchedules().pagesBack('https://flights.example/flights');
  // @ts-expect-error: only schedules name the page before
  flightInfo.listFlightInstances().pagesBack('https://flights.example/flight-instances');
  // @ts-expect-error: there is no such parameter
  flightInfo.listFlightInstances({ query: { DepartureDate: '2026-06-01' } });
  export const newState: FlightInfoTypes.StatusDetails['state'] = 'Boarding';
  export const newType: ConnectionsTypes.Connection['ConnectionType'] = 'x';
  export const findStatusKey = (event: FlightInfoAlertsTypes.Event): string | undefined =>
    event.documentType === 'FlightStatus' && event.state !== 'Boarding' ? event.statusKey : undefined;
  // @ts-expect-error: only responses can have new values
  flightInfo.listFlightInstances({ query: { FlightType: ['Boarding'] } });
  // @ts-expect-error: also of an enumeration that requests and responses share
  connections.listConnections({ query: { DepartureAirport: ['LHR'], ConnectionType: ['x'] } });
  // @ts-expect-error: parameters are needed
  connections.explainConnection();
  // @ts-expect-error: a flight is not text
  export const text: string = await flightInfo.getFlightInstance({ path: { departureDate: '', scheduleInstanceKey: '' } });
`;

test.each([
  ['tsc6', 'bundler'],
  ['tsc', 'nodenext'],
] as const)(
  'the examples of the README type-check with %s and %s resolution, without the types of Node',
  async (compiler, resolution) => {
    fs.mkdirSync(join(folder, 'web'), { recursive: true });
    write('web/consumer.ts', typedConsumer);
    write('web/process.d.ts', 'declare const process: { env: Record<string, string | undefined> };');
    const web = { lib: ['es2022', 'dom', 'dom.asynciterable'], types: [], include: ['*.ts', 'web'] };
    expect((await compile(compiler, resolution, web)).stdout).toBe('');
  },
);

/** A CommonJS program; the service responds with an error. */
const commonJsConsumer = `
  import { createFlightDataClient, FlightDataProblem, type FlightInfoTypes } from 'flightdata-client';
  const fetch = async () => Response.json({ type: '/docs/errors#not-found', status: 404 }, { status: 404 });
  const { flightInfo } = createFlightDataClient({ baseUrl: 'https://flights.example', subscriptionKey: 'k', fetch });
  const find = async (): Promise<FlightInfoTypes.FlightInstance> =>
    flightInfo.getFlightInstance({ path: { departureDate: '2026-06-01', scheduleInstanceKey: 'f0' } });
  find().catch((error: unknown) => console.log(error instanceof FlightDataProblem && error.kind));
`;

test.each([
  ['tsc', 'nodenext', {}],
  // The defaults of older compilers, which do not read 'exports'.
  ['tsc6', 'node10', { module: 'commonjs', ignoreDeprecations: '6.0' }],
] as const)(
  'a CommonJS program compiles with %s and %s resolution, and runs',
  async (compiler, resolution, options) => {
    write('consumer.cts', commonJsConsumer);
    const common = { lib: ['es2022', 'dom'], types: [], include: ['*.cts'] };
    await compile(compiler, resolution, { ...common, ...options });
    for (const node of (await findNodes()).values())
      expect((await run(node, ['out/consumer.cjs'], { cwd: folder })).stdout).toBe('not-found\n');
  },
);

test('the examples of the README print the documented output on each available Node version', async () => {
  await compile('tsc', 'nodenext', { lib: ['es2022'], types: ['node'], include: ['*.ts'] });
  const env = await serveExamples();
  const executables = await findNodes();
  for (const [version, node] of executables) {
    const { stdout, stderr } = await run(node, ['--input-type=module', '-e', runExamples], { cwd: folder, env });
    const expected = Object.entries(printed).map(([name, lines]) => `== ${[name, ...lines].join('\n')}\n`);
    expect([version, stderr, stdout]).toEqual([version, '', expected.join('')]);
  }
  if (executables.size === 1)
    console.warn(`no other Node is on the path: run on ${[...executables.keys()].join()} only`);
});
