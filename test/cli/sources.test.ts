import { hash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { importMasterData } from '#jobs/import/import-master-data.ts';
import type { Database } from '#store/pool/database.ts';
import { buildFile, buildLeg } from '../feeds/ssim/build-file.ts';
import { required } from '../jobs/import/required-files.ts';
import { freshDatabase, sharedDatabase } from '../support/database.ts';
import { readRealMasterData } from '../support/real-master-data.ts';
import {
  modelTypesPath,
  onTimePath,
  publishedPaths,
  readRealPublishedFiles,
  toPublicPoints,
} from '../support/sources/published-files.ts';
import { startSourceMirror } from '../support/sources/source-mirror.ts';
import { buildZip } from '../support/sources/zip-archive.ts';
import { holdAfter, untilRolledBack, untilWaiting } from '../support/held-statements.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { callCommand } from './call-command.ts';
import { startCommand } from './run-command.ts';

const { sql, url } = await sharedDatabase();
const { folder } = createTemporaryFolder();

const bestKnown = 'pk^iata_code^latitude^longitude^city_code^date_from\nLHR-A-2647216^LHR^51.47^-0.46^LON^\n';
const models = ['ICAO', 'Manufacturer', 'Model', 'Engines', 'EngineTypeCode', 'SpeciesCode', 'WakeTurbulenceCode'];
const modelHeader = [...models, 'IsActive'].join(',');
const small = {
  ...Object.fromEntries(Object.entries(required).map(([name, lines]) => [name, `${lines.join('\n')}\n`])),
  'optd_por_public_all.csv': toPublicPoints(bestKnown),
  'skyalps.ssim': buildFile(buildLeg({ 22: '02JUN26' })),
};
const smallFiles = new Map([
  ...Object.entries(small).map(([name, text]) => [publishedPaths[name] ?? name, Buffer.from(text)] as const),
  [modelTypesPath('A'), Buffer.from(`\uFEFF${modelHeader}\nA320,Airbus,A-320,2,J,L,M,1\n`)] as const,
]);

/** Returns a hash of all tables that a load of master data fills. */
const hashMasterData = async (
  db: Database,
): Promise<readonly { readonly table: string; readonly count: number; readonly md5: string | null }[]> => {
  const tables = ['location', 'city', 'country', 'carrier', 'equipment'];
  return Promise.all(
    tables.map(async (table) => {
      const [row = { count: 0, md5: null }] = await db<
        { count: number; md5: string | null }[]
      >`select count(*)::integer as count, md5(string_agg((to_jsonb(t) - 'changed_at' - 'id')::text, chr(10) order by (to_jsonb(t) - 'changed_at' - 'id')::text)) as md5 from ${db(table)} t`;
      return { table, ...row };
    }),
  );
};

const mirror = await startSourceMirror(smallFiles);
const environment = { DATABASE_URL: url, DATA_DIR: folder, SOURCES_MIRROR: mirror.url, FLIGHTDATA_TODAY: '2026-06-01' };
const flightdata = (...args: readonly string[]) => callCommand(args, environment);
const fetched = (name: string): string => hash('sha256', small[name as keyof typeof small] ?? '', 'hex');

test('flightdata sources list prints each source, and the attributions of the licences', async () => {
  const { code, out, err } = await flightdata('sources', 'list');
  const [header, first, ...rest] = out.split('\n');
  expect([code, err, header, first]).toEqual([
    0,
    '',
    'name\ttitle\treader\tlicence\trefresh\taddress',
    'airportsdata-airports\tairportsdata: airports in use\tmaster-data\tMIT\t7 days\thttps://raw.githubusercontent.com/mborsetti/airportsdata/main/airportsdata/airports.csv',
  ]);
  expect(rest.slice(-6)).toEqual([
    'Show these attributions where you publish the data:',
    '- airportsdata © 2020- Mike Borsetti, © 2014 mwgg (MIT)',
    '- © OpenTravelData contributors, https://github.com/opentraveldata/opentraveldata, with data of GeoNames, https://www.geonames.org (CC BY 4.0)',
    '- © 2025 SkyAlps (CC0 1.0)',
    '- US Department of Transportation, Bureau of Transportation Statistics (Public domain (17 USC 105))',
    '',
  ]);
  const names = JSON.parse((await flightdata('sources', 'list', '--json')).out).map(
    ({ name }: { name: string }) => name,
  );
  expect(names).toEqual(
    out
      .split('\n\n')[0]
      ?.split('\n')
      .slice(1)
      .map((line) => line.split('\t')[0]),
  );
});

test('flightdata import sources exits with 1 before anything was fetched', async () => {
  const dir = join(folder, 'nothing');
  expect(await flightdata('import', 'sources', dir)).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining(`${dir} contains no fetched files; run 'flightdata sources fetch' first`),
  });
});

