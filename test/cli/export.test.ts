import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { beforeAll, expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { flightColumns } from '#jobs/export/flight-columns.ts';
import { lockSchedules } from '#store/schedules/schedules.ts';
import { schedule } from '../products/flight-info/v2/example-schedule.ts';
import { serveStatuses, xx101, xx301 } from '../products/flight-info/v2/status-service.ts';
import { pathOf } from '../products/responses.ts';
import { untilBlocked } from '../support/database.ts';
import { sharedService } from '../support/shared-service.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { callCommand } from './call-command.ts';
import { startCommand } from './run-command.ts';

// YD 5101 is named only by its operating flight, so that it is a codeshare without a row.
const world = sharedService(() => serveStatuses({ text: schedule.replace('YY 5101 ', 'YD 5101 ') }));
const { folder } = createTemporaryFolder();

const recovery = { carrier: 'XX', flightNumber: 9101, originDate: '2026-06-01', departureAirport: 'LIS' };
const recoveryPlan = {
  flightType: 'Unscheduled',
  departs: { airport: 'LIS', at: '2026-06-01T16:00:00Z' },
  arrives: { airport: 'JFK', at: '2026-06-01T23:30:00Z' },
  aircraftType: { icao: 'B789' },
  recovers: xx101(),
};

beforeAll(async () => {
  const landing = { number: 1, airport: 'LIS', actual: { on: '2026-06-01T12:58:00Z' } };
  const departure = {
    estimated: { out: '2026-06-01T09:58:30Z' },
    actual: { out: '2026-06-01T10:21:30Z' },
    gate: 'A, "1"',
  };
  await world.report(xx101(), [
    '2026-06-01T13:10:00.250Z',
    { departure, aircraft: { registration: 'g-zxab' }, diversions: [landing] },
  ]);
  await world.report(xx301(1), ['2026-06-01T07:10:00Z', { departure: { actual: { off: '2026-06-01T07:09:00Z' } } }]);
  await world.report(recovery, ['2026-06-01T13:30:00Z', { plan: recoveryPlan }]);
});

/** Lists the flights of all pages of a search, each as the JSON text of the response. */
const listApiRows = async (query: string): Promise<readonly string[]> => {
  const rows: string[] = [];
  let url: string | undefined = `/flight-instances?version=v2&Content=Status&Limit=2&${query}`;
  while (url !== undefined) {
    const text = await (await world.get(pathOf(url))).text();
    const page: { data: FlightInstance[]; paging: { next?: string } } = JSON.parse(text);
    rows.push(...page.data.map((flight) => JSON.stringify(flight)));
    expect(text).toContain(rows.slice(-page.data.length).join(','));
    url = page.paging.next;
  }
  return rows;
};

const exportFlights = (...args: readonly string[]) =>
  callCommand(['export', 'flights', ...args], { DATABASE_URL: world.url, PUBLIC_URL: 'http://service.test' });
const june = ['--from', '2026-06-01', '--to', '2026-06-03'];
const juneQuery = 'DepartureDateTime=2026-06-01/2026-06-03';
const pathIn = (name: string): string => join(folder, name);

test('exports the rows of the API, byte for byte, to standard output', async () => {
  const rows = await listApiRows(juneQuery);
  expect(await exportFlights(...june, '--format', 'ndjson')).toEqual({
    code: 0,
    out: rows.map((row) => `${row}\n`).join(''),
    err: `Exported ${rows.length} flights departing 2026-06-01 to 2026-06-03, local dates\n`,
  });
  expect(rows.filter((row) => !row.endsWith('"statusDetails":[]}'))).toHaveLength(5);
});

test.each([
  ['a carrier', 'xx', 'CarrierCode=XX'],
  ['a carrier by its ICAO code', 'YYB', 'CarrierCode=YYB&CodeType=ICAO'],
  ['a carrier with codeshares only', 'YD', 'CarrierCode=YD'],
  ['two carriers', 'YY,YD', 'CarrierCode=YY,YD'],
])('exports the flights of %s', async (_, carriers, query) => {
  const rows = await listApiRows(`${juneQuery}&${query}`);
  const { out } = await exportFlights(...june, '--format', 'ndjson', '--carrier', carriers);
  expect([rows.length > 0, out]).toEqual([true, rows.map((row) => `${row}\n`).join('')]);
});

/** Returns the values of the columns of the flights of the API. */
const readApiCells = async (query: string) =>
  (await listApiRows(query)).map((row) => {
    const flight: FlightInstance = JSON.parse(row);
    return Object.fromEntries(
      flightColumns.map(({ name, read }) => [name, read(flight, flight.statusDetails?.[0]) ?? null]),
    );
  });

test('exports CSV that has the flights of the API, with empty cells for absent values', async () => {
  expect(await exportFlights(...june, '--format', 'csv', '--output', pathIn('flights.csv'))).toEqual({
    code: 0,
    out: expect.stringMatching(/^Exported \d+ flights departing 2026-06-01 to 2026-06-03, local dates\n$/),
    err: '',
  });
  const rows = parse(readFileSync(pathIn('flights.csv')), {
    columns: true,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  });
  const cells = (await readApiCells(juneQuery)).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)])),
  );
  expect(rows).toEqual(cells);
});

