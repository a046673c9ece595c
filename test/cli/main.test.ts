import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandNames } from '#cli/program.ts';
import { serviceVariables } from '#config.ts';
import { maskPassword } from '#lib/mask-password.ts';
import { buildFile, buildLeg } from '../feeds/ssim/build-file.ts';
import { databaseUrlOf } from '../support/database-url.ts';
import { emptyDatabase, sharedDatabase } from '../support/database.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { saveTinyMasterData } from '../support/tiny-world.ts';
import { callCommand } from './call-command.ts';
import { runCommand } from './run-command.ts';

const fresh = await sharedDatabase();
await saveTinyMasterData(fresh.sql);
const file = buildFile(buildLeg(), buildLeg({ 6: '0102', 15: '31FEB26' }));
const { folder, write } = createTemporaryFolder();
const quarantined = write('quarantined.ssim', file);
const noKey = /^No active key with ID 77\. List keys with: flightdata keys list\n$/;
const badToday = /^flightdata: FLIGHTDATA_TODAY must be a date of the form YYYY-MM-DD, not '2024-02-30'\n$/;
const none = /^$/;
const noFolder = /^flightdata: \/none\\x1b\[31m is not a directory\n$/;

test.each([
  [['keys', 'list'], {}, 0, /^No keys\./, none],
  [['keys', 'revoke', '77'], {}, 1, none, noKey],
  [['keys', 'list'], { FLIGHTDATA_TODAY: '2024-02-30' }, 1, none, badToday],
  [['build', 'connections', '--days', '401'], {}, 2, none, /'401' must be [^]*\(add --help for the usage\)\n$/],
  [['import', 'schedule-messages', '--watch', '/none\u001b[31m'], {}, 1, none, noFolder],
  [['import', 'ssim', quarantined, '--from', '2026-06-01', '--days', '2'], {}, 3, /1 quarantined, /, none],
])('flightdata %j with %j exits with %i', async (args, env, code, out, err) => {
  expect(await runCommand(args, { DATABASE_URL: fresh.url, ...env })).toEqual({
    code,
    out: expect.stringMatching(out),
    err: expect.stringMatching(err),
  });
});

const plainFile = write('file', '');
const missing = join(folder, 'missing');
const [empty, occupied] = [await emptyDatabase(), createServer().listen(0, '127.0.0.1')] as const;
await once(occupied, 'listening');
afterAll(async () => {
  occupied.close();
  await empty.drop();
});
const { port } = occupied.address() as AddressInfo;
const urlForm = 'DATABASE_URL must be of the form postgres://user:password@host:port/database, not';
const noStore = "has no store; correct it, or create a store with 'flightdata serve' or an import";
const dataDir = (path: string, reason: string): string =>
  `DATA_DIR=${path} cannot be used: ${reason}; choose a folder that this user can write`;
const inUse = `another process listens on 127.0.0.1:${port}; stop it, or choose another port (0 selects a free one) (EADDRINUSE)`;
const refused = 'no PostgreSQL listens there: start it, or correct host and port (ECONNREFUSED)';
const load = ['import', 'ssim', missing];

test.each([
  [['keys', 'list'], { DATA_DIR: missing }, `DATA_DIR=${missing} ${noStore}`],
  [['keys', 'list'], { DATABASE_URL: empty.url }, `DATABASE_URL=${maskPassword(empty.url)} ${noStore}`],
  [load, { DATA_DIR: '/proc/nope' }, dataDir('/proc/nope', 'no folder can be created there (ENOENT)')],
  [load, { DATA_DIR: plainFile }, dataDir(plainFile, 'it is a file (EEXIST)')],
  [load, { DATA_DIR: join(plainFile, 'a') }, dataDir(join(plainFile, 'a'), 'part of the path is a file (ENOTDIR)')],
  [['keys', 'list'], { DATABASE_URL: 'banana' }, `${urlForm} 'banana'`],
  [['doctor'], { DATABASE_URL: 'mysql://u:geheim@h/x' }, `${urlForm} 'mysql://u:***@h/x'`],
  [['doctor'], { DATABASE_URL: 'postgres://u:ge heim@h/x' }, `${urlForm} 'postgres://u:***@h/x'`],
  [
    load,
    { DATABASE_URL: 'postgres://u:geheim@127.0.0.1:1/x' },
    `DATABASE_URL=postgres://u:***@127.0.0.1:1/x: ${refused}`,
  ],
  [
    ['prune', '--before', '2026-01-01'],
    { DATABASE_URL: databaseUrlOf(empty.url, 'missing') },
    `DATABASE_URL=${maskPassword(databaseUrlOf(empty.url, 'missing'))}: the database does not exist: create it, or correct the name (3D000)`,
  ],
  [['serve'], { PORT: String(port) }, `PORT=${port}: ${inUse}`],
  [['serve', '--port', '0'], { METRICS_PORT: String(port) }, `METRICS_PORT=${port}: ${inUse}`],
])('flightdata %j with %j names setting, value and remedy', async (args, env, message) => {
  const result = await (args[0] === 'serve' ? runCommand : callCommand)(args, env);
  expect(result).toEqual({ code: 1, out: '', err: `flightdata: ${message}\n` });
  expect(existsSync(missing)).toBe(false);
});

test('doctor reports a new store, and changes nothing', async () => {
  const text = `new store: DATA_DIR=${missing} ${noStore}`;
  expect(await callCommand(['doctor'], { DATA_DIR: missing })).toEqual({
    code: 0,
    out: `warn store        ${text}\n`,
    err: '',
  });
  expect(existsSync(missing)).toBe(false);
});

test('an import reports that it creates a store, and that its file does not exist', async () => {
  const setting = `DATABASE_URL=${maskPassword(empty.url)}`;
  const err = `new store: created in ${setting}\n${missing}: rejected, nothing loaded: it does not exist; correct the path\n`;
  expect(await callCommand(load, { DATABASE_URL: empty.url })).toEqual({ code: 1, out: '', err });
});

const readHelp = async (...args: readonly string[]) => {
  const { code, out } = await runCommand([...args, '--help'], {});
  expect(code).toBe(0);
  const [usage = '', environment = ''] = out.split('\nEnvironment:\n');
  return { usage, variables: [...environment.matchAll(/^ {2}([A-Z]\w+)/gm)].map(([, name = '']) => name) };
};

test('each command that a variable names exists', () => {
  const named = serviceVariables.flatMap(({ commands = [], exceptCommands = [] }) => [...commands, ...exceptCommands]);
  expect(named.filter((name) => !commandNames.includes(name))).toEqual([]);
});

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
  ['import', { HORIZON_DAYS: true, WORKERS: false, OTEL_: true }],
])('flightdata %s --help lists the variables that the command reads: %j', async (command, expected) => {
  const { variables } = await readHelp(command);
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, variables.includes(name)]))).toEqual(expected);
});