test('flightdata sources fetch names the sources that failed and exits with 3, and with 1 when all failed', async () => {
  const { code, out, err } = await flightdata('sources', 'fetch', 'optd-airlines', 'optd-wac');
  const address = `${mirror.url}${publishedPaths['optd_usdot_wac.csv']}`;
  expect([code, out, err.split('\n').slice(-2)]).toEqual([
    3,
    `optd-airlines: fetched: optd_airlines.csv, 0.2 kB, sha256 ${fetched('optd_airlines.csv')}\n`,
    [`optd-wac: not fetched: ${address}: the server responded with status 404`, ''],
  ]);
  expect((await flightdata('sources', 'fetch', 'optd-wac')).code).toBe(1);
});

test.each([
  [['nothing'], 2, "'nothing' is not a source; 'flightdata sources list' shows them"],
  [['us-on-time', '--month', '2026-13'], 2, "'2026-13' must be a month of the form YYYY-MM"],
  [['us-on-time'], 1, 'us-on-time has a file for each month: name them, such as --month 2026-07'],
])('flightdata sources fetch %j exits with %i', async (args, code, message) => {
  expect(await flightdata('sources', 'fetch', ...args)).toEqual({
    code,
    out: '',
    err: expect.stringContaining(message),
  });
});

const maskTimes = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
const statusLines = async (): Promise<readonly string[]> => {
  const { out } = await flightdata('sources', 'status');
  return maskTimes(out)
    .split('\n')
    .filter((line) => !line.includes('\tnot fetched\t') && line !== '');
};

test('fetched files are imported like a folder of files, and flightdata sources status shows what is loaded', async () => {
  await flightdata('sources', 'fetch');
  const header = 'source\tfile\tfetched\tage\trefresh\tsize\tloaded\tsha256';
  const row = (source: string, file: string, [days, size, loaded]: readonly [number, string, string]): string => {
    const bytes = smallFiles.get(publishedPaths[file] ?? modelTypesPath('A')) ?? '';
    return [source, file, 'TIME', '0 days', `${days} days`, size, loaded, hash('sha256', bytes, 'hex')].join('\t');
  };
  const rows = (loaded: string): readonly string[] => [
    header,
    row('airportsdata-airports', 'airportsdata_airports.csv', [7, '0.3 kB', loaded]),
    row('ourairports-countries', 'ourairports_countries.csv', [30, '0.1 kB', loaded]),
    row('optd-points', 'optd_por_public_all.csv', [7, '0.7 kB', loaded]),
    row('optd-airlines', 'optd_airlines.csv', [7, '0.2 kB', loaded]),
    row('optd-aircraft', 'optd_aircraft.csv', [30, '0.1 kB', loaded]),
    row('vrs-types', 'vrs_model_types_A.csv', [30, '0.1 kB', loaded]),
    row('skyalps-schedule', 'skyalps.ssim', [30, '0.8 kB', loaded]),
  ];
  expect(await statusLines()).toEqual(rows('no'));
  const { code, out } = await flightdata('import', 'sources');
  expect([code, out]).toEqual([0, expect.stringContaining('3 locations, 2 carriers')]);
  expect(out).toContain('skyalps.ssim\n  accepted: 1 header, 1 carrier');
  expect(await statusLines()).toEqual(rows('yes'));
  expect(await flightdata('import', 'sources', '--changed')).toEqual({
    code: 0,
    out: '',
    err: 'master-data: all fetched files are loaded already\nssim: all fetched files are loaded already\n',
  });

  const plain = join(folder, 'plain');
  mkdirSync(plain);
  for (const name of readdirSync(join(folder, 'sources')).filter((one) => /^(?!optd_por).*\.csv$/.test(one)))
    copyFileSync(join(folder, 'sources', name), join(plain, name));
  writeFileSync(join(plain, 'optd_por_best_known_so_far.csv'), bestKnown);
  const other = await freshDatabase();
  await importMasterData({ sql: other.sql, dir: plain, log: () => {} });
  const [loaded, expected] = [await hashMasterData(sql), await hashMasterData(other.sql)];
  await other.drop();
  // The schedule adds a station and a carrier to the store.
  expect(loaded.filter((_table, index) => index === 1 || index === 4)).toEqual(
    expected.filter((_table, index) => index === 1 || index === 4),
  );
});