/** Returns the value that a reader of Parquet has for a cell. */
const toReadValue = (type: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  return type === 'timestamp' ? new Date(value) : type === 'local timestamp' ? new Date(`${value}Z`) : value;
};

test('exports Parquet that has the flights of the API, with the types of the columns', async () => {
  const { code } = await exportFlights(...june, '--format', 'parquet', '--output', pathIn('flights.parquet'));
  const file = await asyncBufferFromFile(pathIn('flights.parquet'));
  const cells = (await readApiCells(juneQuery)).map((row) =>
    Object.fromEntries(flightColumns.map(({ name, type }) => [name, toReadValue(type, row[name])])),
  );
  expect([code, await parquetReadObjects({ file })]).toEqual([0, cells]);
  const { schema } = await parquetMetadataAsync(file);
  const named = [
    'carrier_iata',
    'flight_number',
    'is_operating',
    'scheduled_departure_utc',
    'scheduled_departure_local',
  ];
  const optional = { repetition_type: 'OPTIONAL' };
  const timestamp = { type: 'TIMESTAMP', unit: 'MILLIS' };
  expect(named.map((name) => schema.find((element) => element.name === name))).toEqual([
    { ...optional, name: named[0], type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
    { ...optional, name: named[1], type: 'INT32' },
    { ...optional, name: named[2], type: 'BOOLEAN' },
    {
      ...optional,
      name: named[3],
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { ...timestamp, isAdjustedToUTC: true },
    },
    { ...optional, name: named[4], type: 'INT64', logical_type: { ...timestamp, isAdjustedToUTC: false } },
  ]);
});

test.each(['csv', 'parquet'])('a %s file without flights has its columns', async (format) => {
  const path = pathIn(`empty.${format}`);
  const { code } = await exportFlights(
    '--from',
    '2020-01-01',
    '--to',
    '2020-01-01',
    '--format',
    format,
    '--output',
    path,
  );
  const names =
    format === 'csv'
      ? readFileSync(path, 'utf8').trim().split(',')
      : (await parquetMetadataAsync(await asyncBufferFromFile(path))).schema.slice(1).map(({ name }) => name);
  expect([code, names]).toEqual([0, flightColumns.map(({ name }) => name)]);
});

test('an interrupted export leaves the file as it was, and no other file', async () => {
  const folderOfTest = mkdtempSync(join(folder, 'interrupted-'));
  const path = join(folderOfTest, 'flights.csv');
  writeFileSync(path, 'the previous export');
  await world.db.begin(async (sql) => {
    await lockSchedules(sql);
    const child = startCommand(['export', 'flights', ...june, '--format', 'csv', '--output', path], {
      DATABASE_URL: world.url,
    });
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => void (errors += chunk.toString()));
    const closed = once(child, 'close');
    await untilBlocked(world.db);
    const during = readdirSync(folderOfTest).toSorted();
    child.kill('SIGTERM');
    const [code] = await closed;
    expect([code, errors, during, readdirSync(folderOfTest), readFileSync(path, 'utf8')]).toEqual([
      1,
      'flightdata: the export was interrupted\n',
      ['flights.csv', expect.stringMatching(/^flights\.csv\.[0-9a-f]{8}\.tmp$/)],
      ['flights.csv'],
      'the previous export',
    ]);
  });
});

