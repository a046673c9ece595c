#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { readConfig, type Config } from '../config.ts';
import { addBuild } from './build/build.ts';
import { warnAboutClockOverride } from './shared/clock.ts';
import { addDemo } from './demo.ts';
import { addDoctor } from './doctor.ts';
import { addExpand } from './expand.ts';
import { addHub } from './hub.ts';
import { addImport } from './import/import.ts';
import { addKeys } from './keys/keys.ts';
import { addMock } from './mock.ts';
import { addPrivacy } from './privacy.ts';
import { addPrune } from './prune.ts';
import { exitCodes } from './shared/exit-codes.ts';
import { addServe } from './serve/serve.ts';

const environmentHelp = `
Environment:
  DATABASE_URL       PostgreSQL 15 or later; without it an embedded PostgreSQL keeps its data in DATA_DIR.
                     Streaming replicas of it may follow, with commas between: serve reads from them
  DATA_DIR           data of the embedded PostgreSQL (.flightdata)
  PORT, HOST         where serve and mock listen (8080 and 4010, 127.0.0.1)
  WORKERS            how many processes of serve answer requests, or auto: one for each processor (1)
  DRAIN_SECONDS      for how long serve goes on answering after it was asked to end (0)
  PUBLIC_URL         address under which callers reach the service, where a proxy stands before it
  LIMIT_PER_MINUTE   requests a subscription may make in a minute (60000; 0: any number), see keys limits
  LIMIT_PER_MONTH    the same in a calendar month, UTC (100000000)
  LIMIT_AT_ONCE      the same being answered at the same time by one process (200)
  LIMIT_WRONG_KEYS   wrong keys a minute that one address can bring to one process (100)
  TRUSTED_PROXIES    addresses and networks of proxies whose X-Forwarded-For says who asks (none)
  CACHE_MB           memory in which a process that answers keeps pages of flights, MB; 0 keeps none (256)
  QUERY_TIMEOUT_MS   how long a question of a request may keep the database busy (10000)
  HORIZON_DAYS       how many days from yesterday on are kept laid out as flights (62)
  WEBHOOK_ALLOW      addresses, networks and names of receivers of events that may be internal (none)
  WEBHOOK_PORTS      ports of public receivers (443,8443)
  WEBHOOK_AUTHORITIES
                     a file of certificates (PEM) of authorities to trust beside those of the system (none)
  NATS_URL           a broker (nats-server 2.9 or later, with JetStream) to which events are published (docs/hub.md)
  HUB_PUBLIC_URL     where consumers reach it (NATS_URL, without user and password)
  METRICS_PORT       where serve tells metrics, /healthz and /readyz, apart from the API (nowhere)
  METRICS_HOST       the address of that port (127.0.0.1)
  OTEL_...           where traces are sent, as OpenTelemetry names it: OTEL_EXPORTER_OTLP_ENDPOINT (docs/operating.md)
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
  if (read.today !== undefined) warnAboutClockOverride(read.today);
  return read;
};
addServe(program, config);
addMock(program, config);
addImport(program, config);
addExpand(program, config);
addBuild(program, config);
addKeys(program, config);
addHub(program, config);
addDemo(program, config);
addDoctor(program, config);
addPrune(program, config);
addPrivacy(program, config);

try {
  await program.parseAsync();
} catch (error) {
  const messages = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) messages.push(cause.message);
  process.stderr.write(`flightdata: ${messages.join(': ') || String(error)}\n`);
  process.exitCode = exitCodes.failed;
}
