import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FeedError } from '#feeds/feed-error.ts';
import { listCarriers, getOrInsertCarrier } from '#store/master-data/carriers.ts';
import { listEquipment } from '#store/master-data/equipment.ts';
import { getOrInsertLocation, listLocations } from '#store/master-data/locations.ts';
import { areRecordsDue, deleteRecordsDue } from '#store/schedules/schedule-records.ts';
import { importMasterData } from '#jobs/import/import-master-data.ts';
import { db, useDatabase } from '../job-database.ts';
import { required } from './required-files.ts';

const retired = [
  'iata_code^icao_code^faa_code^name^latitude^longitude^fcode^date_from^date_until^country_code^timezone^city_code_list^city_detail_list|country_code|state_code^location_type^adm1_code',
  'TSE^UACC^^Astana^51.02^71.46^AIRP^^2020-05-31^KZ^Asia/Almaty^NQZ^NQZ|1526273|Nur-Sultan|Nur-Sultan|KZ|^A^',
];

let dir: string;
useDatabase({ reset: (sql) => sql`truncate location, carrier, equipment cascade` });
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'master-data-'));
});
afterEach(() => rm(dir, { recursive: true }));

const writeFiles = async (files: Readonly<Record<string, readonly string[]>>): Promise<void> => {
  for (const [name, lines] of Object.entries(files)) {
    const text = Buffer.from(`${lines.join('\n')}\n`);
    await writeFile(join(dir, name), name.endsWith('.gz') ? gzipSync(text) : text);
  }
};

const importDir = async (lines: string[] = []) => importMasterData({ sql: db, dir, log: (line) => lines.push(line) });

const importFiles = async (files: Readonly<Record<string, readonly string[]>>): Promise<void> => {
  await writeFiles(files);
  await importDir();
};

const importError = async (): Promise<FeedError> => {
  const error: unknown = await importDir().catch((thrown: unknown) => thrown);
  if (!(error instanceof FeedError)) throw new Error('the import was not rejected with a FeedError', { cause: error });
  return error;
};

const readAll = async () => Promise.all([listLocations(db), listCarriers(db), listEquipment(db)]);
const owners = async () => (await listCarriers(db)).map(({ iata, icao, rank }) => `${iata} ${icao} ${rank}`);
const codes = async () => (await listLocations(db)).map(({ iata, icao, faa }) => `${iata}/${icao}/${faa}`);

test('imports plain and compressed files of a directory, and counts the accepted records', async () => {
  await writeFiles({ ...required, 'optd_por_no_longer_valid.csv.gz': retired });
  const lines: string[] = [];
  const progress: unknown[] = [];
  const report = await importMasterData({
    sql: db,
    dir,
    log: (line) => lines.push(line),
    onProgress: (step) => progress.push(step),
  });
  const equipment = await listEquipment(db);
  expect(report.source).toBe(dir);
  expect(report.accepted).toEqual({ cities: 1, locations: 4, carriers: 2, equipment: equipment.length });
  expect(report.entries.filter(({ reason }) => reason === 'optional-file-absent').map(({ value }) => value)).toEqual([
    'airportsdata_iata_macs.csv',
    'optd_por_best_known_so_far.csv',
    'ourairports_airports.csv',
    'ourairports_regions.csv',
    'vrs_airlines.csv',
    'vrs_model_types.csv',
    'optd_airline_alliance_membership.csv',
    'optd_usdot_wac.csv',
    'cabin_letters.csv',
  ]);
  const added = ['cities: 1', 'locations: 4', 'carriers: 2', `equipment: ${equipment.length}`];
  expect(lines).toEqual(added.map((count) => `${count} added, 0 changed`));
  expect(progress[0]).toEqual({ file: 'ourairports_countries.csv', step: 1, steps: 5 });
  expect(progress.at(-1)).toEqual({ file: 'optd_aircraft.csv', step: 5, steps: 5 });
  expect(await codes()).toEqual(['LHR/EGLL/', 'NQZ/UACC/', '//2G4', 'TSE/UACC/']);
  expect(await owners()).toEqual(['LH DLH 1', 'LH GEC 2']);
});

