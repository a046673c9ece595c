import { beforeEach, expect, test } from 'vitest';
import { getLastAlertChange, insertAlertChange, pruneAlertChanges } from '#store/alerts/alert-changes.ts';
import { listAlertChanges, type AlertChanges } from '#store/alerts/alert-changes.ts';
import { deleteAllEvents } from '../events/sample-events.ts';
import { sharedDatabase, untilBlocked } from '#test/support/database.ts';

const { sql: db } = await sharedDatabase();
beforeEach(() => deleteAllEvents(db));

const alert = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const note = async (...alerts: readonly number[]): Promise<void> => {
  for (const n of alerts) await db.begin((sql) => insertAlertChange(sql, alert(n)));
};
const after = (number: number, limit = 10): Promise<AlertChanges> => listAlertChanges(db, { after: number, limit });
const changes = (last: number, ...alerts: readonly number[]): AlertChanges => ({
  kind: 'changes',
  last,
  ids: alerts.map(alert),
});

test('reads changes from a number on, each alert once; returns too-many for more changes than the limit, pruned changes, and a restored database', async () => {
  await note(1, 2, 1);
  expect([await after(0, 3), await after(0, 2), await after(4)]).toEqual([
    changes(3, 1, 2),
    { kind: 'too-many' },
    { kind: 'too-many' },
  ]);
  await db`update alert_change set made_at = '2001-03-01 00:00Z' where number <= 2`;
  expect(await pruneAlertChanges(db, new Date('2001-03-01T00:00:00Z'))).toBe(0);
  expect(await pruneAlertChanges(db, new Date('2001-03-01T00:00:01Z'))).toBe(2);
  expect([await after(2), await after(1)]).toEqual([changes(3, 1), { kind: 'too-many' }]);
  expect(await pruneAlertChanges(db, new Date('2100-01-01T00:00:00Z'))).toBe(1);
  expect([await after(3), await after(2), await getLastAlertChange(db)]).toEqual([changes(3), { kind: 'too-many' }, 3]);
  await note(4);
  expect(await after(3)).toEqual(changes(4, 4));
});

test('changes are numbered in the order of their commits, and rolled-back ones leave no gap', async () => {
  let second: Promise<void> = Promise.resolve();
  const takenBack = db.begin(async (sql) => {
    await insertAlertChange(sql, alert(9));
    throw new RangeError('given up');
  });
  await expect(takenBack).rejects.toThrow('given up');
  await db.begin(async (sql) => {
    await insertAlertChange(sql, alert(1));
    second = note(2);
    await untilBlocked(db);
    expect(await after(0)).toEqual(changes(0));
  });
  await second;
  expect([await after(0), await after(1)]).toEqual([changes(2, 1, 2), changes(2, 2)]);
});
