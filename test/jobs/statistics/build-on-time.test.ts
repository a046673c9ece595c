import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { findCarrier, findStation, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { OnTimePerformance } from '#domain/status/on-time.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { listOnTimePerformance } from '#store/schedules/on-time-performance.ts';
import { buildOnTime, buildOnTimeDaily, type OnTimeReport } from '#jobs/statistics/build-on-time.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { flight, deleteStatuses, message, plan, planned, second, ingest } from '../status/messages.ts';
import { db, useDatabase } from '../job-database.ts';

let masterDataIndex: MasterDataIndex;
useDatabase({
  prepare: async (sql) => {
    await saveTinyMasterData(sql);
    await publishText(sql, schedule);
    masterDataIndex = await readMasterDataIndex(sql);
  },
  reset: async (sql) => {
    await deleteStatuses(sql);
    await sql`truncate daily_work, on_time`;
  },
});

const counted = async (): Promise<number | undefined> => (await performanceOf(operating))[0]?.flights;
const buildAndAdd = async (): Promise<void> => {
  await ingest(db, [xx101(1, '10:05', '18:05')]);
  await build();
  await ingest(db, [xx101(2, '10:05', '18:05')]);
};
const june = (day: number) => localDate(`2026-06-0${day}`);
const build = (until = june(3), days = 3): Promise<OnTimeReport> => buildOnTime(db, { today: june(4), until, days });

/** XX 101 LHR-JFK of a day of June: due out at 10:00 and in at 18:00 UTC. */
const xx101 = (day: number, out: string, arrived: string): StatusMessage =>
  message({
    id: `101-${day}-${arrived}`,
    at: `2026-06-0${day}T23:00Z`,
    flight: flight({ date: `2026-06-0${day}` }),
    facts: { actualOut: second(`2026-06-0${day}T${out}Z`), actualIn: second(`2026-06-0${day}T${arrived}Z`) },
  });

/** The second leg of XX 301, JFK-LAX on 1 June: due out at 17:00 and in at 23:00 UTC. */
const secondLeg = flight({ flightNumber: 301, departureAirport: 'JFK', arrivalAirport: 'LAX' });
const cancelled = message({ id: '301', flight: secondLeg, facts: { cancelled: true } });

/** Returns the figures of flights on a route, `XX 101 LHR JFK`. */
const performanceOf = (...routes: readonly string[]): Promise<readonly (OnTimePerformance | undefined)[]> => {
  const keys = routes.map((text) => {
    const [carrier = '', flightNumber, ...stations] = text.split(' ');
    const [departure = 0, arrival = 0] = stations.map((iata) => findStation(masterDataIndex, iata)?.id);
    return {
      carrier: findCarrier(masterDataIndex, carrier)?.id ?? 0,
      flightNumber: Number(flightNumber),
      departure,
      arrival,
    };
  });
  return listOnTimePerformance(db, keys);
};
const [operating, marketing, last] = ['XX 101 LHR JFK', 'YY 5101 LHR JFK', 'XX 301 JFK LAX'];

const all = {
  onTimePercentage: 0,
  latePercentage: 0,
  cancelledPercentage: 0,
  divertedPercentage: 0,
  departedOnTimePercentage: 0,
  rule: 'D15/A14',
};
const one = { ...all, flights: 1, departures: 1 };
const until = (endDate: string, startDate = '2026-06-01') => ({ startDate, endDate });

test('the figures of a flight number and route count flights with a known end, on the requested days', async () => {
  await ingest(db, [xx101(1, '10:05', '18:05'), xx101(2, '10:20', '18:15'), xx101(3, '10:00', '18:14')]);
  const built = await build();
  const arrivals = { arrivedOnTime: 2, arrivedLate: 1, cancelled: 0, diverted: 0 };
  const total = { flights: 3, departures: 3, departedOnTime: 2, ...arrivals };
  const byCarrier = new Map([[findCarrier(masterDataIndex, 'XX')?.id, total]]);
  expect(built).toEqual({ from: june(1), to: june(3), numbers: 2, byCarrier, total });
  const shares = { ...all, onTimePercentage: 66.67, latePercentage: 33.33, departedOnTimePercentage: 66.67 };
  const three = { flights: 3, departures: 3, period: until('2026-06-03') };
  expect(await performanceOf(operating)).toEqual([{ ...shares, ...three }]);
  await build(june(2), 1);
  const late = { ...one, latePercentage: 100, period: until('2026-06-02', '2026-06-02') };
  expect(await performanceOf(operating)).toEqual([late]);
});

test('a marketing flight has the figures of its operating flight, which does not count for the marketing carrier', async () => {
  await ingest(db, [xx101(1, '10:05', '18:05')]);
  const { byCarrier } = await build();
  const [own, sold] = await performanceOf(operating, marketing);
  const punctual = { onTimePercentage: 100, departedOnTimePercentage: 100, period: until('2026-06-01') };
  expect(sold).toEqual({ ...one, ...punctual });
  expect([own, [...byCarrier.keys()]]).toEqual([sold, [findCarrier(masterDataIndex, 'XX')?.id]]);
});

test('the figures of a flight number and route are returned in the requested order; a flight with stops has them for its legs only', async () => {
  await ingest(db, [cancelled, xx101(1, '10:05', '18:05')]);
  await build();
  const performances = await performanceOf(last, marketing, 'XX 301 LHR LAX', last, operating, 'WW 1 LHR JFK');
  expect(performances.map((each) => each?.cancelledPercentage)).toEqual([100, 0, undefined, 100, 0, undefined]);
  expect(performances[0]).toEqual({ ...one, cancelledPercentage: 100, period: until('2026-06-01') });
  expect(await performanceOf()).toEqual([]);
});

test('the figures of a flight number and route do not count flights in the air and flights without schedule', async () => {
  await ingest(db, [
    message({ id: 'out', facts: { actualOff: second('2026-06-01T10:10Z') } }),
    message({ id: 'ga', flight: planned, plan: plan(), facts: { actualIn: second('2026-06-01T11:00Z') } }),
  ]);
  const { numbers, total } = await build();
  expect([numbers, total.flights, await performanceOf(operating)]).toEqual([0, 0, [undefined]]);
});

test('readers see the previous figures until the commit', async () => {
  await buildAndAdd();
  // The last statement of the build waits for this transaction.
  const building = await db.begin(async (sql) => {
    await sql`lock table daily_work in share mode`;
    const hasCounted = Promise.withResolvers<void>();
    const onDay = (done: number): void => void (done === 3 && hasCounted.resolve());
    const result = buildOnTime(db, { today: june(4), until: june(3), days: 3, onDay });
    await hasCounted.promise;
    expect(await counted()).toBe(1);
    return { result };
  });
  await building.result;
  expect(await counted()).toBe(2);
});

test('an aborted build keeps the previous figures', async () => {
  await buildAndAdd();
  const stopping = new AbortController();
  const onDay = (done: number): void => (done === 1 ? stopping.abort(new Error('the server stops')) : undefined);
  const broken = buildOnTime(db, { today: june(4), until: june(3), days: 3, onDay, signal: stopping.signal });
  await expect(broken).rejects.toThrow('the server stops');
  expect(await counted()).toBe(1);
});

test('two builds at the same time store the figures once', async () => {
  await ingest(db, [xx101(1, '10:05', '18:05')]);
  const first = await build();
  expect(await Promise.all([build(), build()])).toEqual([first, first]);
  expect(await counted()).toBe(1);
});

test('servers build figures once a day for 90 days until yesterday, on one server', async () => {
  await ingest(db, [xx101(1, '10:05', '18:05'), xx101(2, '10:05', '18:05'), xx101(3, '10:05', '18:05')]);
  await Promise.all([buildOnTimeDaily(db, { today: june(3) }), buildOnTimeDaily(db, { today: june(3) })]);
  expect(await counted()).toBe(2);
  await db`delete from on_time`;
  await buildOnTimeDaily(db, { today: june(3) });
  expect(await counted()).toBeUndefined();
  await buildOnTimeDaily(db, { today: june(4) });
  expect(await counted()).toBe(3);
  await buildOnTimeDaily(db, { today: localDate('2026-09-01') });
  expect((await performanceOf(operating))[0]?.period).toEqual(until('2026-06-03', '2026-06-03'));
});

test('servers build no figures on the day of a manual build', async () => {
  await ingest(db, [xx101(1, '10:05', '18:05'), xx101(2, '10:05', '18:05')]);
  await build(june(1), 1);
  await buildOnTimeDaily(db, { today: june(4) });
  expect(await counted()).toBe(1);
});

test('servers build figures once a day and keep them while there is no flight to count, unlike a manual build', async () => {
  const winter = localDate('2026-12-01');
  await ingest(db, [xx101(1, '10:05', '18:05')]);
  await build(june(1), 1);
  await buildOnTimeDaily(db, { today: winter });
  expect(await counted()).toBe(1);
  await buildOnTime(db, { today: winter });
  expect(await counted()).toBeUndefined();
});
