import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Problem, Schedule, SchedulePage } from '../../../../generated/schedules/v1/types.gen.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../../support/tiny-world.ts';
import { schedule } from './example-schedule.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveTinyWorld();
  await publishText(world.db, schedule, { horizonDays: 1 });
  await world.refresh();
});
afterAll(() => world.drop());

test('the single record is the list row with its seats', async () => {
  const page: SchedulePage = await (await world.get('/flights?FlightNumber=101&Content=Seats')).json();
  const [row] = page.data;
  for (const fingerprint of [row?.fingerprint, row?.fingerprint.toUpperCase()]) {
    const response = await world.get(`/flights/${fingerprint}?version=v1`);
    const record: Schedule = await response.json();
    expect([response.status, record]).toEqual([200, row]);
  }
});

test.each([
  ['an unknown fingerprint', '0'.repeat(64), 404, 'not-found'],
  ['an invalid fingerprint', 'abc', 400, 'invalid-parameter'],
])('%s', async (_, fingerprint, status, kind) => {
  const response = await world.get(`/flights/${fingerprint}`);
  const problem: Problem = await response.json();
  expect([response.status, problem.type]).toEqual([status, `/docs/errors#${kind}`]);
});

test('a record of a replaced schedule is deleted', async () => {
  const page: SchedulePage = await (await world.get('/flights?IataCarrierCode=XX&FlightNumber=502')).json();
  await publishText(world.db, schedule.replaceAll('21JUN26', '22JUN26'), { horizonDays: 1 });
  const statuses = await Promise.all(
    page.data.map(async ({ fingerprint }) => (await world.get(`/flights/${fingerprint}`)).status),
  );
  expect(statuses).toEqual([200, 404]);
});

test('the health check requires no key and reports that records can be read', async () => {
  const response = await world.get('/schedules/health', {});
  expect([response.status, await response.json()]).toEqual([200, { schedules: 'healthy' }]);
});
