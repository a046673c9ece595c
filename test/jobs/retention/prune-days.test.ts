import { afterEach, beforeEach, expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { pruneDays } from '#jobs/retention/prune-days.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { flight, ingest, message, plan, planned, second } from '../status/messages.ts';
import { formatOutcomes, listQuarantine, listStoredMessages } from '../status/messages.ts';
import { db, useDatabase } from '../job-database.ts';

useDatabase({ prepare: saveTinyMasterData });

const june1 = localDate('2026-06-01');
const june2 = localDate('2026-06-02');
const later = localDate('2026-06-12');
const facts = { actualOut: second('2026-06-01T10:14Z') };
const onSecond = { flight: flight({ date: '2026-06-02' }), facts: { cancelled: true } };

beforeEach(async () => {
  await publishText(db, schedule, { today: june1, horizonDays: 4 });
  await ingest(db, [
    message({ id: 'a', facts }),
    message({ id: 'b', facts: { departureGate: 'A1' } }),
    message({ id: 'c', ...onSecond }),
    message({ id: 'd', flight: planned, plan: plan() }),
    message({ id: 'lost', flight: flight({ flightNumber: 999 }), facts }),
  ]);
});
afterEach(() => pruneDays(db, { before: localDate('2026-07-01'), today: localDate('2026-08-01') }));

const daysLeft = async () => {
  const rows = await db<{ day: string; flights: number }[]>`
    select day, (select count(*)::int from flight_instance where departs_at >= day and departs_at < day + 1) as flights
    from expanded_day order by day`;
  return [...rows];
};

test('deletes days before a date with their flights and all their data, and keeps others unchanged', async () => {
  const before = await daysLeft();
  const onDay: (readonly number[])[] = [];
  const pruned = await pruneDays(db, { before: june2, today: later, onDay: (...step) => onDay.push(step) });
  expect([pruned, onDay]).toEqual([{ days: 1, instances: before[0]?.flights, messages: 3, quarantined: 1 }, [[1, 1]]]);
  expect(await daysLeft()).toEqual(before.slice(1));
  expect(await listStoredMessages(db)).toEqual(['c: XX101 LHR-JFK 06-02 11:00']);
  expect(await db`select departs_on from flight_status`).toEqual([{ departs_on: '2026-06-02' }]);
  expect(await listQuarantine(db)).toEqual([]);
  expect(await pruneDays(db, { before: june2, today: later })).toEqual({
    days: 0,
    instances: 0,
    messages: 0,
    quarantined: 0,
  });
});

test('a message of a pruned flight goes to quarantine, and schedule loads still work', async () => {
  await pruneDays(db, { before: june2, today: later });
  const outcomes = await ingest(db, [message({ id: 'late', facts })]);
  expect(formatOutcomes(outcomes)).toEqual(['no-such-flight: XX 101 of 2026-06-01, LHR-JFK']);
  await extendHorizon(db, { today: june2, horizonDays: 6 });
  await publishText(db, schedule, { today: june2, horizonDays: 4 });
  expect((await daysLeft()).map(({ day }) => day)).toEqual(expect.arrayContaining(['2026-06-02', '2026-06-03']));
});

test('rejects a date whose flights have retained events, and names the latest possible date', async () => {
  const tooNew = pruneDays(db, { before: june2, today: localDate('2026-06-09') });
  await expect(tooNew).rejects.toThrow(
    'the days before 2026-06-02 cannot be deleted: retained events refer to flights up to 2026-06-01',
  );
  expect((await pruneDays(db, { before: june1, today: localDate('2026-06-09') })).days).toBe(0);
});

test('deletes messages in small batches, and those that arrive meanwhile with their day', async () => {
  const pruned = await pruneDays(db, { before: june2, today: later, slices: { batchSize: 1 } });
  expect([pruned.messages, (await listStoredMessages(db)).length]).toEqual([3, 1]);
});
