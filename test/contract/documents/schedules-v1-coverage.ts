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

/** WW 701 LHR-JFK, every other week, over the days on which the clocks of both cities change. */
const autumn = buildWholeFile(
  header,
  buildCarrier({ 3: 'WW' }),
  buildLeg({ 3: 'WW', 6: '0701', 15: '05OCT26', 22: '30NOV26', 29: '1  4   ', 36: '2' }),
  buildTrailer('E', 'WW'),
);

let world: TinyService;
/** Its database has been left. */
let away: TinyService;
let coverage: Coverage;
const ask: Coverage['ask'] = (path, question, get) => coverage.ask(path, question, get);

let records: readonly Schedule[] = [];
let cursor = '';

const page = async (question: string): Promise<SchedulePage> => {
  const found: SchedulePage = await (await world.get(question)).json();
  return found;
};

beforeAll(async () => {
  [world, away] = await Promise.all([serveCoveredWorld(), serveTinyWorld()]);
  await publishText(world.db, autumn);
  await buildOnTime(world.db, { today: localDate('2026-06-10') });
  await world.refresh();
  coverage = createCoverage(contract, world.get);
  records = (await page(`${list}?Limit=100`)).data;
  cursor = new URL((await page(`${list}?Limit=3`)).paging.next ?? '').searchParams.get('cursor') ?? '';
  await away.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, away]) await drop();
});

describe('everything that the document says of answers is found in an answer', () => {
  beforeAll(async () => {
    for (const question of ['', '?Content=Seats&Limit=100', '?Limit=3', `?Limit=3&cursor=${cursor}`, '?Limit=0'])
      await ask(list, `${list}${question}`);
    for (const { fingerprint } of records) await ask(single, `${list}/${fingerprint}`);
    await ask(health, health);
    await ask(health, health, (question) => away.get(question, {}));
  });

  test('every property has a value in one, and every value of an enumeration is in one', () => {
    const { declared, unseen } = coverage.places();
    expect(unseen).toEqual(listUnobservable('schedules/v1'));
    expect(declared.length).toBeGreaterThan(180);
  });

  test('every property of a record is in every record, with null where it has no value', () => {
    const required = Object.keys(
      toJsonObject(toJsonObject(toJsonObject(contract.document['components'])['schemas'])['Schedule'])['properties'] ??
        {},
    );
    const lacking = records.filter((record) => required.some((name) => !(name in record)));
    expect(lacking).toEqual([]);
    expect(required.length).toBeGreaterThan(30);
  });

  test('and all those answers are as the document says', () => {
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
  // A range finds a record that becomes valid in it, though it has no flight on the last of its days alone.
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
  // There is one version: to ask for it is to ask for none other.
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

describe('everything that the document says of questions changes an answer', () => {
  test('every use of a parameter has another answer than the question without it, and one that is not empty', async () => {
    expect(await findUnusedParameters(coverage, uses())).toEqual([]);
    expect(coverage.problems).toEqual([]);
  });

  test('and no parameter, and no value of an enumeration, is left out above', () => {
    const declared = listParameterNames(contract);
    const covered = listUsedNames(uses());
    expect(declared.filter((name) => !covered.has(name))).toEqual([]);
    expect(declared.length).toBeGreaterThan(40);
  });
});
