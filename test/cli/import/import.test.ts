import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoadReport } from '../../../src/feeds/load-report.ts';
import { buildFile, buildLeg } from '../../feeds/ssim/build-file.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { mct, formatMctFile, formatMctLine } from '../../support/mct-lines.ts';
import { saveTinyMasterData } from '../../support/tiny-world.ts';
import { runCommand, type CommandResult } from '../run-command.ts';

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

const flightdata = (...args: readonly string[]): Promise<CommandResult> =>
  runCommand(args, { DATABASE_URL: fresh.url });

const valid = buildFile(buildLeg({ 22: '02JUN26' }));
const window = ['--from', '2026-06-01', '--days', '10'];

describe('flightdata import ssim', () => {
  test('loads a file, prints the report and exits with 0', async () => {
    const { code, out, err } = await flightdata('import', 'ssim', await file('good.ssim', valid), ...window);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('accepted: 1 header, 1 carrier, 1 trailer, 1 leg');
    expect(out).toContain('2 flight instances');
    expect(out).toContain('0 quarantined, 0 corrected, 0 notice');
  });

  test('loads a gzip file with any name and prints the report as JSON', async () => {
    const { code, out } = await flightdata(
      'import',
      'ssim',
      await file('packed.dat', gzipSync(valid)),
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

  test('exits with 3 when a record is quarantined, and reports line, bytes, value and reason', async () => {
    const invalid = await file(
      'bad-record.ssim',
      buildFile(buildLeg({ 22: '02JUN26' }), buildLeg({ 6: '0102', 15: '31FEB26' })),
    );
    const { code, out } = await flightdata('import', 'ssim', invalid, ...window, '--json');
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

  test('rejects a file without a trailer, changes nothing and exits with 1', async () => {
    const cut = await file('cut.ssim', valid.split('\n').slice(0, 3).join('\n'));
    const before = await fresh.sql`select doc from flight_instance order by departs_at`;
    const { code, out, err } = await flightdata('import', 'ssim', cut, ...window);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`${cut}: refused, nothing was loaded: `);
    expect([...(await fresh.sql`select doc from flight_instance order by departs_at`)]).toEqual([...before]);
  });

  test('rejects a truncated gzip file', async () => {
    const { code, err } = await flightdata('import', 'ssim', await file('cut.gz', gzipSync(valid).subarray(0, 60)));
    expect(code).toBe(1);
    expect(err).toContain('cut.gz is not a whole gzip file');
  });

  test('reports a missing file and exits with 1', async () => {
    const { code, err } = await flightdata('import', 'ssim', join(folder, 'nowhere.ssim'));
    expect(code).toBe(1);
    expect(err).toContain('nowhere.ssim');
  });

  test.each([
    ['a date that does not exist', ['--from', '2026-02-30'], "'2026-02-30' is not a date"],
    ['no days', ['--days', '0'], "'0' is not a whole number"],
    ['an unknown option', ['--fast'], "unknown option '--fast'"],
  ])('exits with 2 for %s', async (_, args, message) => {
    const { code, err } = await flightdata('import', 'ssim', 'x.ssim', ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('flightdata import mct', () => {
  const standard = formatMctLine(mct());

  test('loads a plain or gzip file, prints the report and exits with 0', async () => {
    const { code, out, err } = await flightdata('import', 'mct', await file('good.mct', formatMctFile(standard)));
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('accepted: 1 header, 1 station standard, 1 trailer');
    const packed = await file('packed.mct', gzipSync(formatMctFile(standard)));
    const again = await flightdata('import', 'mct', packed, '--json');
    expect([again.code, JSON.parse(again.out)]).toEqual([
      0,
      { source: 'packed.mct', accepted: { header: 1, 'station standard': 1, trailer: 1 }, entries: [] },
    ]);
  });

  test('exits with 3 when a record is quarantined, and reports line, bytes, field and value', async () => {
    const invalid = await file(
      'bad.mct',
      formatMctFile(standard, standard.replace('0100', '0160').replace('II', 'DD')),
    );
    const { code, out } = await flightdata('import', 'mct', invalid);
    expect(code).toBe(3);
    expect(out).toContain("line 3, bytes 5-8, time: '0160' is not a time (HHMM, 0000-9959). [0160]");
  });

  test('rejects a file of updates, changes nothing and exits with 1', async () => {
    const updates = await file('updates.mct', formatMctFile(standard).replace('1200F', '1200U'));
    const before = await fresh.sql`select doc from mct_record`;
    const { code, out, err } = await flightdata('import', 'mct', updates);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(
      `${updates}: refused, nothing was loaded: line 1, bytes 78-78: The file holds updates of another one; only files that hold everything (F) can be loaded. [U]\n`,
    );
    expect([...(await fresh.sql`select doc from mct_record`)]).toEqual([...before]);
  });

  test('accepts one file only, because each file replaces the one before', async () => {
    const { code, err } = await flightdata('import', 'mct', 'one.mct', 'two.mct');
    expect(code).toBe(2);
    expect(err).toContain('too many arguments');
  });
});

test.each(['ssim', 'mct'])('flightdata import %s rejects a directory by name and exits with 1', async (kind) => {
  const { code, out, err } = await flightdata('import', kind, folder);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(`${folder}: refused, nothing was loaded: EISDIR`);
});

test('flightdata import master-data names the files that a directory lacks and exits with 1', async () => {
  const { code, err } = await flightdata('import', 'master-data', folder);
  expect(code).toBe(1);
  expect(err).toContain('airportsdata_airports.csv');
});

test('flightdata import master-data updates the schedule records', async () => {
  const { sql, url, drop } = await freshDatabase();
  try {
    const run = (...args: readonly string[]): Promise<CommandResult> => runCommand(args, { DATABASE_URL: url });
    await run('import', 'ssim', await file('early.ssim', buildFile(buildLeg({ 55: 'LGW' }))), '--days', '1');
    const files = await mkdtemp(join(folder, 'master-'));
    const lists = {
      'airportsdata_airports.csv': [
        'icao,iata,name,city,subd,country,elevation,lat,lon,tz,lid',
        'EGLL,LHR,Heathrow,London,England,GB,80,51.47,-0.46,Europe/London,',
        'EGKK,LGW,Gatwick,London,England,GB,80,51.15,-0.19,Europe/London,',
      ],
      'ourairports_countries.csv': ['code,name', 'GB,United Kingdom'],
      'optd_airlines.csv': [
        'key^env_id^validity_from^validity_to^3char_code^2char_code^name^alliance_code^type^flt_freq^bases',
        'b^^^^XXA^XX^Example Airways^^P^338012^LHR',
      ],
      'optd_aircraft.csv': [
        'iata_code^manufacturer^model^iata_group^iata_category^icao_code^nb_engines^aircraft_type',
        '320^Airbus^A320^32S^2J^A320^2^J',
      ],
    };
    for (const [name, lines] of Object.entries(lists)) await writeFile(join(files, name), `${lines.join('\n')}\n`);
    const readIcaoCodes = async (): Promise<readonly string[]> => {
      const rows = await sql<{ doc: string }[]>`select doc from schedule_document`;
      return rows.map(({ doc }) => /"airport":\{"iata":"LGW","icao":([^,]*)/.exec(doc)?.[1] ?? '');
    };
    expect(await readIcaoCodes()).toEqual(['null']);
    const first = await run('import', 'master-data', files);
    expect([first.code, first.err]).toEqual([0, '1 schedule records written anew\n']);
    expect(await readIcaoCodes()).toEqual(['"EGKK"']);
    const second = await run('import', 'master-data', files);
    expect([second.code, second.err]).toEqual([0, '']);
  } finally {
    await drop();
  }
});

test('flightdata import master-data --help documents the option that loads a list that shrank', async () => {
  const { code, out } = await flightdata('import', 'master-data', '--help');
  expect(code).toBe(0);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    '--force load files that lack more than 5 % of the stations or carriers that the last ones had',
  );
});

test('flightdata expand expands further days', async () => {
  await flightdata(
    'import',
    'ssim',
    await file('june.ssim', buildFile(buildLeg())),
    '--from',
    '2026-06-01',
    '--days',
    '2',
  );
  const { code, out } = await flightdata('expand', '--from', '2026-06-01', '--days', '5');
  expect([code, out]).toEqual([0, '3 days added, 3 flight instances\n']);
});

test('reports an invalid setting with its value', async () => {
  const { code, err } = await runCommand(['expand'], { DATABASE_URL: fresh.url, HORIZON_DAYS: 'many' });
  expect([code, err]).toEqual([1, "flightdata: HORIZON_DAYS must be a whole number from 1 to 400, not 'many'\n"]);
});
