import { expect, test } from 'vitest';
import { commandNames, serviceVariables } from '../../src/config.ts';
import { runCommand } from './run-command.ts';

const listVariables = async (...args: readonly string[]): Promise<readonly string[]> => {
  const { code, out } = await runCommand([...args, '--help'], {});
  expect(code).toBe(0);
  return [...(out.split('\nEnvironment:\n')[1] ?? '').matchAll(/^ {2}([A-Z]\w+)/gm)].map(([, name = '']) => name);
};

test('commandNames lists exactly the commands of the program', async () => {
  const { out } = await runCommand(['--help'], {});
  const [, commands = ''] = /\nCommands:\n([^]*?)\n\n/.exec(out) ?? [];
  const names = [...commands.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name);
  expect(names).toEqual([...commandNames, 'help']);
});

test('flightdata --help lists all environment variables', async () => {
  expect(await listVariables()).toEqual([...serviceVariables.map(({ name }) => name), 'OTEL_']);
});

test.each([
  ['serve', 'WORKERS', true],
  ['serve', 'DATABASE_URL', true],
  ['mock', 'PORT', true],
  ['mock', 'DATABASE_URL', false],
  ['import', 'HORIZON_DAYS', true],
  ['import', 'WORKERS', false],
])('flightdata %s --help: lists %s is %s', async (command, name, isListed) => {
  expect((await listVariables(command)).includes(name)).toBe(isListed);
});
