import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoadReport } from '../../src/feeds/load-report.ts';
import { fileOf, leg } from '../feeds/ssim/build-file.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { saveTinyMasterData } from '../support/tiny-world.ts';
import { runCommand, type Outcome } from './run-command.ts';

let fresh: FreshDatabase;
let folder: string;
beforeAll(async () => {
  fresh = await freshDatabase();
  await saveTinyMasterData(fresh.sql);
  folder = await mkdtemp(join(tmpdir(), 'flightdata-cli-'));
});
afterAll(async () => {
  await fresh.drop();
  await rm(folder, { recursive: true });
});

const file = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

const flightdata = (...args: readonly string[]): Promise<Outcome> => runCommand(args, { DATABASE_URL: fresh.url });

const good = fileOf(leg({ 22: '02JUN26' }));
const window = ['--from', '2026-06-01', '--days', '10'];

describe('flightdata import ssim', () => {
  test('loads a file, prints the report and ends with 0', async () => {
    const { code, out, err } = await flightdata('import', 'ssim', await file('good.ssim', good), ...window);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('accepted: 1 header, 1 carrier, 1 trailer, 1 leg');
    expect(out).toContain('2 flight instances');
    expect(out).toContain('0 quarantined, 0 corrected, 0 notice');
  });

  test('loads a gzip file whatever its name, with the report as JSON', async () => {
    const { code, out } = await flightdata(
      'import',
      'ssim',
      await file('packed.dat', gzipSync(good)),
      ...window,
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      source: 'packed.dat',
      accepted: { leg: 1, 'flight instances': 2 },
      entries: [],
    });
  });

  test('ends with 3 when a record is in quarantine, and tells line, bytes, value and reason', async () => {
    const bad = await file('bad-record.ssim', fileOf(leg({ 22: '02JUN26' }), leg({ 6: '0102', 15: '31FEB26' })));
    const { code, out } = await flightdata('import', 'ssim', bad, ...window, '--json');
    expect(code).toBe(3);
    const report: LoadReport = JSON.parse(out);
    expect(report.entries).toEqual([
      expect.objectContaining({
        severity: 'quarantined',
        line: 4,
        bytes: [15, 21],
        value: '31FEB26',
        reason: 'bad-date',
      }),
    ]);
  });

  test('refuses a file without its end, changes nothing, and ends with 1', async () => {
    const cut = await file('cut.ssim', good.split('\n').slice(0, 3).join('\n'));
    const before = await fresh.sql`select doc from flight_instance order by departs_at`;
    const { code, out, err } = await flightdata('import', 'ssim', cut, ...window);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`${cut}: refused, nothing was loaded: `);
    expect([...(await fresh.sql`select doc from flight_instance order by departs_at`)]).toEqual([...before]);
  });

  test('refuses a gzip file that is cut', async () => {
    const { code, err } = await flightdata('import', 'ssim', await file('cut.gz', gzipSync(good).subarray(0, 60)));
    expect(code).toBe(1);
    expect(err).toContain('cut.gz is not a whole gzip file');
  });

  test('tells a file that is not there, and ends with 1', async () => {
    const { code, err } = await flightdata('import', 'ssim', join(folder, 'nowhere.ssim'));
    expect(code).toBe(1);
    expect(err).toContain('nowhere.ssim');
  });

  test.each([
    ['a day the calendar lacks', ['--from', '2026-02-30'], "'2026-02-30' is not a date"],
    ['no days', ['--days', '0'], "'0' is not a whole number"],
    ['an option nobody knows', ['--fast'], "unknown option '--fast'"],
  ])('ends with 2 at %s', async (_, args, message) => {
    const { code, err } = await flightdata('import', 'ssim', 'x.ssim', ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

test('flightdata import master-data names the files that a directory lacks, and ends with 1', async () => {
  const { code, err } = await flightdata('import', 'master-data', folder);
  expect(code).toBe(1);
  expect(err).toContain('airportsdata_airports.csv');
});

test('flightdata expand lays out further days', async () => {
  await flightdata('import', 'ssim', await file('june.ssim', fileOf(leg())), '--from', '2026-06-01', '--days', '2');
  const { code, out } = await flightdata('expand', '--from', '2026-06-01', '--days', '5');
  expect([code, out]).toEqual([0, '3 days added, 3 flight instances\n']);
});

test('a setting that makes no sense is named with its value', async () => {
  const { code, err } = await runCommand(['expand'], { DATABASE_URL: fresh.url, HORIZON_DAYS: 'many' });
  expect([code, err]).toEqual([1, "flightdata: HORIZON_DAYS must be a whole number from 1 to 400, not 'many'\n"]);
});
