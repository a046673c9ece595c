#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { readConfig, type Config } from '../config.ts';
import { addBuild } from './build.ts';
import { warnOfRehearsal } from './clock.ts';
import { addDoctor } from './doctor.ts';
import { addExpand } from './expand.ts';
import { addHub } from './hub.ts';
import { addImport } from './import.ts';
import { addKeys } from './keys.ts';
import { addMock } from './mock.ts';
import { addPrune } from './prune.ts';
import { exitCodes } from './report-outcome.ts';
import { addServe } from './serve.ts';

const environmentHelp = `
Environment:
  DATABASE_URL       PostgreSQL 15 or later; without it an embedded PostgreSQL keeps its data in DATA_DIR
  DATA_DIR           data of the embedded PostgreSQL (.flightdata)
  PORT, HOST         where serve and mock listen (8080 and 4010, 127.0.0.1)
  PUBLIC_URL         address under which callers reach the service, where a proxy stands before it
  HORIZON_DAYS       how many days from yesterday on are kept laid out as flights (62)
  NATS_URL           a broker (nats-server 2.9 or later, with JetStream) to which events are published (docs/hub.md)
  HUB_PUBLIC_URL     where consumers reach it (NATS_URL, without user and password)
  FLIGHTDATA_TODAY   the UTC date on which the clock starts, for a rehearsal (today)`;

const versionOf = (): string => {
  // Built, this file lies one folder deeper than in a checkout.
  for (const place of ['../../package.json', '../../../package.json']) {
    try {
      const parsed: unknown = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'));
      if (typeof parsed === 'object' && parsed !== null && 'version' in parsed) return String(parsed.version);
    } catch {
      continue;
    }
  }
  return 'unknown';
};

const program = new Command('flightdata')
  .description('An open, self-hosted aviation flight data service.')
  .version(versionOf())
  .showHelpAfterError('(add --help for the usage)')
  .addHelpText('after', environmentHelp)
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : exitCodes.usage);
  });

const config = (): Config => {
  const read = readConfig();
  if (read.today !== undefined) warnOfRehearsal(read.today);
  return read;
};
addServe(program, config);
addMock(program, config);
addImport(program, config);
addExpand(program, config);
addBuild(program, config);
addKeys(program, config);
addHub(program, config);
addDoctor(program, config);
addPrune(program, config);

try {
  await program.parseAsync();
} catch (error) {
  const messages = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) messages.push(cause.message);
  process.stderr.write(`flightdata: ${messages.join(': ') || String(error)}\n`);
  process.exitCode = exitCodes.refused;
}