test('a second import of the same files changes nothing; schedule records are due after the first one only', async () => {
  await importFiles({ ...required, 'optd_por_no_longer_valid.csv': retired });
  expect(await db.begin(deleteRecordsDue)).toBe(true);
  const before = await readAll();
  const lines: string[] = [];
  await importDir(lines);
  expect(lines).toEqual(['cities', 'locations', 'carriers', 'equipment'].map((kind) => `${kind}: 0 added, 0 changed`));
  expect([await readAll(), await areRecordsDue(db)]).toEqual([before, false]);
});

test('a station or carrier that a schedule added keeps its ID when master data include it', async () => {
  const station = await db.begin((sql) => getOrInsertLocation(sql, { iata: 'LHR' }));
  const carrier = await db.begin((sql) => getOrInsertCarrier(sql, { iata: 'LH' }));
  await importFiles(required);
  const locations = await listLocations(db);
  const airports = locations.filter(({ iata }) => iata === 'LHR');
  expect(airports.map(({ id, icao }) => [id, icao])).toEqual([[station.id, 'EGLL']]);
  const kept = (await listCarriers(db)).filter(({ id }) => id === carrier.id);
  expect([kept.map(({ icao }) => icao), await owners()]).toEqual([['DLH'], ['LH DLH 1', 'LH GEC 2']]);
});

test('an airport that gets another code keeps its row for the old one and has a new row for the new one', async () => {
  await importFiles(required);
  const [before] = (await listLocations(db)).filter(({ iata }) => iata === 'NQZ');
  const [header = '', ...rows] = required['airportsdata_airports.csv'];
  await importFiles({ 'airportsdata_airports.csv': [header, ...rows.map((row) => row.replace('NQZ', 'AST'))] });
  const sharing = (await listLocations(db)).filter(({ icao }) => icao === 'UACC');
  expect(sharing.map(({ iata }) => iata)).toEqual(['AST', 'NQZ']);
  expect(sharing[1]).toEqual(before);
});

test.each([
  ['no longer listed ranks after the current owner of its code', 'NEW^LH', ['LH NEW 1', 'LH DLH 99', 'LH GEC 99']],
  ['listed under another IATA code is found under the new one', 'DLH^L9', ['L9 DLH 1', 'LH DLH 99', 'LH GEC 99']],
])('a carrier that is %s', async (_, listed, expected) => {
  await importFiles(required);
  const [columns = ''] = required['optd_airlines.csv'];
  await importFiles({ 'optd_airlines.csv': [columns, `c^^^^${listed}^Lufthansa^^P^1^`] });
  expect(await owners()).toEqual(expected);
});

const [header = '', ...rows] = required['airportsdata_airports.csv'];
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const airports = letters.map((letter) => `,XX${letter},Field ${letter},Town,England,GB,1,51,-1,Europe/London,`);
const list = (count: number) => ({ 'airportsdata_airports.csv': [header, ...rows, ...airports.slice(0, count)] });

test('files with far fewer records than the last ones are rejected without changes', async () => {
  await importFiles({ ...required, ...list(26) });
  const before = await codes();
  await writeFiles(list(5));
  const { message, reason } = await importError();
  expect([message, reason]).toEqual([
    '21 of 28 stations in use are missing in the main list, more than the limit of 5 %; check whether a file is truncated, or load it with --force',
    'too-many-gone',
  ]);
  expect(await codes()).toEqual(before);
});

test('files with far fewer records than the last ones are imported with --force, and the next import reports nothing', async () => {
  await importFiles({ ...required, ...list(26) });
  await writeFiles(list(5));
  const report = await importMasterData({ sql: db, dir, log: () => {}, isForced: true });
  expect(report.entries.filter(({ reason }) => reason === 'no-longer-listed')).toEqual([
    {
      severity: 'notice',
      field: 'stations in use',
      value: '21',
      reason: 'no-longer-listed',
      message:
        '21 of 28 stations in use are no longer in the main list. They stay, and are returned only if no other record has their code.',
    },
  ]);
  expect(await codes()).toHaveLength(29);
  expect((await importDir([])).entries.filter(({ reason }) => reason === 'no-longer-listed')).toEqual([]);
});

