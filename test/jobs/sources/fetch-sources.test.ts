import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fetchSources, type FetchOptions } from '#jobs/sources/fetch-sources.ts';
import type { OpenSource } from '#jobs/sources/source-registry.ts';
import { startSourceMirror } from '#test/support/sources/source-mirror.ts';
import { buildZip } from '#test/support/sources/zip-archive.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';

const countries: OpenSource = {
  name: 'countries',
  title: 'Countries',
  address: 'https://publisher.example/data/countries.csv',
  file: 'ourairports_countries.csv',
  reader: 'master-data',
  licence: 'CC0 1.0',
  attribution: '',
  refreshDays: 7,
  maxMegabytes: 1,
  checksum: 'recorded',
};
const onTime: OpenSource = {
  ...countries,
  name: 'on-time',
  address: 'https://publisher.example/on-time-{year}-{month}.zip',
  file: 'on_time_{year}_{month}.zip',
  maxMegabytes: 3,
  reader: 'bts',
};
const path = '/publisher.example/data/countries.csv';
const table = Buffer.from(`\uFEFFcode,name\n${'GB,United Kingdom\n'.repeat(1000)}`);

const mirror = await startSourceMirror(new Map());
const { folder } = createTemporaryFolder();
let dir: string;
let now: Date;
beforeEach(() => {
  dir = mkdtempSync(join(folder, 'sources-'));
  now = new Date('2026-11-26T10:00:00Z');
  mirror.files.clear();
  mirror.files.set(path, table);
  mirror.faults.clear();
  mirror.requests.length = 0;
});

const fetchAll = (sources: readonly OpenSource[] = [countries], options: Partial<FetchOptions> = {}) =>
  fetchSources(sources, { dir, route: { mirror: mirror.url }, clock: () => now, ...options });

const base = { source: 'countries', file: 'ourairports_countries.csv', address: `${mirror.url}${path}` };
const [size, sha256] = [table.length, hash('sha256', table, 'hex')];
const etag = `"${hash('sha1', table, 'hex')}"`;
const fetched = { ...base, kind: 'fetched', bytes: size, sha256 };
const failed = (error: string) => [{ ...base, kind: 'failed', error }];
const file = () => join(dir, base.file);
const names = () => readdirSync(dir).toSorted();

test('stores a file with a record of its address, version, size and checksum', async () => {
  const progress: unknown[] = [];
  const onProgress: FetchOptions['onProgress'] = (one, done, total) => progress.push([one.file, done, total]);
  expect(await fetchAll([countries], { onProgress })).toEqual([fetched]);
  expect(progress.at(-1)).toEqual([base.file, size, size]);
  expect(readFileSync(file())).toEqual(table);
  expect(JSON.parse(readFileSync(`${file()}.json`, 'utf8'))).toEqual({
    address: countries.address,
    etag,
    bytes: size,
    sha256,
    fetchedAt: '2026-11-26T10:00:00.000Z',
    checkedAt: '2026-11-26T10:00:00.000Z',
  });
  expect(names()).toEqual([base.file, `${base.file}.json`]);
});

test('keeps the present file when the server responds with 304, and records the check', async () => {
  await fetchAll();
  now = new Date('2026-11-27T10:00:00Z');
  expect(await fetchAll()).toEqual([{ ...fetched, kind: 'unchanged' }]);
  expect(mirror.requests).toEqual([{ path }, { path, ifNoneMatch: etag }]);
  const { fetchedAt, checkedAt } = JSON.parse(readFileSync(`${file()}.json`, 'utf8'));
  expect([fetchedAt, checkedAt]).toEqual(['2026-11-26T10:00:00.000Z', '2026-11-27T10:00:00.000Z']);
});

test('fetches a present file without a condition when it was changed, or was fetched from another address', async () => {
  await fetchAll();
  writeFileSync(file(), 'code,name\nXX,Changed\n');
  expect(await fetchAll()).toEqual([fetched]);
  mirror.files.set('/other.example/countries.csv', table);
  const moved = { ...countries, address: 'https://other.example/countries.csv' };
  expect(await fetchAll([moved])).toEqual([{ ...fetched, address: `${mirror.url}/other.example/countries.csv` }]);
  expect(mirror.requests).toEqual([{ path }, { path }, { path: '/other.example/countries.csv' }]);
});

test('requests only files whose refresh interval has passed, with isDueOnly', async () => {
  await fetchAll();
  now = new Date('2026-12-03T09:59:59Z');
  expect(await fetchAll([countries], { isDueOnly: true })).toEqual([{ ...fetched, kind: 'not-due' }]);
  now = new Date('2026-12-03T10:00:00Z');
  expect(await fetchAll([countries], { isDueOnly: true })).toEqual([{ ...fetched, kind: 'unchanged' }]);
});

