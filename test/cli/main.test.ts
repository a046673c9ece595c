import { expect, test } from 'vitest';
import { commandNames, serviceVariables } from '../../src/config.ts';
import { buildFile, buildLeg } from '../feeds/ssim/build-file.ts';
import { sharedDatabase } from '../support/database.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { saveTinyMasterData } from '../support/tiny-world.ts';
import { runCommand } from './run-command.ts';

const fresh = await sharedDatabase();
await saveTinyMasterData(fresh.sql);
const file = buildFile(buildLeg(), buildLeg({ 6: '0102', 15: '31FEB26' }));
const quarantined = createTemporaryFolder().write('quarantined.ssim', file);
const seeded = /^flightdata: the store holds data already; a synthetic world needs an empty one/;
const noKey = /^There is no key 77 that could be revoked\.\n$/;
const badToday = /^flightdata: FLIGHTDATA_TODAY must be a date of the form YYYY-MM-DD, not '2024-02-30'\n$/;
const none = /^$/;

test.each([
  [['keys', 'list'], {}, 0, /^There are no keys\./, none],
  [['demo', '--days', '1'], {}, 1, none, seeded],
  [['keys', 'revoke', '77'], {}, 1, none, noKey],
  [['keys', 'list'], { FLIGHTDATA_TODAY: '2024-02-30' }, 1, none, badToday],
  [['build', 'connections', '--days', '401'], {}, 2, none, /'401' is not [^]*\(add --help for the usage\)\n$/],
  [['import', 'ssim', quarantined, '--from', '2026-06-01', '--days', '2'], {}, 3, /1 quarantined, /, none],
])('flightdata %j with %j exits with %i', async (args, env, code, out, err) => {
  expect(await runCommand(args, { DATABASE_URL: fresh.url, ...env })).toEqual({
    code,
    out: expect.stringMatching(out),
    err: expect.stringMatching(err),
  });
});

const readHelp = async (...args: readonly string[]) => {
  const { code, out } = await runCommand([...args, '--help'], {});
  expect(code).toBe(0);
  const [usage = '', environment = ''] = out.split('\nEnvironment:\n');
  return { usage, variables: [...environment.matchAll(/^ {2}([A-Z]\w+)/gm)].map(([, name = '']) => name) };
};

test('flightdata --help lists exactly the commands in commandNames, and all environment variables', async () => {
  const { usage, variables } = await readHelp();
  const [, commands = ''] = /\nCommands:\n([^]*)/.exec(usage) ?? [];
  const names = [...commands.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name);
  expect([names, variables]).toEqual([
    [...commandNames, 'help'],
    [...serviceVariables.map(({ name }) => name), 'OTEL_'],
  ]);
});

test.each([
  ['serve', { WORKERS: true, DATABASE_URL: true, OTEL_: true }],
  ['mock', { PORT: true, DATABASE_URL: false, OTEL_: false }],
  ['import', { HORIZON_DAYS: true, WORKERS: false, OTEL_: true }],
])('flightdata %s --help lists the variables that the command reads: %j', async (command, expected) => {
  const { variables } = await readHelp(command);
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, variables.includes(name)]))).toEqual(expected);
});
