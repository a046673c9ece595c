import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { mct, formatMctFile, formatMctLine } from '#test/support/mct-lines.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { saveTinyMasterData } from '#test/support/tiny-world.ts';
import { callCommand } from '../call-command.ts';
import type { CommandResult } from '../run-command.ts';

const { sql, url } = await sharedDatabase();
await saveTinyMasterData(sql);
const { folder, write } = createTemporaryFolder();
const flightdata = (...args: readonly string[]): Promise<CommandResult> => callCommand(args, { DATABASE_URL: url });
const valid = buildFile(buildLeg({ 22: '02JUN26' }));
const window = ['--from', '2026-06-01', '--days', '10'];

test('flightdata import ssim loads a plain or gzip file with any name, and prints the report as text or JSON', async () => {
  const { code, out, err } = await flightdata('import', 'ssim', write('good.ssim', valid), ...window);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('accepted: 1 header, 1 carrier, 1 trailer, 1 leg');
  expect(out).toContain('2 flight instances');
  expect(out).toContain('0 quarantined, 0 corrected, 0 notice');
  const packed = write('packed.dat', gzipSync(valid));
  const again = await flightdata('import', 'ssim', packed, ...window, '--json');
  const accepted = expect.objectContaining({ leg: 1, 'flight instances': 2 });
  expect([again.code, JSON.parse(again.out)]).toEqual([0, { source: 'packed.dat', accepted, entries: [] }]);
});

const standard = formatMctLine(mct());

test('flightdata import mct loads a gzip file, and prints the report as JSON', async () => {
  const packed = write('packed.mct', gzipSync(formatMctFile(standard)));
  const { code, out } = await flightdata('import', 'mct', packed, '--json');
  const accepted = { header: 1, 'station standard': 1, trailer: 1 };
  expect([code, JSON.parse(out)]).toEqual([0, { source: 'packed.mct', accepted, entries: [] }]);
});

test('flightdata import mct exits with 3 when a record is quarantined, and reports line, bytes, field and value', async () => {
  const text = formatMctFile(standard, standard.replace('0100', '0160').replace('II', 'DD'));
  const { code, out } = await flightdata('import', 'mct', write('bad.mct', text));
  expect([code, out]).toEqual([
    3,
    expect.stringContaining("line 3, bytes 5-8, time: '0160' is not a time (HHMM, 0000-9959). [0160]"),
  ]);
});

const updates = write('updates.mct', formatMctFile(formatMctLine(mct())).replace('1200F', '1200U'));
const onlyWhole = 'The file is an update file; only full files (F) can be loaded. [U]';
const endless = write('endless.ssim', valid.split('\n').slice(0, 3).join('\n'));
const cut = write('cut.gz', gzipSync(valid).subarray(0, 60));
test.each([
  [
    'ssim',
    [join(folder, 'nowhere.ssim')],
    1,
    `${join(folder, 'nowhere.ssim')}: rejected, nothing loaded: it does not exist; correct the path`,
  ],
  ['ssim', [endless], 1, `${endless}: rejected, nothing loaded: `],
  ['ssim', [cut], 1, `${cut}: rejected, nothing loaded: cut.gz is not a complete gzip file`],
  ['ssim', [folder], 1, `${folder}: rejected, nothing loaded: it is a directory; name a file`],
  ['mct', [folder], 1, `${folder}: rejected, nothing loaded: it is a directory; name a file`],
  ['mct', [updates], 1, `${updates}: rejected, nothing loaded: line 1, bytes 78-78: ${onlyWhole}\n`],
  ['master-data', [folder], 1, 'airportsdata_airports.csv'],
  ['ssim', ['x.ssim', '--from', '2026-02-30'], 2, "'2026-02-30' must be a date"],
  ['ssim', ['x.ssim', '--days', '0'], 2, "'0' must be a whole number"],
  ['ssim', ['x.ssim', '--fast'], 2, "unknown option '--fast'"],
  ['mct', ['one.mct', 'two.mct'], 2, 'too many arguments'],
])('flightdata import %s %j exits with %i', async (kind, args, code, message) => {
  expect(await flightdata('import', kind, ...args)).toEqual({ code, out: '', err: expect.stringContaining(message) });
});