test('continues a transfer whose connection was lost', async () => {
  mirror.faults.set(path, [{ cutAfter: 5000 }]);
  expect(await fetchAll()).toEqual([fetched]);
  expect(mirror.requests).toEqual([{ path }, { path, range: 'bytes=5000-', ifRange: etag }]);
  expect(readFileSync(file())).toEqual(table);
});

const lostFourTimes = () =>
  mirror.faults.set(
    path,
    [1, 2, 3, 4].map(() => ({ cutAfter: 5000 })),
  );
const lost = `the connection was lost after 5000 of ${size} bytes: aborted`;

test('gives up after the fourth lost connection, and continues in the next run', async () => {
  lostFourTimes();
  expect(await fetchAll()).toEqual(failed(lost));
  expect(names()).toEqual([`${base.file}.part`, `${base.file}.part.json`]);
  mirror.requests.length = 0;
  expect(await fetchAll()).toEqual([fetched]);
  expect(mirror.requests).toEqual([{ path, range: 'bytes=5000-', ifRange: etag }]);
  expect(names()).toEqual([base.file, `${base.file}.json`]);
});

test('begins again when the file has changed since the interruption', async () => {
  lostFourTimes();
  await fetchAll();
  const changed = Buffer.from('code,name\nFR,France\n');
  mirror.files.set(path, changed);
  const expected = { bytes: changed.length, sha256: hash('sha256', changed, 'hex') };
  expect(await fetchAll()).toEqual([{ ...fetched, ...expected }]);
  expect(readFileSync(file())).toEqual(changed);
});

test('begins again when the server no longer has the rest', async () => {
  lostFourTimes();
  await fetchAll();
  mirror.faults.set(path, [{ status: 416 }]);
  expect(await fetchAll()).toEqual([fetched]);
});

const page = '<!DOCTYPE html><title>Sign in</title>';
test.each([
  ['a page', page, 'ourairports_countries.csv is a page of HTML or XML, not data'],
  ['another table', 'id,name\n1,x\n', 'ourairports_countries.csv has no column code'],
  ['a table without rows', 'code,name\n', 'ourairports_countries.csv has no rows'],
  ['nothing', '', 'ourairports_countries.csv has no rows'],
])('rejects %s, and keeps the previous file', async (_what, text, error) => {
  await fetchAll();
  mirror.files.set(path, Buffer.from(text));
  expect(await fetchAll()).toEqual(failed(error));
  expect(readFileSync(file())).toEqual(table);
  expect(names()).toEqual([base.file, `${base.file}.json`]);
});

test('rejects a file that is larger than the limit, by its announced size and while it is received', async () => {
  mirror.files.set(path, Buffer.alloc(1_000_001, 'x'));
  expect(await fetchAll()).toEqual(failed('it has 1000001 bytes, more than the limit of 1000000'));
  mirror.faults.set(path, [{ status: 200, headers: { 'transfer-encoding': 'chunked' }, body: 'x'.repeat(1_000_001) }]);
  expect(await fetchAll()).toEqual(failed('it is larger than the limit of 1000000 bytes'));
  expect(names()).toEqual([]);
});

test('rejects a file with another checksum than the registry has', async () => {
  const expected = '0'.repeat(64);
  expect(await fetchAll([{ ...countries, checksum: expected }])).toEqual(
    failed(`${base.file} has the SHA-256 ${sha256}, but ${expected} is expected`),
  );
  expect(await fetchAll([{ ...countries, checksum: sha256 }])).toEqual([fetched]);
});

test('follows redirects to the mirror, and no others without TLS', async () => {
  const [status, location] = [302, `${mirror.url}/moved.csv`];
  mirror.files.set('/moved.csv', table);
  mirror.faults.set(path, [
    { status, headers: { location } },
    { status, headers: { location: 'http://other.example/' } },
    ...Array.from({ length: 6 }, () => ({ status, headers: { location: path } })),
  ]);
  expect(await fetchAll()).toEqual([fetched]);
  expect(await fetchAll()).toEqual(
    failed(`${mirror.url}${path} redirects to 'http://other.example/', which is neither https nor the mirror`),
  );
  expect(await fetchAll()).toEqual(failed(`${countries.address} redirects more than 5 times`));
});

test('gives up a server that sends too slowly or takes too long, and continues in the next run', async () => {
  const slow = { totalMs: 3_600_000, minBytes: 10_000, windowMs: 20 };
  mirror.faults.set(path, [{ holdAfter: 5000 }, { holdAfter: undefined }]);
  expect(await fetchAll([countries], { limits: slow })).toEqual(
    failed('the server sent 5000 bytes in 0.02 seconds, fewer than 10000'),
  );
  const brief = { totalMs: 60, minBytes: 0, windowMs: 60_000 };
  expect(await fetchAll([countries], { limits: brief })).toEqual(failed('the transfer took more than 0.06 seconds'));
  expect(await fetchAll()).toEqual([fetched]);
  const continued = { path, range: 'bytes=5000-', ifRange: etag };
  expect(mirror.requests).toEqual([{ path }, continued, continued]);
});

