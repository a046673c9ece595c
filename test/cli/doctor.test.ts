import { expect, test } from 'vitest';
import { sharedDatabase } from '../support/database.ts';
import { callCommand } from './call-command.ts';
import type { CommandResult } from './run-command.ts';

const fresh = await sharedDatabase();

const doctor = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> =>
  callCommand(['doctor', ...args], { DATABASE_URL: fresh.url, ...env });

const plain = (text: string): string =>
  text
    .replaceAll(/PostgreSQL \S+.*? responds in \d+ ms/g, 'PostgreSQL responds')
    .replace(/release 20\d\d[a-z]/, 'release R')
    .replaceAll(/\d+\.\d|\d+(?= MiB)/g, 'N');

const tasks = [
  'sequence-events moves committed events from the outbox to the event log: every 1 s, on NOTIFY event_outbox; lease: event_log_end, never used',
  'fan-out-events adds events of the log to the accounts whose alerts select them: every 1 s, on NOTIFY events; lease: event_distribution, never used',
  'publish-to-hub publishes account events to the hub (NATS JetStream): every 1 s, on NOTIFY account_events; lease: hub_progress, held by 0 processes',
  'claim-deliveries claims webhook endpoints and reads the events and retries that are due: every 1 s, on NOTIFY account_events, on NOTIFY push_endpoints, on NOTIFY registration_blocks; lease: push_progress, held by 0 processes',
  'write-deliveries writes the results of webhook deliveries: every 100 ms; lease: push_progress, held by 0 processes',
  'prune-events deletes events after 7 days, and the delivery log, stored responses, alert changes and flight versions that nothing needs: every 1 h; no lease',
  'prune-page-changes deletes the change marks of cached pages: every 5 min; no lease',
  'extend-horizon expands schedules to the horizon; once a day predicts seats and builds on-time statistics: every 1 h; lease: advisory locks',
  'update-statuses updates statuses of changed flights that an interrupted import left, and adds days for plans in quarantine: every 10 s; no lease',
  'build-connections builds a connection set when the newest is older than a week: every 3 s; lease: advisory lock',
  'follow-live-feeds requests live feeds of airports (LIVE_SOURCES) and ingests what is new: every 1 s; lease: live_follower, held by 0 processes',
  'demo-activity reports the status of the flights of the demo world: every 10 s; no lease',
  'demo-history fills the last 30 days of the demo world with flown flights: every 1 h; no lease',
  'watch-primary checks that the primary database answers, and up to when replicas and copies in memory are complete: every 500 ms; no lease',
  'watch-master-data keeps master data in memory up to date: on NOTIFY master_data; no lease',
  'watch-connections keeps the newest connection sets in memory: every 1 min, on NOTIFY connections; no lease',
  'watch-account-events wakes requests that wait for events of an account: every 5 s, on NOTIFY account_events; no lease',
];

const empty = [
  ['ok', 'database', 'PostgreSQL responds'],
  ['ok', 'schema', 'up to date'],
  ['ok', 'room', 'store size N MiB'],
  ['ok', 'clock', 'the clocks of the database and of this host differ by N s'],
  ['warning', 'schedules', 'no schedules loaded; load them with: flightdata import ssim'],
  ['warning', 'status', 'no status of flights of yesterday or today; check the status feed'],
  [
    'warning',
    'connections',
    'no connection set, the Connections product returns 503; start a server, or run: flightdata build connections',
  ],
  ['ok', 'events', 'backlog: 0 not in the event log, 0 not fanned out to accounts'],
  ['ok', 'push', '0 endpoints, 0 disabled; 0 dead letters'],
  ['warning', 'keys', 'no API keys; create one with: flightdata keys create'],
  ['ok', 'messages', 'no schedule messages in quarantine or incomplete'],
  ['ok', 'replication', 'none: no replica streams from this database'],
  ['ok', 'public-url', 'PUBLIC_URL is not set: links repeat the Host header of each request'],
  ['ok', 'webhooks', 'WEBHOOK_ALLOW and WEBHOOK_PORTS permit all active endpoints'],
  ['ok', 'time zones', 'release R of the time zone database'],
  ['ok', 'secrets', 'not encrypted: SECRETS_KEY is none'],
  ['ok', 'hub', 'not configured (NATS_URL is not set)'],
  ...tasks.map((text) => ['ok', 'task', text]),
];

test('reports a healthy new store and what it lacks, as text and as JSON', async () => {
  const text = await doctor();
  const json = await doctor(['--json']);
  const mark = (level: string | undefined): string => (level === 'ok' ? 'ok  ' : 'warn');
  const lines = empty.map(([level, name = '', text]) => `${mark(level)} ${name.padEnd(12)} ${text}\n`);
  expect({ ...text, out: plain(text.out) }).toEqual({ code: 0, out: lines.join(''), err: '' });
  const findings = empty.map(([level, name, text]) => ({ name, level, text }));
  expect([json.code, JSON.parse(plain(json.out))]).toEqual([0, findings]);
});

test('fails when the hub is unreachable and does not print its password', async () => {
  const env = { NATS_URL: 'nats://flights:geheim@127.0.0.1:1', WEBHOOK_ALLOW: 'a:80' };
  const { code, out, err } = await doctor([], env);
  expect([code, err]).toEqual([1, '']);
  expect(out).toMatch(/^FAIL hub {10}cannot connect to the broker: \S/m);
  expect(out).toMatch(/^FAIL webhooks {5}WEBHOOK_ALLOW: write scheme:.* instead of 'a:80'$/m);
  expect(out).not.toContain('geheim');
});

test('reports a missing migration and does not apply it', async () => {
  const [row] = await fresh.sql<{ name: string }[]>`
    delete from schema_migration where version = (select max(version) from schema_migration) returning *`;
  const { code, out } = await doctor();
  const lacks = `FAIL schema       pending migrations: ${row?.name}; run any other command, such as serve, to apply them\n`;
  expect([code, plain(out)]).toEqual([1, `ok   database     PostgreSQL responds\n${lacks}`]);
  expect(await fresh.sql`select from schema_migration where name = ${row?.name ?? ''}`).toHaveLength(0);
});

test('fails when the database does not respond', async () => {
  const outcome = await doctor([], { DATABASE_URL: 'postgres://flights:geheim@127.0.0.1:1/flights' });
  const out = expect.stringMatching(/^FAIL database {5}\S.*ECONNREFUSED.*\n$/);
  expect(outcome).toEqual({ code: 1, out, err: '' });
  expect(outcome.out).not.toContain('geheim');
});
