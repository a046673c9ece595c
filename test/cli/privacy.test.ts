import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { runCommand, type CommandResult } from './run-command.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const privacy = (...args: readonly string[]): Promise<CommandResult> =>
  runCommand(['privacy', ...args], { DATABASE_URL: fresh.url });

test('blocks a registration in any spelling, lists it with its reason, and shows it again', async () => {
  expect(await privacy('list')).toMatchObject({ code: 0, out: 'No registration is blocked.\n' });
  const blocked = await privacy('block', 'g-xyza', '--reason', 'asked by letter');
  expect([blocked.code, blocked.out]).toEqual([
    0,
    'GXYZA is shown no more: it was taken out of 0 statuses and 0 events. ' +
      'What was sent before, to webhooks and to the hub among them, cannot be taken back.\n',
  ]);
  expect((await privacy('list')).out).toMatch(/^registration\tsince\treason\nGXYZA\t\S+Z\tasked by letter\n$/);
  expect(await privacy('unblock', 'G-XYZA')).toMatchObject({
    code: 0,
    out: 'GXYZA is shown again, in 0 statuses; events it was taken out of stay without it.\n',
  });
  expect(await privacy('unblock', 'G-XYZA')).toMatchObject({ code: 1, err: 'GXYZA was not blocked.\n' });
});

test('rejects an invalid registration and a reason of two lines', async () => {
  const { code, err } = await privacy('block', 'G XYZA');
  expect([code, err]).toEqual([2, expect.stringContaining("'G XYZA' is not a registration, which looks like")]);
  expect((await privacy('block', 'GXYZA', '--reason', 'one\ntwo')).code).toBe(2);
});
