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