test('rejects a compressed response, whose bytes are not those of the file', async () => {
  mirror.faults.set(path, [{ status: 200, headers: { 'content-encoding': 'gzip' }, body: 'x' }]);
  expect(await fetchAll()).toEqual(failed('the server sent it as gzip, although it must not'));
});

test('reports the source that failed, and fetches the others', async () => {
  mirror.faults.set(path, [{ status: 503 }]);
  const other = { ...countries, name: 'other', address: 'https://publisher.example/other.csv' };
  mirror.files.set('/publisher.example/other.csv', table);
  expect(await fetchAll([countries, other])).toEqual([
    ...failed('the server responded with status 503'),
    { ...fetched, source: 'other', address: `${mirror.url}/publisher.example/other.csv` },
  ]);
});

const onTimeHeader =
  'YEAR,MONTH,DAY,AIRLINE,FLIGHT_NUMBER,TAIL_NUMBER,ORIGIN_AIRPORT,DESTINATION_AIRPORT,SCHEDULED_DEPARTURE,SCHEDULED_ARRIVAL,SCHEDULED_TIME,DEPARTURE_TIME,DEPARTURE_DELAY,TAXI_OUT,WHEELS_OFF,WHEELS_ON,TAXI_IN,ARRIVAL_TIME,ARRIVAL_DELAY,CANCELLED,DIVERTED';
const onTimeRow = '2026,7,1,AS,98,N407AS,ANC,SEA,0005,0430,205,2354,-11,21,0015,0404,4,0408,-22,0,0';
const onTimeTable = Buffer.from(`${onTimeHeader}\n${onTimeRow}\n`);
const readme = { name: 'readme.html', bytes: Buffer.from(page) };
const months = [{ year: 2026, month: 7 }];

test('fetches the requested months of a monthly source, and none without a request', async () => {
  const zip = buildZip([readme, { name: 'On_Time.csv', bytes: onTimeTable }]);
  mirror.files.set('/publisher.example/on-time-2026-7.zip', zip);
  expect(await fetchAll([onTime])).toEqual([]);
  expect(await fetchAll([onTime], { months })).toEqual([
    {
      source: 'on-time',
      file: 'on_time_2026_7.zip',
      address: `${mirror.url}/publisher.example/on-time-2026-7.zip`,
      kind: 'fetched',
      bytes: zip.length,
      sha256: hash('sha256', zip, 'hex'),
    },
  ]);
});

test.each([
  ['a page', Buffer.from(page), 'on_time_2026_7.zip is a page of HTML or XML, not data'],
  [
    'a truncated archive',
    buildZip([{ name: 'a.csv', bytes: onTimeTable }]).subarray(0, 90),
    /^on_time_2026_7\.zip is not a complete ZIP archive/,
  ],
  [
    'two tables',
    buildZip(['a.csv', 'b.csv'].map((name) => ({ name, bytes: onTimeTable }))),
    'on_time_2026_7.zip must contain one data file, but contains 2',
  ],
  [
    'many files',
    buildZip(Array.from({ length: 101 }, (_, index) => ({ name: `${index}.txt`, bytes: Buffer.from('x') }))),
    'on_time_2026_7.zip must contain one data file, but contains more than 100 files',
  ],
  [
    'a few files with very long names',
    buildZip(Array.from({ length: 20 }, (_, index) => ({ name: `${index}`.padEnd(60_000), bytes: Buffer.from('x') }))),
    'on_time_2026_7.zip must contain one data file, but contains a list of files of 1200920 bytes',
  ],
  [
    'another table',
    buildZip([{ name: 'a.csv', bytes: Buffer.from('x,y\n1,2\n') }]),
    /^on_time_2026_7\.zip: The header does not match an on-time file\. .* missing: YEAR, MONTH/,
  ],
  [
    'a file that unpacks to more than it announces',
    buildZip([{ name: 'a.csv', bytes: Buffer.alloc(1e6, `${onTimeHeader}\n`), announcedSize: 1000 }]),
    /^on_time_2026_7\.zip: a\.csv unpacks to more than the 1000 bytes that the archive announces/,
  ],
  [
    'a file that announces too much',
    buildZip([{ name: 'a.csv', bytes: onTimeTable, announcedSize: 2 ** 32 - 2 }]),
    /^on_time_2026_7\.zip: a\.csv does not have the checksum of the archive|unpacks to more than 4294967296 bytes/,
  ],
  [
    'a file with another checksum',
    buildZip([{ name: 'a.csv', bytes: onTimeTable, announcedCrc: 1 }]),
    /^on_time_2026_7\.zip: a\.csv does not have the checksum of the archive/,
  ],
])('rejects an archive that is %s', async (_what, bytes, error) => {
  mirror.files.set('/publisher.example/on-time-2026-7.zip', bytes);
  const [outcome] = await fetchAll([onTime], { months });
  expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringMatching(error) });
  expect(names()).toEqual([]);
});