test('files with far fewer records than the last ones are rejected for carriers too, even if another list still has them', async () => {
  const [columns = ''] = required['optd_airlines.csv'];
  const carriers = letters.map((letter) => `${letter}^^^^AA${letter}^A${letter}^Carrier ${letter}^^P^1^`);
  const others = ['Code,Name,ICAO,IATA', ...letters.map((letter) => `x,Carrier ${letter},AA${letter},A${letter}`)];
  await importFiles({ ...required, 'optd_airlines.csv': [columns, ...carriers], 'vrs_airlines.csv': others });
  await writeFiles({ 'optd_airlines.csv': [columns, ...carriers.slice(0, 3)] });
  expect((await importError()).message).toContain('23 of 26 carriers are missing in the main list');
});

test('rejects a file that exists both plain and compressed', async () => {
  await writeFiles({ ...required, 'optd_aircraft.csv.gz': required['optd_aircraft.csv'] });
  expect((await importError()).message).toBe(
    `${dir} contains both optd_aircraft.csv and optd_aircraft.csv.gz; remove one of them`,
  );
});

test('names all missing files of a directory, and which files are required or optional', async () => {
  await writeFiles({ 'optd_airlines.csv': ['x'], 'notes.txt': ['x'], 'airportsdata_airports.csv.bak': ['x'] });
  expect((await importError()).message).toBe(
    `${dir} does not contain airportsdata_airports.csv, ourairports_countries.csv, optd_aircraft.csv. ` +
      'Required files: airportsdata_airports.csv, ourairports_countries.csv, optd_airlines.csv, optd_aircraft.csv; ' +
      'optional files: airportsdata_iata_macs.csv, optd_por_best_known_so_far.csv, optd_por_public_all.csv, optd_por_no_longer_valid.csv, ' +
      'ourairports_airports.csv, ourairports_regions.csv, vrs_airlines.csv, vrs_model_types.csv, ' +
      'optd_airline_alliance_membership.csv, optd_usdot_wac.csv, cabin_letters.csv. Each can be compressed with gzip.',
  );
});

test('names a directory that does not exist', async () => {
  const missing = importMasterData({ sql: db, dir: `${dir}/none`, log: () => {} });
  const message = `the directory ${dir}/none cannot be read`;
  await expect(missing).rejects.toMatchObject({ name: 'FeedError', message, reason: 'no-such-directory' });
});

const cutOff = gzipSync('iata_code^manufacturer^model^icao_code\n320^Airbus^A320^A320\n').subarray(0, 40);
test.each([
  ['is cut off', 'optd_aircraft.csv.gz', cutOff],
  ['is not a gzip file', 'optd_aircraft.csv.gz', 'iata_code^manufacturer'],
  ['has other columns', 'optd_aircraft.csv', 'code,name\n320,Airbus\n'],
  ['is empty', 'optd_aircraft.csv', ''],
])('when the last file %s, the others are not imported', async (_what, name, content) => {
  const { 'optd_aircraft.csv': _aircraft, ...others } = required;
  await writeFiles(others);
  await writeFile(join(dir, name), content);
  expect((await importError()).message).toContain(name);
  expect([await codes(), await listCarriers(db)]).toEqual([[], []]);
});

test('stores nothing when the database rejects one part', async () => {
  await writeFiles(required);
  await db`alter table equipment add constraint none_at_all check (iata <> '320')`;
  try {
    await expect(importDir()).rejects.toThrow('none_at_all');
  } finally {
    await db`alter table equipment drop constraint none_at_all`;
  }
  expect(await readAll()).toEqual([[], [], []]);
});
