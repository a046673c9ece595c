import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { toKeyOrder } from '#domain/schedule/keys.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { toStatusContents } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { listStatuses, formatStatusId } from '#store/status/flight-statuses.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { readFlightSnapshots } from '#jobs/status/flights/flight-snapshots.ts';
import { createStatusIngester, type StatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { undoChanges, omitEmpty } from '#test/products/flight-info-alerts/v1/events/edit-content.ts';
import { locationIds } from '#test/domain/status/observations.ts';
import { createRandomNumbers, createRandomMessage, shuffle, type Random } from '#test/domain/status/random-messages.ts';
import { flight, deleteStatuses, message, noon, plan, planned } from './messages.ts';
import { listFlightsWithVersionGaps, deleteEvents, listStatusEvents } from './emitted-events.ts';
import { db, useStatusWorld } from './status-world.ts';

/** Set more rounds for long runs: each takes a second. */
const ROUNDS = Number(process.env['STATUS_EVENT_ROUNDS'] ?? 1);
const MESSAGES = 50;

useStatusWorld();

const flights = [
  flight(),
  flight({ date: '2026-06-02' }),
  flight({ flightNumber: 301 }),
  planned,
  flight({ ...planned, flightNumber: 8 }),
];

const codes = new Map<number, string>([
  [locationIds.london, 'LHR'],
  [locationIds.newYork, 'JFK'],
  [locationIds.paris, 'CDG'],
  [locationIds.lyon, 'LGW'],
]);

/** Creates a message of one of the flights; every third message describes an unscheduled one. */
const anyMessage = (random: Random, index: number): StatusMessage => {
  const { id, observedAt, facts, landings } = createRandomMessage(random, `m${index}`);
  const reference = flights[random(flights.length)] ?? flight();
  const describes = reference.carrier === 'WW' && random(3) === 0;
  const minute = String(10 + random(40));
  const none = { premiumEconomy: undefined, economyPlus: undefined };
  const seats = { ...none, first: 0, business: random(30), economy: 100, total: 130 };
  const arrives = random(3) === 0 ? '' : `2026-06-01T11:${minute}Z`;
  const described = { departs: `2026-06-01T10:${minute}Z`, arrives, serviceType: random(2) === 0 ? 'D' : '' };
  return {
    ...message({ id, flight: reference, facts: { ...facts, ...(random(6) === 0 && { seats }) } }),
    observedAt,
    landings: landings.map(({ airport, ...landing }) => ({
      ...landing,
      ...(airport === null && { airport }),
      ...(typeof airport === 'number' && { airport: codes.get(airport) ?? 'LHR' }),
    })),
    plan: describes ? plan(described) : undefined,
  };
};

/** Returns the event contents of flights by key: without observations, and with the stored status. */
const readContents = async (): Promise<ReadonlyMap<string, readonly [before: unknown, now: unknown]>> => {
  const rows = await db<{ day: string; order: bigint }[]>`
    select distinct departs_at::date as day, status_order as "order" from flight_instance
    where flight_number in (101, 301, 5101, 7, 8)`;
  const ids = rows.map(({ day, order }) => ({ departsOn: localDate(day), statusOrder: order }));
  const statuses = new Map((await listStatuses(db, ids)).map((status) => [formatStatusId(status), status]));
  const contents = new Map<string, readonly [unknown, unknown]>();
  for (const [name, { instances, reportable: read }] of await readFlightSnapshots(db, ids)) {
    const status = statuses.get(name);
    const build = (doc: string, seats: string | undefined) =>
      toStatusContents(read.flight, { doc, seats, originalStatusKey: undefined });
    const [nothing, now] = [build('', undefined), build(status?.statusJson ?? '', status?.seats)];
    const isScheduled = instances.every(({ flightType }) => flightType === 'S');
    for (const [index, key] of read.keys.entries())
      contents.set(key, [isScheduled ? omitEmpty(nothing[index]) : undefined, omitEmpty(now[index])]);
  }
  return contents;
};

const factsOf = (event: Record<string, unknown>) => {
  const { documentType: _, version: __, flightVersion: ___, changes: ____, ...facts } = event;
  return facts;
};

/** Only the identity of a flight is left when all its changes are undone. */
const identity = ['flightNumber', 'originationDate', 'serviceSuffix'];

/** Lists the flights whose events do not lead from the first contents to the stored ones, with the error. */
const errors = async (): Promise<readonly string[]> => {
  const stored = await readContents();
  const events = Map.groupBy(await listStatusEvents(db), ({ flightKey }) => flightKey);
  const errors = (await listFlightsWithVersionGaps(db)).map((key) => `${key} miscounted`);
  for (const key of events.keys()) if (!stored.has(key)) errors.push(`${key} is no flight`);
  for (const [key, [scheduled, now]] of stored) {
    let latest: unknown = scheduled;
    for (const { body, version } of events.get(key) ?? []) {
      const before = omitEmpty(factsOf(undoChanges({ ...body }, body.changes)));
      const isSame =
        latest === undefined
          ? Object.keys(Object(before)).toSorted().join() === identity.join()
          : isDeepStrictEqual(before, latest);
      if (!isSame) errors.push(`${key} ${version} does not follow`);
      latest = omitEmpty(factsOf({ ...body }));
    }
    if (!isDeepStrictEqual(latest, now)) errors.push(`${key} ends otherwise`);
  }
  return errors;
};

const batchesOf = (messages: readonly StatusMessage[], random: Random): readonly (readonly StatusMessage[])[] => {
  const batches: StatusMessage[][] = [];
  for (let start = 0; start < messages.length;) {
    const size = 1 + random(8);
    batches.push(messages.slice(start, start + size));
    start += size;
  }
  return batches;
};

const ingesters = async (count: number): Promise<readonly StatusIngester[]> => {
  const masterDataIndex = await readMasterDataIndex(db);
  return Promise.all(Array.from({ length: count }, () => createStatusIngester(db, () => masterDataIndex, noon)));
};

test.each([1, 3])(
  `the events of each flight lead in sequence from its schedule to the stored status: through %i ingesters at once, ${ROUNDS} rounds`,
  async (count) => {
    let events = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const seed = randomInt(2 ** 31);
      const random = createRandomNumbers(seed);
      await deleteStatuses(db);
      await deleteEvents(db);
      const messages = Array.from({ length: MESSAGES }, (_, index) => anyMessage(random, index));
      const open = await ingesters(count);
      // Each ingester gets all messages in its own order: the second one with a message emits nothing.
      await Promise.all(
        open.map(async (ingester) => {
          for (const batch of batchesOf(shuffle(messages, random), random)) await ingester.ingest(batch);
        }),
      );
      expect([seed, await errors()]).toEqual([seed, []]);
      events += (await listStatusEvents(db)).length;
    }
    expect(events).toBeGreaterThan(ROUNDS * 10);
  },
);

test('concurrent descriptions of an unknown flight emit the events of the first one', async () => {
  await deleteEvents(db);
  const open = await ingesters(4);
  const describe = (index: number) => message({ id: `p${index}`, flight: planned, plan: plan() });
  await Promise.all(open.map((ingester, index) => ingester.ingest([describe(index)])));
  expect(await errors()).toEqual([]);
  const emitted = await listStatusEvents(db);
  expect(emitted).toMatchObject([{ version: 1 }]);
  expect(toKeyOrder(Buffer.from(emitted[0]?.flightKey ?? '', 'hex'))).not.toBe(0n);
});
