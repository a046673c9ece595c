#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { readConfig, serviceVariables, type Config } from '../config.ts';
import { renderVariablesHelp } from '../lib/environment-variable.ts';
import { addAccounts } from './accounts.ts';
import { addBuild } from './build/build.ts';
import { addDemo } from './demo.ts';
import { addDoctor } from './doctor.ts';
import { addEndpoints } from './endpoints.ts';
import { addExpand } from './expand.ts';
import { addHub } from './hub.ts';
import { addImport } from './import/import.ts';
import { addKeys } from './keys/keys.ts';
import { addMock } from './mock.ts';
import { addPrivacy } from './privacy.ts';
import { addPrune } from './prune.ts';
import { addServe } from './serve/serve.ts';
import { warnAboutClockOverride } from './shared/clock.ts';
import { exitCodes } from './shared/exit-codes.ts';

const TRACING_HELP =
  '  OTEL_...           where traces are sent, as OpenTelemetry names it: OTEL_EXPORTER_OTLP_ENDPOINT (docs/operating.md)';

/** Returns help about the variables that a command reads; of all commands without a name. */
const environmentHelp = (commandName?: string): string => {
  const variables = serviceVariables.filter(
    ({ commands }) => commandName === undefined || commands === undefined || commands.includes(commandName),
  );
  return `\nEnvironment:\n${renderVariablesHelp(variables)}${commandName === 'mock' ? '' : `\n${TRACING_HELP}`}`;
};

const readVersion = (): string => {
  // A built package has this file one folder deeper than a checkout.
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const parsed: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      if (typeof parsed === 'object' && parsed !== null && 'version' in parsed) return String(parsed.version);
    } catch {
      continue;
    }
  }
  return 'unknown';
};

const program = new Command('flightdata')
  .description('An open, self-hosted aviation flight data service.')
  .version(readVersion())
  .showHelpAfterError('(add --help for the usage)')
  .addHelpText('after', environmentHelp())
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : exitCodes.usage);
  });

const config = (): Config => {
  const read = readConfig();
  if (read.today !== undefined) warnAboutClockOverride(read.today);
  return read;
};
addServe(program, config);
addMock(program, config);
addImport(program, config);
addExpand(program, config);
addBuild(program, config);
addKeys(program, config);
addAccounts(program, config);
addEndpoints(program, config);
addHub(program, config);
addDemo(program, config);
addDoctor(program, config);
addPrune(program, config);
addPrivacy(program, config);
for (const command of program.commands) command.addHelpText('after', environmentHelp(command.name()));

try {
  await program.parseAsync();
} catch (error) {
  const messages = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) messages.push(cause.message);
  process.stderr.write(`flightdata: ${messages.join(': ') || String(error)}\n`);
  process.exitCode = exitCodes.failed;
}
