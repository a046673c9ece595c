import { expect, test } from 'vitest';
import { localDate } from '../../src/domain/time/dates.ts';
import { schedule } from '../products/flight-info/v2/example-schedule.ts';
import { sharedDatabase } from '../support/database.ts';
import { publishText, saveTinyMasterData } from '../support/tiny-world.ts';
import { callCommand } from './call-command.ts';

const { sql, url } = await sharedDatabase();

test('flightdata prune deletes old days, prints the counts and rejects days that are not old', async () => {
  await saveTinyMasterData(sql);
  await publishText(sql, schedule, { today: localDate('2026-06-01') });
  const env = { DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-20' };
  expect([
    await callCommand(['prune', '--before', '2026-06-03'], env),
    await callCommand(['prune', '--before', '2026-06-13'], env),
    await callCommand(['prune'], env),
  ]).toEqual([
    { code: 0, out: '2 days deleted, 15 flight instances and 0 status messages\n', err: '' },
    {
      code: 1,
      out: '',
      err: 'flightdata: the days before 2026-06-13 cannot go: events still tell of flights from 2026-06-12 on\n',
    },
    { code: 2, out: '', err: "error: required option '--before <date>' not specified\n" },
  ]);
});

const blocked =
  'GXYZA is shown no more: it was taken out of 0 statuses and 0 events. ' +
  'What was sent before, to webhooks and to the hub among them, cannot be taken back.\n';
const shownAgain = 'GXYZA is shown again, in 0 statuses; events it was taken out of stay without it.\n';
const listed = expect.stringMatching(/^registration\tsince\treason\nGXYZA\t\S+Z\tasked by letter\n$/);
const notRegistration = expect.stringContaining("'G XYZA' is not a registration, which looks like");
const twoLines = expect.stringContaining('a reason is one line of 500 characters at most');

test('blocks a registration in any spelling, lists it with its reason, shows it again, and rejects invalid arguments', async () => {
  const calls = [
    { args: ['list'], code: 0, out: 'No registration is blocked.\n', err: '' },
    { args: ['block', 'g-xyza', '--reason', 'asked by letter'], code: 0, out: blocked, err: '' },
    { args: ['list'], code: 0, out: listed, err: '' },
    { args: ['unblock', 'G-XYZA'], code: 0, out: shownAgain, err: '' },
    { args: ['unblock', 'G-XYZA'], code: 1, out: '', err: 'GXYZA was not blocked.\n' },
    { args: ['block', 'G XYZA'], code: 2, out: '', err: notRegistration },
    { args: ['block', 'GXYZA', '--reason', 'one\ntwo'], code: 2, out: '', err: twoLines },
  ];
  for (const { args, ...expected } of calls)
    expect(await callCommand(['privacy', ...args], { DATABASE_URL: url })).toEqual(expected);
});
