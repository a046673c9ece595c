import { expect, test } from 'vitest';
import { sharedDatabase } from '../support/database.ts';
import { callCommand } from './call-command.ts';

const { url } = await sharedDatabase();

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
