import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Schedule, SchedulePage } from '../../../generated/schedules/v1/types.gen.ts';
import { toJsonObject } from '../../../src/lib/openapi-document.ts';
import { localDate } from '../../../src/domain/time/dates.ts';
import { buildOnTime } from '../../../src/jobs/statistics/build-on-time.ts';
import { buildCarrier, header, buildLeg, buildTrailer, buildWholeFile } from '../../feeds/ssim/build-file.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../support/tiny-world.ts';
import { Contract } from '../contract.ts';
import {
  createCoverage,
  findUnusedParameters,
  listParameterNames,
  listUsedNames,
  type Coverage,
  type ParameterUse,
} from '../coverage/coverage.ts';
import { serveCoveredWorld } from '../coverage/covered-service.ts';
import { listUnobservable } from '../coverage/unobserved-values.ts';

const contract = new Contract('schedules/v1');
const list = '/flights';
const single = '/flights/{fingerprint}';
const health = '/schedules/health';

/** WW 701 LHR-JFK, every other week, across the days on which both cities change their clocks. */
const autumn = buildWholeFile(
  header,
  buildCarrier({ 3: 'WW' }),
  buildLeg({ 3: 'WW', 6: '0701', 15: '05OCT26', 22: '30NOV26', 29: '1  4   ', 36: '2' }),
  buildTrailer('E', 'WW'),
);

let world: TinyService;
/** A service whose database connection is closed. */
let disconnected: TinyService;
let coverage: Coverage;
const send: Coverage['send'] = (path, query, get) => coverage.send(path, query, get);

let records: readonly Schedule[] = [];
let cursor = '';

const page = async (query: string): Promise<SchedulePage> => {
  const records: SchedulePage = await (await world.get(query)).json();
  return records;
};

beforeAll(async () => {
  [world, disconnected] = await Promise.all([serveCoveredWorld(), serveTinyWorld()]);
  await publishText(world.db, autumn);
  await buildOnTime(world.db, { today: localDate('2026-06-10') });
  await world.refresh();
  coverage = createCoverage(contract, world.get);
  records = (await page(`${list}?Limit=100`)).data;
  cursor = new URL((await page(`${list}?Limit=3`)).paging.next ?? '').searchParams.get('cursor') ?? '';
  await disconnected.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, disconnected]) await drop();
});

describe('responses cover everything that the document declares', () => {
  beforeAll(async () => {
    for (const query of ['', '?Content=Seats&Limit=100', '?Limit=3', `?Limit=3&cursor=${cursor}`, '?Limit=0'])
      await send(list, `${list}${query}`);
    for (const { fingerprint } of records) await send(single, `${list}/${fingerprint}`);
    await send(health, health);
    await send(health, health, (query) => disconnected.get(query, {}));
  });

  test('every property has a value, and every enumerated value occurs', () => {
    const { declared, unobserved } = coverage.paths();
    expect(unobserved).toEqual(listUnobservable('schedules/v1'));
    expect(declared.length).toBeGreaterThan(180);
  });

  test('every record has every property, with null for no value', () => {
    const required = Object.keys(
      toJsonObject(toJsonObject(toJsonObject(contract.document['components'])['schemas'])['Schedule'])['properties'] ??
        {},
    );
    const lacking = records.filter((record) => required.some((name) => !(name in record)));
    expect(lacking).toEqual([]);
    expect(required.length).toBeGreaterThan(30);
  });

  test('all responses conform to the document', () => {
    expect(coverage.problems).toEqual([]);
  });
});

const used = (parameter: string, value: string, rest = 'Limit=100'): ParameterUse => ({
  path: list,
  parameter,
  value,
  without: `${list}?${rest}`,
  with: `${list}?${rest}&${parameter}=${value}`,
});

const serviceTypes = ['Passenger', 'Cargo', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const uses = (): readonly ParameterUse[] => [
  used('DepartureDate', '2026-06-01'),
  // A range matches a record that becomes valid within it, even without a flight on its last day.
  used('DepartureDate', '2026-09-01/2026-10-05'),
  used('DepartureAirport', 'JFK'),
  used('ArrivalAirport', 'LAX'),
  used('IataCarrierCode', 'YY'),
  used('IcaoCarrierCode', 'YYB'),
  used('FlightNumber', '101'),
  ...serviceTypes.map((value) => used('ServiceType', value)),
  used('Content', 'Seats'),
  used('Limit', '3', 'version=v1'),
  used('cursor', cursor, 'Limit=3'),
  {
    path: single,
    parameter: 'fingerprint',
    without: `${list}/${records[0]?.fingerprint}`,
    with: `${list}/${records[1]?.fingerprint}`,
  },
  // There is only one version: selecting it equals the default.
  ...[
    [list, list],
    [single, `${list}/${records[0]?.fingerprint}`],
    [health, health],
  ].map(([path = '', address]) => ({
    path,
    parameter: 'version',
    value: 'v1',
    without: `${address}?version=v9`,
    with: `${address}?version=v1`,
  })),
];

describe('every parameter of the document changes a response', () => {
  test('each parameter use changes the response and returns data', async () => {
    expect(await findUnusedParameters(coverage, uses())).toEqual([]);
    expect(coverage.problems).toEqual([]);
  });

  test('every parameter and every enumerated value is tested', () => {
    const declared = listParameterNames(contract);
    const covered = listUsedNames(uses());
    expect(declared.filter((name) => !covered.has(name))).toEqual([]);
    expect(declared.length).toBeGreaterThan(40);
  });
});
