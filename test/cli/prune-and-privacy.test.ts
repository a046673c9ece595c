import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { schedule } from '../products/flight-info/v2/example-schedule.ts';
import { sharedDatabase } from '../support/database.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
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
    {
      code: 0,
      out: 'Deleted 2 days with 15 flight instances and 0 status messages, and 0 messages in quarantine\n',
      err: '',
    },
    {
      code: 1,
      out: '',
      err: 'flightdata: the days before 2026-06-13 cannot be deleted: retained events refer to flights up to 2026-06-12\n',
    },
    { code: 2, out: '', err: "error: required option '--before <date>' not specified\n(add --help for the usage)\n" },
  ]);
});

/** A message with a flight that does not exist, an unreadable one, one good and one unreadable sub-message together, and a first part. */
const messages = [
  '01JUN00001E001\nCNL\nXX999/02JUN\n',
  '01JUN00002E001\nTIM\nXX101/02JUN\nnonsense\n',
  '01JUN00003E001\nTIM\nXX101/03JUN\nLHR1130 JFK1430\n//\nTIM\nXX101/04JUN\nnonsense\n',
  '01JUN00004C001\nCNL\nXX101/05JUN\n',
]
  .map((text) => `ASM\nLT\n${text}\n`)
  .join('');

test('flightdata prune deletes schedule messages in quarantine, and keeps what was applied', async () => {
  const { folder } = createTemporaryFolder();
  const file = join(folder, 'messages.txt');
  writeFileSync(file, messages);
  const env = { DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-01' };
  expect((await callCommand(['import', 'schedule-messages', file], env)).code).toBe(3);
  const readStore = async () =>
    sql`select reference, complete, rejection is not null as rejected, (
      select string_agg(state, ',' order by a.id) from schedule_amendment a where a.message_id = m.id) as states
      from schedule_message m order by id`;
  const before = await readStore();
  expect(before.map(({ reference, complete, rejected, states }) => [reference, complete, rejected, states])).toEqual([
    ['01JUN00001E001', true, false, 'quarantined'],
    ['01JUN00002E001', true, true, null],
    ['01JUN00003E001', true, true, 'applied'],
    ['01JUN00004C001', false, false, null],
  ]);
  const pruned = (date: string) => callCommand(['prune', '--before', date], { ...env, FLIGHTDATA_TODAY: '2026-06-20' });
  expect((await pruned('2026-06-01')).out).toContain('and 0 messages in quarantine');
  expect((await pruned('2026-06-02')).out).toContain('and 4 messages in quarantine');
  expect(await readStore()).toEqual([
    { reference: '01JUN00003E001', complete: true, rejected: false, states: 'applied' },
  ]);
  expect((await callCommand(['schedule', 'quarantine'], env)).out).toBe('');
});

const blocked =
  'GXYZA blocked: removed from 0 statuses and 0 events. ' +
  'Data that was already sent, such as by webhooks or the hub, cannot be recalled.\n';
const shownAgain = 'GXYZA unblocked: restored in 0 statuses. Events do not get it back.\n';
const listed = expect.stringMatching(/^registration\tsince\treason\nGXYZA\t\S+Z\tletter of the owner\n$/);
const notRegistration = expect.stringContaining("'G XYZA' is not a registration, such as");
const twoLines = expect.stringContaining('a reason must be one line of up to 500 characters');

test('blocks a registration in any spelling, lists it with its reason, shows it again, and rejects invalid arguments', async () => {
  const calls = [
    { args: ['list'], code: 0, out: 'No registrations are blocked.\n', err: '' },
    { args: ['block', 'g-xyza', '--reason', 'letter of the owner'], code: 0, out: blocked, err: '' },
    { args: ['list'], code: 0, out: listed, err: '' },
    { args: ['unblock', 'G-XYZA'], code: 0, out: shownAgain, err: '' },
    {
      args: ['unblock', 'G-XYZA'],
      code: 1,
      out: '',
      err: 'GXYZA is not blocked. List blocked registrations with: flightdata privacy list\n',
    },
    { args: ['block', 'G XYZA'], code: 2, out: '', err: notRegistration },
    { args: ['block', 'GXYZA', '--reason', 'one\ntwo'], code: 2, out: '', err: twoLines },
  ];
  for (const { args, ...expected } of calls)
    expect(await callCommand(['privacy', ...args], { DATABASE_URL: url })).toEqual(expected);
});
