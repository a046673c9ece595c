import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { ConnectionPage } from '#generated/connections/v1/types.gen.ts';
import type { EventPage } from '#generated/flight-info-alerts/v1/types.gen.ts';
import type { FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import type { LocationPage } from '#generated/master-data/v1/types.gen.ts';
import type { SchedulePage } from '#generated/schedules/v1/types.gen.ts';
import { addDays, toUtcDate, formatDate } from '#domain/time/dates.ts';
import { buildExamples } from '#demo/world/example-queries.ts';
import { createEnvironment, runCommand, startCommand, startMock, waitForOutput } from '../cli/run-command.ts';
import { startServerProcess } from '../faults/support/server-process.ts';
import { buildFile, buildLeg } from '../feeds/ssim/build-file.ts';
import { buildFlightInfoQueries } from '../support/demo-queries.ts';
import { freePort } from '../support/free-port.ts';
import { createScratchFolder } from '../support/scratch-folder.ts';
import { findMismatches } from './example-mismatches.ts';
import { guides, pages } from './guide.ts';
import { hasExpectedStatus, runExamples } from './run-examples.ts';
import { readRecordedSteps, recipeFiles, recordSteps, runRecipe } from './run-recipe.ts';

// One server for all tests of this file, in their order: the demo world takes 25 s of processor time until its status is complete.
const dataDir = await createScratchFolder();
const receiverPort = await freePort();
const webhooks = { WEBHOOK_ALLOW: `http://127.0.0.1:${receiverPort}` };
const env = { DATA_DIR: dataDir, PORT: '0', HORIZON_DAYS: '20', ...webhooks };
const postmaster = join(dataDir, 'postgresql', 'postmaster.pid');

// A first start whose npm is killed before it listens: server and PostgreSQL end, or the next server would find another one there.
const npm = spawn('npm', ['run', '-s', 'flightdata', '--', 'serve', '--demo'], {
  env: createEnvironment(env),
  stdio: 'ignore',
});
await vi.waitUntil(() => existsSync(postmaster), { timeout: 60_000 });
npm.kill('SIGKILL');
await vi.waitUntil(() => !existsSync(postmaster), { timeout: 60_000 });

const [server, mock] = [startCommand(['serve', '--demo'], env), startMock(['--port', '0'])];
afterAll(async () => {
  for (const child of [server, mock]) {
    const closed = child.exitCode === null && once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  }
  await rm(dataDir, { recursive: true, force: true });
});
const listening = /listening on (http:\/\/127\.0\.0\.1:\d+)/;
const [[, accountId = ''], [, base = ''], [, mockBase = '']] = await Promise.all([
  waitForOutput(server, /'accountId: (\S+)'.*flight-info-alerts/),
  waitForOutput(server, listening),
  waitForOutput(mock, listening),
]);
const headers = { 'Subscription-Key': 'demo-key' };
const today = toUtcDate(new Date());

const get = async <Body>(path: string, more: Readonly<Record<string, string>> = {}): Promise<Body> => {
  const response = await fetch(new URL(path, base), { headers: { ...headers, ...more } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
};

test('an empty folder becomes a demo world in which every example query has results', async () => {
  expect(await get('/flights/health')).toEqual({ flightInfo: 'healthy' });
  expect(await get('/flight-connections/health')).toEqual({ connections: 'healthy' });
  expect((await fetch(`${base}/flight-instances?DepartureDateTime=2026-01-01`)).status).toBe(401);
  const empty: string[] = [];
  for (const { description, query } of buildFlightInfoQueries(today))
    if ((await get<FlightInstancePage>(`/flight-instances?${query}`)).data.length === 0) empty.push(description);
  expect(empty).toEqual([]);
  const { data: schedules } = await get<SchedulePage>(`/flights?${buildExamples(today).schedules.query}`);
  expect(new Set(schedules.map(({ flightNumber }) => flightNumber))).toEqual(new Set([101]));
  const connections = await get<ConnectionPage>(`/flight-connections?${buildExamples(today).connections.query}`);
  expect(connections.data.length).toBeGreaterThan(5);
  const glasgow = `DepartureAirport=GLA&ArrivalAirport=JFK&DepartureDate=${formatDate(addDays(today, 1))}`;
  const documented = await get<ConnectionPage>(`/flight-connections?${glasgow}&version=v1`);
  expect(documented.data.length).toBeGreaterThan(0);
  const { data: locations } = await get<LocationPage>(`/locations?${buildExamples(today).locations.query}`);
  expect(locations.map(({ code }) => code.iata)).toEqual(expect.arrayContaining(['LON', 'LHR', 'LGW']));
});

test('the demo world catches up on two days, with events and status of every kind', { timeout: 300_000 }, async () => {
  // The printed example streams the events of the demo account; this test reads them as a page.
  const readPositions = async (): Promise<readonly number[]> => {
    const path = '/flight-info-alerts/events?version=v1&After=0&Wait=30';
    const { data } = await get<EventPage>(path, { accountId });
    expect(data.map(({ position }) => position)).toEqual(data.map((_, index) => index + 1));
    return data.map(({ position }) => position);
  };
  await expect.poll(readPositions, { timeout: 300_000, interval: 100 }).toContain(1);

  const readKinds = async (): Promise<ReadonlySet<string>> => {
    const days = `${formatDate(addDays(today, -1))}/${formatDate(today)}`;
    const kinds = new Set<string>();
    let url: string | undefined = `/flight-instances?DepartureDateTime=${days}&Content=Status,Map&Limit=1000`;
    while (url !== undefined) {
      const page: FlightInstancePage = await get(url);
      for (const { flightType, map, originalFlight, statusDetails = [] } of page.data)
        for (const { state, diversionAirport, irregularOperationType } of statusDetails) {
          kinds.add(`${flightType} ${state}`);
          if (diversionAirport) kinds.add('diverted');
          if (originalFlight !== undefined && irregularOperationType === 'Recovery') kinds.add('recovery');
          if (map !== undefined) kinds.add('map');
        }
      url = page.paging.next;
    }
    return kinds;
  };
  const states = ['Scheduled inAir', 'Scheduled InGate', 'Scheduled Canceled', 'GA inAir'];
  const expectedKinds = [...states, 'diverted', 'recovery', 'map'];
  const listMissingKinds = async (): Promise<readonly string[]> => {
    const kinds = await readKinds();
    return expectedKinds.filter((kind) => !kinds.has(kind));
  };
  await expect.poll(listMissingKinds, { timeout: 300_000, interval: 2000 }).toEqual([]);

  // At night, the first flights of the day are more than two hours away, and reported after the boards of a new server.
  const countFirstStatuses = async (): Promise<readonly (number | undefined)[]> => {
    const query = `DepartureDateTime=${formatDate(today)}&DepartureAirport=LHR&Content=Status&Limit=3`;
    const { data } = await get<FlightInstancePage>(`/flight-instances?version=v2&${query}`);
    return data.map(({ statusDetails }) => statusDetails?.length);
  };
  await expect.poll(countFirstStatuses, { timeout: 300_000, interval: 500 }).toEqual([1, 1, 1]);
});

const withExamples = [...pages.filter(({ name }) => name === 'README.md'), ...guides].filter(
  ({ examples }) => examples.length > 0,
);
test.each(withExamples)('the examples of $name run unchanged and return what is shown', async (guide) => {
  const cwd = join(dataDir, 'examples');
  await mkdir(cwd, { recursive: true });
  const replacements = {
    'http://localhost:8080': base,
    'http://localhost:4010': mockBase,
    '127.0.0.1:9000': `127.0.0.1:${receiverPort}`,
    'listen(9000,': `listen(${receiverPort},`,
  };
  const runs = await runExamples(guide, { cwd, replacements });
  const failed = runs.filter((one) => !hasExpectedStatus(one));
  expect(failed.map(({ example, statuses }) => [example.script, statuses])).toEqual([]);
  for (const { example, printed } of runs.filter((one) => one.example.shown !== undefined))
    expect(findMismatches(example.shown, JSON.parse(printed.slice(printed.indexOf('{'))))).toEqual([]);
});

type Flight = FlightInstancePage['data'][number];

const hasMap = ({ map }: Flight): boolean => map !== undefined;

/** Whether the flight arrives so late that it is still in the air when the demo world has caught up with the clock. */
const arrivesLater = ({ arrival: { date, time } }: Flight): boolean =>
  Date.parse(`${date.utc}T${time.utc}Z`) > Date.now() + 3_600_000;

/** Returns the inputs of the recipe for a flight: its carrier, number and date. */
const toInputs = ({ carrier, flightNumber, departure }: Flight) => ({
  carrier: carrier.iata ?? '',
  flightNumber,
  date: departure.date.local,
});

/** Whether the first flight with the number of the flight has a map: other legs of it can come before. */
const isFirstWithMap = async (flight: Flight): Promise<boolean> => {
  const { carrier, flightNumber, date } = toInputs(flight);
  const query = `DepartureDateTime=${date}&CarrierCode=${carrier}&FlightNumber=${flightNumber}&Content=Map&Limit=1`;
  return (await get<FlightInstancePage>(`/flight-instances?version=v2&${query}`)).data.some(hasMap);
};

/** Returns the inputs for a flight with a map that is in the air. */
const findFlightInTheAir = async (): Promise<Readonly<Record<string, string | number>>> => {
  const days = `${formatDate(addDays(today, -1))}/${formatDate(today)}`;
  const query = `DepartureDateTime=${days}&DepartureAirport=LHR&FlightType=Scheduled&Content=Map&Limit=1000`;
  const find = async (): Promise<Flight | undefined> => {
    const { data } = await get<FlightInstancePage>(`/flight-instances?version=v2&${query}`);
    const flights = data.filter((flight) => hasMap(flight) && arrivesLater(flight));
    for (const flight of flights.toReversed()) if (await isFirstWithMap(flight)) return flight;
    return undefined;
  };
  return toInputs(await vi.waitUntil(find, { timeout: 120_000, interval: 500 }));
};

/** Loads another gate of a flight from Heathrow, again and again until the work ends: the next event of the demo world can be minutes away. */
const loadGatesDuring = async <Result>(work: Promise<Result>): Promise<Result> => {
  const originDate = formatDate(addDays(today, 1));
  const query = `DepartureDateTime=${originDate}&DepartureAirport=LHR&FlightType=Scheduled&Limit=1`;
  const { data } = await get<FlightInstancePage>(`/flight-instances?version=v2&${query}`);
  const [{ carrier, flightNumber }] = data.map(toInputs) as [ReturnType<typeof toInputs>];
  const flight = { carrier, flightNumber, originDate, departureAirport: 'LHR' };
  const file = join(dataDir, 'gates.ndjson');
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  for (let gate = 1; !isDone; gate++) {
    const observedAt = new Date().toISOString();
    const message = { messageId: `gate-${gate}`, observedAt, flight, departure: { gate: `Z${gate}` } };
    await writeFile(file, `${JSON.stringify(message)}\n`);
    expect((await runCommand(['import', 'status', file], env)).code).toBe(0);
  }
  return done;
};

test.each(recipeFiles)('the recipe $name runs on the server and on the mock', { timeout: 240_000 }, async (recipe) => {
  const key = 'demo-key';
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  receiver.listen(receiverPort, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const url = `http://127.0.0.1:${receiverPort}/events`;
  const flight = recipe.name === 'life-of-a-flight' ? await findFlightInTheAir() : {};
  const inputs = { subscriptionKey: key, date: formatDate(addDays(today, 1)), url, ...flight };
  const running = runRecipe(recipe, { base, inputs, folder: dataDir });
  const run = await (recipe.name === 'webhook' ? loadGatesDuring(running) : running);
  expect([run.code, run.code === 0 ? '' : run.output]).toEqual([0, '']);
  expect([run.logged.includes(key), run.output.includes(key)]).toEqual([false, false]);
  if (process.env['RECORD_RECIPES'] !== undefined) recordSteps(recipe.name, run.steps);
  const recorded = readRecordedSteps(recipe.name);
  const toOutcome = ({ stepId, response }: (typeof recorded)[number]) => [stepId, response.status];
  expect(run.steps.map(toOutcome)).toEqual(recorded.map(toOutcome));

  const mockInputs = { subscriptionKey: 'any', date: '2027-03-01', carrier: 'ZX', flightNumber: 15, url };
  const mocked = await runRecipe(recipe, { base: mockBase, inputs: mockInputs, folder: dataDir });
  expect([mocked.code, mocked.code === 0 ? '' : mocked.output]).toEqual([0, '']);
});

test('the code of typescript-client.md forms one program that searches, handles a problem by its type and receives events', async () => {
  const guide = guides.find(({ name }) => name.endsWith('/typescript-client.md'));
  const client = new URL('../../src/client/index.ts', import.meta.url);
  const program = (guide?.blocks ?? [])
    .filter(({ language }) => language === 'ts')
    .map(({ content }) => content.replaceAll("'flightdata-client'", `'${client.href}'`));
  const path = join(dataDir, 'program.ts');
  await writeFile(path, program.join('\n'));
  const variables = { FLIGHTDATA_URL: base, FLIGHTDATA_ACCOUNT: accountId };
  const child = spawn(process.execPath, [path], { env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output] = await waitForOutput(child, /^.*\n1 (FlightStatus|ScheduleInstance)\n2 /s);
  child.kill();
  const lines = output.split('\n');
  expect(lines.filter((line) => line.endsWith(` ${formatDate(today)}`)).length).toBeGreaterThan(100);
  expect(lines.filter((line) => line.startsWith('404 '))).toEqual([expect.stringMatching(/^404 not-found No carrier/)]);
});

test('all observations match flights, and another process loads into the store of the running server', async () => {
  const { out: findings } = await runCommand(['doctor', '--json'], env);
  expect(findings).toContain('newest observation');
  expect(findings).not.toContain('unmatched messages');
  const file = join(dataDir, 'one.ssim');
  await writeFile(file, buildFile(buildLeg({ 29: '1234567' })));
  const loaded = await runCommand(['import', 'ssim', file, '--from', '2026-06-01', '--days', '1'], env);
  expect([loaded.code, loaded.err]).toEqual([0, expect.stringContaining('this store contains the demo world')]);
  const query = '/flight-instances?DepartureDateTime=2026-06-01&CarrierCode=XX';
  await expect.poll(() => get<FlightInstancePage>(query).then(({ paging }) => paging.totalCount)).toBe(1);
});

test('one server owns the folder, and the store survives its restart', async () => {
  const second = await runCommand(['serve'], env);
  expect([second.code, second.err]).toEqual([1, expect.stringContaining(dataDir)]);
  server.kill('SIGTERM');
  expect(await once(server, 'close')).toEqual([0, null]);
  const again = await startServerProcess(['--demo'], env);
  const query = `/flight-instances?DepartureDateTime=${formatDate(today)}&Limit=1`;
  const { status } = await fetch(again.base + query, { headers });
  again.child.kill('SIGINT');
  const [code] = await once(again.child, 'close');
  expect([status, code]).toEqual([200, 0]);
});