const invalidTime = buildLeg({ 40: '9999' });
const timeMessage = "'9999' is not a departure time (0000-2359).";
const invalidMct = formatMctLine(mct()).replace('II', 'XX');
const statusMessage = "'XX' is not a status (DD, DI, ID or II).";
const quarantined = { severity: 'quarantined', line: 3, bytes: [40, 43], value: '9999', reason: 'bad-time' };
const flawed = { severity: 'quarantined', line: 2, bytes: [9, 10], value: 'XX', reason: 'bad-status' };
test.each([
  ['ssim', buildFile(invalidTime), 'line 3, bytes 40-43', { ...quarantined, message: timeMessage }],
  [
    'mct',
    formatMctFile(invalidMct),
    'line 2, bytes 9-10, status',
    { ...flawed, field: 'status', message: statusMessage },
  ],
])('flightdata import %s lists the quarantined records of a file that it rejects', async (kind, text, at, entry) => {
  const file = write(`rejected.${kind}`, text);
  const lines = [
    'quarantined',
    `  ${at}: ${entry.message} [${entry.value}]`,
    'quarantined by reason',
    `  ${entry.reason}: 1`,
  ];
  const plain = await flightdata('import', kind, file);
  expect([plain.code, plain.out, plain.err.split('\n').slice(1)]).toEqual([1, '', [...lines, '']]);
  const json = await flightdata('import', kind, file, '--json');
  expect([json.code, JSON.parse(json.out)]).toEqual([
    1,
    {
      source: file,
      rejected: expect.objectContaining({ reason: kind === 'ssim' ? 'no-legs' : 'no-records' }),
      quarantined: { [entry.reason]: 1 },
      entries: [entry],
    },
  ]);
});

test('flightdata import ssim lists the first 100 quarantined records of a rejected file', async () => {
  const legs = Array.from({ length: 102 }, () => invalidTime);
  const { err } = await flightdata('import', 'ssim', write('many.ssim', buildFile(...legs, buildLeg({ 73: '7 9' }))));
  const lines = err.split('\n');
  expect([lines.length, lines[1], lines[2], lines[101]]).toEqual([
    107,
    'quarantined',
    `  line 3, bytes 40-43: ${timeMessage} [9999]`,
    `  line 102, bytes 40-43: ${timeMessage} [9999]`,
  ]);
  const counts = ['quarantined by reason', '  bad-time: 102', '  bad-equipment: 1', ''];
  expect(lines.slice(102)).toEqual(['  and 3 more; --json prints all', ...counts]);
});

test('flightdata import master-data updates the schedule records', async () => {
  await flightdata('import', 'ssim', write('early.ssim', buildFile(buildLeg({ 55: 'OPO' }))), '--days', '1');
  mkdirSync(join(folder, 'master'));
  const lists = {
    'airportsdata_airports.csv': [
      'icao,iata,name,city,subd,country,elevation,lat,lon,tz,lid',
      'EGLL,LHR,Heathrow,London,England,GB,80,51.47,-0.46,Europe/London,',
      'LPXX,OPO,Porto,Porto,Porto,PT,80,41.24,-8.68,Europe/Lisbon,',
    ],
    'ourairports_countries.csv': ['code,name', 'GB,United Kingdom', 'PT,Portugal'],
    'optd_airlines.csv': [
      'key^env_id^validity_from^validity_to^3char_code^2char_code^name^alliance_code^type^flt_freq^bases',
      'b^^^^XXA^XX^Example Airways^^P^338012^LHR',
    ],
    'optd_aircraft.csv': [
      'iata_code^manufacturer^model^iata_group^iata_category^icao_code^nb_engines^aircraft_type',
      '320^Airbus^A320^32S^2J^A320^2^J',
    ],
  };
  for (const [name, lines] of Object.entries(lists)) write(`master/${name}`, `${lines.join('\n')}\n`);
  const importLists = () => flightdata('import', 'master-data', join(folder, 'master'), '--force');
  const readIcaoCodes = async (): Promise<readonly string[]> => {
    const rows = await sql<{ doc: string }[]>`select doc from schedule_document`;
    return rows.map(({ doc }) => /"airport":\{"iata":"OPO","icao":([^,]*)/.exec(doc)?.[1] ?? '');
  };
  expect(await readIcaoCodes()).toEqual(['"LPPR"']);
  const first = await importLists();
  expect([first.code, first.err]).toEqual([0, 'Updated 1 schedule records\n']);
  expect(await readIcaoCodes()).toEqual(['"LPXX"']);
  expect((await importLists()).err).toBe('');
});

test('flightdata expand expands further days', async () => {
  const june = write('june.ssim', buildFile(buildLeg()));
  await flightdata('import', 'ssim', june, '--from', '2026-06-01', '--days', '2');
  const { code, out } = await flightdata('expand', '--from', '2026-06-01', '--days', '5');
  expect([code, out]).toEqual([0, 'Added 3 days with 3 flight instances\n']);
});