test('an export that is killed leaves the file as it was, and the next one replaces it', async () => {
  const folderOfTest = mkdtempSync(join(folder, 'killed-'));
  const path = join(folderOfTest, 'flights.csv');
  const args = ['flights', ...june, '--format', 'csv', '--output', path];
  writeFileSync(path, 'the previous export');
  await world.db.begin(async (sql) => {
    await lockSchedules(sql);
    const child = startCommand(['export', ...args], { DATABASE_URL: world.url });
    await untilBlocked(world.db);
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  const temporary = expect.stringMatching(/^flights\.csv\.[0-9a-f]{8}\.tmp$/);
  expect([readFileSync(path, 'utf8'), readdirSync(folderOfTest).toSorted()]).toEqual([
    'the previous export',
    ['flights.csv', temporary],
  ]);
  expect(await exportFlights(...args.slice(1))).toMatchObject({ code: 0 });
  expect(readFileSync(path, 'utf8').split('\r\n')[0]).toBe(flightColumns.map(({ name }) => name).join(','));
});

test('a diverted flight has the columns of its status', async () => {
  const [flight] = await readApiCells('DepartureDateTime=2026-06-01&CarrierCode=XX&FlightNumber=101');
  const key = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(Object.fromEntries(Object.entries(flight ?? {}).filter(([, value]) => value !== null))).toEqual({
    carrier_iata: 'XX',
    carrier_icao: 'XXA',
    flight_number: 101,
    service_suffix: '',
    sequence_number: 1,
    flight_type: 'Scheduled',
    service_type: 'J',
    is_operating: true,
    departure_airport_iata: 'LHR',
    departure_airport_icao: 'EGLL',
    departure_country: 'GB',
    departure_terminal: '5',
    scheduled_departure_utc: '2026-06-01T10:00:00Z',
    scheduled_departure_local: '2026-06-01T11:00:00',
    arrival_airport_iata: 'JFK',
    arrival_airport_icao: 'KJFK',
    arrival_airport_faa: 'JFK',
    arrival_country: 'US',
    arrival_terminal: '8',
    scheduled_arrival_utc: '2026-06-01T18:00:00Z',
    scheduled_arrival_local: '2026-06-01T14:00:00',
    elapsed_minutes: 480,
    number_of_stops: 0,
    intermediate_airports: '',
    accumulated_kilometers: expect.closeTo(5540, -2),
    great_circle_kilometers: expect.closeTo(5540, -2),
    cargo_tonnage: 15,
    aircraft_type_iata: '789',
    aircraft_type_icao: 'B789',
    marketing_flights: 'YD5101',
    joint_operators: '',
    schedule_instance_key: key,
    status_key: key,
    state: 'Landed',
    status_updated_at: '2026-06-01T13:10:00.250Z',
    aircraft_registration: 'GZXAB',
    status_departure_airport_iata: 'LHR',
    status_departure_airport_icao: 'EGLL',
    status_departure_country: 'GB',
    departure_gate: 'A, "1"',
    estimated_out_gate_utc: '2026-06-01T09:58:30Z',
    estimated_out_gate_local: '2026-06-01T10:58:30',
    estimated_out_gate_timeliness: 'Early',
    estimated_out_gate_variation: -90,
    actual_out_gate_utc: '2026-06-01T10:21:30Z',
    actual_out_gate_local: '2026-06-01T11:21:30',
    actual_out_gate_timeliness: 'Delayed',
    actual_out_gate_variation: 1290,
    status_arrival_airport_iata: 'LIS',
    status_arrival_airport_icao: 'LPPT',
    status_arrival_country: 'PT',
    actual_on_ground_utc: '2026-06-01T12:58:00Z',
    actual_on_ground_local: '2026-06-01T13:58:00',
    diversion_airport_iata: 'LIS',
    diversion_airport_icao: 'LPPT',
    diversion_type: 'Unplanned',
    irregular_operation_type: 'Diverted',
  });
});

test('warns about days that the database does not have', async () => {
  const format = ['--format', 'ndjson'];
  expect([
    await exportFlights('--from', '2020-01-01', '--to', '2020-01-01', ...format),
    await exportFlights('--from', '2020-01-01', '--to', '2020-01-03', ...format),
  ]).toEqual([
    {
      code: 0,
      out: '',
      err:
        'warning: the database has no flights of 2020-01-01\n' +
        'Exported 0 flights departing 2020-01-01 to 2020-01-01, local dates\n',
    },
    {
      code: 0,
      out: '',
      err:
        'warning: the database has no flights of 3 days of this range, from 2020-01-01 to 2020-01-03\n' +
        'Exported 0 flights departing 2020-01-01 to 2020-01-03, local dates\n',
    },
  ]);
});

test.each([
  ['no range', ['--format', 'csv'], 2, "required option '--from <date>' not specified"],
  [
    'an invalid date',
    ['--from', '2026-02-30', '--to', '2026-06-03', '--format', 'csv'],
    2,
    "'2026-02-30' must be a date",
  ],
  [
    'a reversed range',
    ['--from', '2026-06-03', '--to', '2026-06-01', '--format', 'csv'],
    2,
    '--to must not be before --from',
  ],
  ['an unknown format', [...june, '--format', 'xml'], 2, "'xml' is invalid. Allowed choices are ndjson, csv, parquet"],
  ['Parquet on standard output', [...june, '--format', 'parquet'], 2, '--format parquet needs --output <file>'],
  ['a directory as output', [...june, '--format', 'csv', '--output', folder], 1, 'is not a regular file'],
  [
    'an invalid carrier',
    [...june, '--format', 'csv', '--carrier', 'XX,Y'],
    2,
    "'Y' must be an IATA or ICAO code of a carrier",
  ],
  ['an unknown carrier', [...june, '--format', 'csv', '--carrier', 'XX,QQ'], 1, 'no carrier has the code QQ'],
])('rejects %s', async (_, args, code, message) => {
  expect(await exportFlights(...args)).toEqual({ code, out: '', err: expect.stringContaining(message) });
});