test.each(['master data', 'the schedule'])(
  'flightdata import sources that is killed while it loads %s keeps whole loads only, and its repetition completes them',
  async (phase) => {
    const other = await freshDatabase();
    const listLoads = async (): Promise<readonly unknown[]> =>
      (await other.sql<{ kind: string }[]>`select kind from load order by id`).map(({ kind }) => kind);
    const env = { ...environment, DATABASE_URL: other.url };
    const release = await holdAfter(other.sql, 'insert', phase === 'master data' ? 'equipment' : 'schedule_record');
    const command = startCommand(['import', 'sources'], env);
    await untilWaiting(other.sql, 1);
    command.kill('SIGKILL');
    await once(command, 'close');
    await release();
    await untilRolledBack(other.sql);
    const isLater = phase !== 'master data';
    expect(await listLoads()).toEqual(isLater ? ['master-data'] : []);
    expect((await hashMasterData(other.sql)).map(({ count }) => count > 0)).toEqual(Array(5).fill(isLater));
    expect((await callCommand(['import', 'sources', '--changed'], env)).code).toBe(0);
    expect(await listLoads()).toEqual(['master-data', 'ssim']);
    expect(await hashMasterData(other.sql)).toEqual(await hashMasterData(sql));
    const [flights] = await sql`select count(*) from flight_instance`;
    expect(await other.sql`select count(*) from flight_instance`).toEqual([flights]);
    await other.drop();
  },
);

test('flightdata import sources loads nothing when a fetched file was changed', async () => {
  writeFileSync(join(folder, 'sources/optd_airlines.csv'), 'changed');
  const { code, out, err } = await flightdata('import', 'sources');
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('optd_airlines.csv was changed after optd-airlines was fetched; fetch it again');
});

const onTimeHeader =
  'YEAR,MONTH,DAY,AIRLINE,FLIGHT_NUMBER,TAIL_NUMBER,ORIGIN_AIRPORT,DESTINATION_AIRPORT,SCHEDULED_DEPARTURE,SCHEDULED_ARRIVAL,SCHEDULED_TIME,DEPARTURE_TIME,DEPARTURE_DELAY,TAXI_OUT,WHEELS_OFF,WHEELS_ON,TAXI_IN,ARRIVAL_TIME,ARRIVAL_DELAY,CANCELLED,DIVERTED';

test('flightdata import sources loads the months of US on-time performance from their archives', async () => {
  const row = '2026,5,1,LH,98,N407AS,LHR,NQZ,0005,1130,445,0005,0,21,0026,1126,4,1130,0,0,0';
  const content = { name: 'On_Time.csv', bytes: Buffer.from(`${onTimeHeader}\n${row}\n`) };
  mirror.files.set(onTimePath(2026, 5), buildZip([{ name: 'readme.html', bytes: Buffer.from('<html>') }, content]));
  const dir = join(folder, 'on-time');
  expect((await flightdata('sources', 'fetch', 'us-on-time', '--month', '2026-05', '--to', dir)).code).toBe(0);
  const { code, out } = await flightdata('import', 'sources', dir);
  expect([code, out]).toEqual([0, expect.stringContaining('us_on_time_2026_5.zip\n  accepted: ')]);
});

test('flightdata import sources --changed loads a schedule whose published version is new, without the master data', async () => {
  await flightdata('sources', 'fetch', 'optd-airlines');
  mirror.files.set(publishedPaths['skyalps.ssim'] ?? '', Buffer.from(buildFile(buildLeg({ 22: '03JUN26' }))));
  await flightdata('sources', 'fetch', 'skyalps-schedule');
  const { code, out, err } = await flightdata('import', 'sources', '--changed');
  expect([code, err]).toEqual([0, expect.stringContaining('master-data: all fetched files are loaded already\n')]);
  expect(out).toMatch(/^\S*skyalps\.ssim\n {2}accepted: 1 header, 1 carrier/);
});

