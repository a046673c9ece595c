import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toJsonObject } from '../../../src/lib/openapi-document.ts';
import { xx301, type StatusService } from '../../products/flight-info/v2/status-service.ts';
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

const contract = new Contract('flight-info/v1');
const list = '/flight-instances';
const health = '/flights/health';
const v1 = `${list}?version=v1`;
const june1 = 'DepartureDate=2026-06-01';
const june = 'DepartureDate=2026-06-01/2026-06-03';
const allFlights = `FlightType=Scheduled,Unscheduled,GA&Content=Status&Limit=100`;

let world: StatusService;
let coverage: Coverage;
const send: Coverage['send'] = (path, query, get) => coverage.send(path, query, get);
let cursor = '';

beforeAll(async () => {
  world = await serveCoveredWorld();
  // The last day of the version.
  world.setToday('2025-04-13');
  coverage = createCoverage(contract, world.get);
  const { paging } = toJsonObject(await (await world.get(`${v1}&${june}&Limit=3`)).json());
  cursor = new URL(String(toJsonObject(paging)['next'])).searchParams.get('After') ?? '';
});
afterAll(() => world.drop());

/** Leg 2 of XX 301 departs at 1700Z and arrives at 2300Z: early, punctual and late, estimated and actual. */
const timeReports = ['estimated', 'actual'].flatMap((kind) =>
  [
    ['16:50', '22:50'],
    ['17:00', '23:00'],
    ['17:20', '23:20'],
  ].flatMap(([out, arrives]) => [
    { departure: { [kind]: { out: `2026-06-03T${out}:00Z` } } },
    { arrival: { [kind]: { in: `2026-06-03T${arrives}:00Z` } } },
  ]),
);

describe('responses cover everything that the document declares', () => {
  beforeAll(async () => {
    for (const query of [`${june}&${allFlights}`, `${june}&Limit=2`, `${june1}&Limit=0`])
      await send(list, `${v1}&${query}`);
    // This version returns only the latest status, so each status is requested before the next one hides it.
    for (const [index, facts] of timeReports.entries()) {
      await world.report(xx301(2, '2026-06-03'), [`2026-06-03T12:${String(index).padStart(2, '0')}:00Z`, facts]);
      await send(list, `${v1}&DepartureDate=2026-06-03&FlightNumber=301&Content=Status`);
    }
    await send(health, `${health}?version=v1`);
    await world.db`alter table flight_instance rename to flight_elsewhere`;
    await send(health, `${health}?version=v1`);
    await world.db`alter table flight_elsewhere rename to flight_instance`;
  });

  test('every property has a value, and every enumerated value occurs', () => {
    const { declared, unobserved } = coverage.paths();
    expect(unobserved).toEqual(listUnobservable('flight-info/v1'));
    expect(declared.length).toBeGreaterThan(150);
  });

  test('all responses conform to the document', () => {
    expect(coverage.problems).toEqual([]);
  });
});

const used = (parameter: string, value: string, rest = june1): ParameterUse => ({
  path: list,
  parameter,
  value,
  without: `${v1}&${rest}&Limit=100`,
  with: `${v1}&${rest}&Limit=100&${parameter}=${value}`,
});

const uses = (): readonly ParameterUse[] => [
  used('DepartureDate', '2026-06-02', 'ArrivalDate=2026-06-01/2026-06-03'),
  used('ArrivalDate', '2026-06-02', june),
  used('DepartureAirport', 'JFK'),
  used('ArrivalAirport', 'LAX'),
  used('IataCarrierCode', 'YY'),
  used('IcaoCarrierCode', 'YYB'),
  used('FlightNumber', '101'),
  ...['Unscheduled', 'GA'].map((value) => used('FlightType', value, june)),
  { ...used('FlightType', 'Scheduled', june), without: `${v1}&${june}&Limit=100&FlightType=GA` },
  used('Content', 'Status'),
  { path: list, parameter: 'Limit', without: `${v1}&${june}`, with: `${v1}&${june}&Limit=3` },
  {
    path: list,
    parameter: 'After',
    without: `${v1}&${june}&Limit=3`,
    with: `${v1}&${june}&Limit=3&After=${cursor}`,
  },
  // The version is not the current one: without the parameter, v2 responds.
  ...['v1', '1.0'].flatMap((value) => [
    {
      path: list,
      parameter: 'version',
      value,
      without: `${list}?${june1}`,
      with: `${list}?${june1}&version=${value}`,
    },
    { path: health, parameter: 'version', value, without: `${health}?version=v9`, with: `${health}?version=${value}` },
  ]),
];

describe('every parameter of the document changes a response', () => {
  test('each parameter use changes the response and returns data', async () => {
    const before = coverage.problems.length;
    expect(await findUnusedParameters(coverage, uses())).toEqual([]);
    // A request without the version gets a response of v2, which is checked against the wrong document here.
    const ofVersion = coverage.problems.slice(before).filter((problem) => /[?&]version=(v?1|1\.0)\b/.test(problem));
    expect(ofVersion).toEqual([]);
  });

  test('every parameter and every enumerated value is tested', () => {
    const declared = listParameterNames(contract);
    const covered = listUsedNames(uses());
    expect(declared.filter((name) => !covered.has(name))).toEqual([]);
    expect(declared.length).toBeGreaterThan(15);
  });
});