test('flightdata sources fetch uses the proxy of the environment', async () => {
  const requested: string[] = [];
  const proxy = createServer((request, response) => {
    requested.push(request.url ?? '');
    get(request.url ?? '', (upstream) => upstream.pipe(response.writeHead(upstream.statusCode ?? 500)));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  afterAll(() => proxy.close());
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const fetchThrough = async (variables: Readonly<Record<string, string>>, to: string) =>
    callCommand(['sources', 'fetch', 'optd-aircraft', '--to', join(folder, to)], { ...environment, ...variables });
  const proxied = await fetchThrough({ HTTP_PROXY: `http://127.0.0.1:${port}` }, 'proxied');
  const direct = await fetchThrough({ HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '127.0.0.1' }, 'direct');
  expect([proxied.code, direct.code]).toEqual([0, 0]);
  expect(requested).toEqual([`${mirror.url}${publishedPaths['optd_aircraft.csv']}`]);
});

const realFiles = readRealPublishedFiles();
test.skipIf(realFiles === undefined)(
  'the published real files give the same master data as the files of the shared data set',
  async () => {
    const real = await startSourceMirror(realFiles ?? new Map());
    const one = await freshDatabase();
    const other = await readRealMasterData();
    const env = { DATABASE_URL: one.url, DATA_DIR: join(folder, 'real'), SOURCES_MIRROR: real.url };
    expect((await callCommand(['sources', 'fetch'], env)).code).toBe(0);
    const dir = join(folder, 'real/sources');
    await importMasterData({ sql: one.sql, dir, log: () => {} });
    const [published, shared] = [await hashMasterData(one.sql), await hashMasterData(other.sql)];
    await one.drop();
    await other.drop();
    expect(published).toEqual(shared);
  },
);

test('with --brief, the failures of one cause are one line that names the hosts and SOURCES_MIRROR', async () => {
  const dir = join(folder, 'unreachable');
  const { code, out, err } = await callCommand(['sources', 'fetch', '--brief', '--to', dir], {
    ...environment,
    SOURCES_MIRROR: 'http://127.0.0.1:1',
  });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err.split('\n').filter((line) => line.includes('not fetched'))).toEqual([
    expect.stringMatching(
      /^\d+ files not fetched from 127\.0\.0\.1:1: connect ECONNREFUSED; without access to the internet, set SOURCES_MIRROR to the address of a mirror$/,
    ),
  ]);
});

test('with --changed, an import without fetched files has nothing to do', async () => {
  const dir = join(folder, 'nothing-fetched');
  mkdirSync(dir);
  expect(await flightdata('import', 'sources', '--changed', dir)).toMatchObject({ code: 0, out: '' });
});

test('schedules whose periods have ended are listed as such', async () => {
  const later = { ...environment, FLIGHTDATA_TODAY: '2026-06-04' };
  await flightdata('sources', 'fetch', 'skyalps-schedule');
  const { out } = await callCommand(['sources', 'status'], later);
  expect(out.split('\n').find((line) => line.startsWith('skyalps'))).toContain('; its data ended on 2026-06-03');
  const before = await flightdata('sources', 'status');
  expect(before.out).not.toContain('its data ended');
});

test('flightdata sources live lists licences, attributions and that nothing is followed', async () => {
  const { code, out } = await flightdata('sources', 'live');
  const lines = out.split('\n');
  expect(code).toBe(0);
  expect(lines.slice(1, 4).map((line) => line.split('\t').slice(0, 4))).toEqual([
    ['avinor', 'Avinor: 43 airports of Norway', 'Free of charge with attribution', 'not followed'],
    ['hkia', 'Hong Kong International Airport', 'data.gov.hk terms of use', 'not followed'],
    ['swedavia', 'Swedavia: 10 airports of Sweden', 'Terms of the Swedavia API', 'not followed'],
  ]);
  expect(lines).toContain('- Flight data from Avinor (https://avinor.no/)');
});

test('a source that no server follows any longer is forgotten on request', async () => {
  await sql`insert into live_request (source, place, request, next_at) values ('avinor', 'OSL', '0', now())`;
  expect((await flightdata('sources', 'live')).out).toContain('\tOSL\t');
  expect(await flightdata('sources', 'live', '--forget', 'avinor')).toMatchObject({ code: 0 });
  expect((await flightdata('sources', 'live')).out).not.toContain('\tOSL\t');
  const { code, err } = await flightdata('sources', 'live', '--forget', 'avinor');
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("'avinor' is not a followed live source") });
});

test('LIVE_SOURCES and --live name the part that is not a source or an airport', async () => {
  const { code, err } = await callCommand(['doctor'], { ...environment, LIVE_SOURCES: 'avinor:OSL,ARN' });
  expect(code).not.toBe(0);
  expect(err).toContain("LIVE_SOURCES is invalid: 'ARN' is not an airport of avinor; there are AES, ALF");
  const option = await flightdata('serve', '--live', 'schiphol');
  expect(option.code).toBe(2);
  expect(option.err).toContain("'schiphol' is not a live source; there are avinor, hkia, swedavia");
});
