import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { checkHub, ForeignStreamError } from '../delivery/hub/hub-connection.ts';
import { assessDataHealth, type HealthFinding } from '../domain/health/data-health.ts';
import { readDataHealth } from '../store/health/data-health.ts';
import { readMessageHealth } from '../store/schedules/schedule-messages.ts';
import { findDemoKeyRisk } from '#store/access/demo-key.ts';
import { assessLiveFeeds, listLiveStatus } from '../jobs/sources/live-status.ts';
import { readSourceRegistry } from '../jobs/sources/source-registry.ts';
import { assessEndedSources, listSourceStatus } from '../jobs/sources/source-status.ts';
import { formatTriggers, getTaskDefinition, listTaskNames } from '../jobs/task-registry.ts';
import { NoStoreError } from '../store/engine/embedded.ts';
import type { Database } from '../store/pool/database.ts';
import { readReplicationMode } from '../store/pool/replication.ts';
import { listPendingMigrations } from '../store/schema/migrate.ts';
import { listSecretsKeys } from '../store/access/secret-keys.ts';
import { listTaskLeases, type TaskLeaseState } from '../store/tasks/leader-lease.ts';
import { toSourcesDirectory } from './shared/sources-directory.ts';
import { createClock } from './shared/clock.ts';
import { assessDeployment } from './shared/deployment-findings.ts';
import { assessDataDirectory, assessWrites } from './shared/disk-room.ts';
import { findConfiguredHub } from './shared/configured-hub.ts';
import { findLostSecrets, findMissingKey, readConfiguredSecrets } from './shared/configured-secrets.ts';
import { openStoreWithoutMigration } from './shared/open-store.ts';
import { exitCodes } from './shared/exit-codes.ts';

const OLDEST_POSTGRESQL = 150_000;
/** Returns the message of an error; a refused connection has only a code. */
const formatError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
};

const databaseFinding = async (db: Database): Promise<HealthFinding> => {
  const started = performance.now();
  const [row] = await db<{ number: number; name: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name`;
  const took = `PostgreSQL ${row?.name ?? '?'} responds in ${Math.round(performance.now() - started)} ms`;
  const isOld = (row?.number ?? 0) < OLDEST_POSTGRESQL;
  return {
    name: 'database',
    level: isOld ? 'failure' : 'ok',
    text: isOld ? `${took}; version 15 or later is required` : took,
  };
};

const schemaFinding = (pending: readonly string[]): HealthFinding =>
  pending.length === 0
    ? { name: 'schema', level: 'ok', text: 'up to date' }
    : {
        name: 'schema',
        level: 'failure',
        text: `pending migrations: ${pending.join(', ')}; run any other command, such as serve, to apply them`,
      };

/** Reports whether a replica has each change before it is acknowledged, and so what the loss of the primary loses. */
const replicationFinding = async (db: Database): Promise<HealthFinding> => {
  const { replicas, isSynchronous, timeline } = await readReplicationMode(db);
  const streams = `${replicas} ${replicas === 1 ? 'replica streams' : 'replicas stream'} from this primary, timeline ${timeline}`;
  if (isSynchronous)
    return {
      name: 'replication',
      level: 'ok',
      text: `synchronous: each change is on a replica before it is acknowledged; ${streams}`,
    };
  if (replicas === 0) return { name: 'replication', level: 'ok', text: 'none: no replica streams from this database' };
  const lost = 'asynchronous: the loss of the primary loses the changes of the last moments, also acknowledged ones';
  return { name: 'replication', level: 'warning', text: `${lost}; ${streams}` };
};

const roomFinding = ({ databaseUrl, dataDir }: Config, db: Database, bytes: number): Promise<HealthFinding> =>
  databaseUrl === undefined ? assessDataDirectory(dataDir, bytes) : assessWrites(db, bytes);

const hubFinding = async (config: Config, db: Database): Promise<HealthFinding> => {
  const opened = config.hub && (await findConfiguredHub(config, db, await readConfiguredSecrets(config, db)));
  if (!opened) return { name: 'hub', level: 'ok', text: 'not configured (NATS_URL is not set)' };
  try {
    await checkHub(opened.address);
    return { name: 'hub', level: 'ok', text: 'connected to the broker' };
  } catch (error) {
    if (error instanceof ForeignStreamError) return { name: 'hub', level: 'failure', text: error.message };
    return {
      name: 'hub',
      level: 'failure',
      text: `cannot connect to the broker: ${formatError(error)}; check NATS_URL and the broker`,
    };
  }
};

const secretsFinding = async (config: Config, db: Database): Promise<HealthFinding> => {
  const name = 'secrets';
  const ids = (await listSecretsKeys(db)).map(({ keyId }) => keyId);
  try {
    await readConfiguredSecrets(config, db);
    const lost = await findLostSecrets(config, db);
    if (lost !== undefined) return { name, level: 'failure', text: lost };
  } catch (error) {
    return { name, level: 'failure', text: formatError(error) };
  }
  if (ids.length === 1) return { name, level: 'ok', text: `encrypted with the key ${ids.join()}` };
  if (ids.length > 1)
    return {
      name,
      level: 'warning',
      text: `the keys ${ids.join(' and ')} open the secrets: after a rotation run 'flightdata secrets retire'`,
    };
  const missing = await findMissingKey(config, db);
  if (missing) return { name, level: 'warning', text: missing.text };
  const text =
    config.secretsKey === 'none' ? 'not encrypted: SECRETS_KEY is none' : 'not encrypted yet: serve encrypts them';
  return { name, level: 'ok', text };
};

const listDemoKeyFindings = async (db: Database): Promise<readonly HealthFinding[]> => {
  const risk = await findDemoKeyRisk(db);
  return risk === undefined ? [] : [{ name: 'demo key', level: 'warning', text: risk }];
};

const messagesFinding = async (db: Database, now: Date): Promise<HealthFinding> => {
  const { quarantined, waiting, unfinished } = await readMessageHealth(db, now);
  const problems = [
    ...(quarantined > 0 ? [`${quarantined} in quarantine; list them with: flightdata schedule quarantine`] : []),
    ...(waiting > 0 ? [`${waiting} parts wait for others for more than an hour`] : []),
    ...(unfinished > 0 ? [`${unfinished} updates of statuses are not completed; start a server`] : []),
  ];
  return problems.length === 0
    ? { name: 'messages', level: 'ok', text: 'no schedule messages in quarantine or incomplete' }
    : { name: 'messages', level: 'warning', text: problems.join('; ') };
};

const formatLease = (lease: string | undefined, states: readonly TaskLeaseState[]): string => {
  if (lease === undefined) return 'no lease';
  const state = states.find((one) => one.lease === lease);
  if (!state) return `lease: ${lease}`;
  const { holders, lastUsedAt } = state;
  if (holders !== undefined) return `lease: ${lease}, held by ${holders} ${holders === 1 ? 'process' : 'processes'}`;
  return `lease: ${lease}, ${lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt.toISOString()}`}`;
};

/** Lists the background tasks of a server. Runs and errors are known to the server only, and are in its metrics. */
const listTaskFindings = async (db: Database): Promise<readonly HealthFinding[]> => {
  const leases = await listTaskLeases(db);
  return listTaskNames().map((name) => {
    const task = getTaskDefinition(name);
    const text = `${name} ${task.description}: ${formatTriggers(task)}; ${formatLease(task.lease, leases)}`;
    return { name: 'task', level: 'ok', text };
  });
};

/** Runs all checks in this order; stops at a failed check that later ones depend on. */
const examine = async (config: Config, db: Database): Promise<readonly HealthFinding[]> => {
  const database = await databaseFinding(db);
  if (database.level === 'failure') return [database];
  const schema = schemaFinding(await listPendingMigrations(db));
  if (schema.level === 'failure') return [database, schema];
  const now = createClock(config.today)();
  const health = await readDataHealth(db, now);
  return [
    database,
    schema,
    await roomFinding(config, db, health.bytes),
    ...assessDataHealth(health, { now, horizonDays: config.horizonDays }),
    ...assessEndedSources(
      await listSourceStatus(readSourceRegistry(), { dir: toSourcesDirectory(config, undefined), now, sql: db }),
      now,
    ),
    ...assessLiveFeeds(await listLiveStatus(db, now)),
    await messagesFinding(db, now),
    await replicationFinding(db),
    ...(await listDemoKeyFindings(db)),
    ...(await assessDeployment(config, db)),
    await secretsFinding(config, db),
    await hubFinding(config, db),
    ...(await listTaskFindings(db)),
  ];
};

const marks = { ok: 'ok  ', warning: 'warn', failure: 'FAIL' } as const;

const formatFinding = ({ name, level, text }: HealthFinding): string => `${marks[level]} ${name.padEnd(12)} ${text}\n`;

/** Returns the findings for a store; of a missing store, only that it is new. */
const examineStore = async (config: Config): Promise<readonly HealthFinding[]> => {
  try {
    const store = await openStoreWithoutMigration(config, 'doctor');
    try {
      return await examine(config, store.db);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof NoStoreError)
      return [{ name: 'store', level: 'warning', text: `new store: ${error.message}` }];
    const failure: HealthFinding = { name: 'database', level: 'failure', text: formatError(error) };
    // A full disk can be why the embedded PostgreSQL does not start.
    return config.databaseUrl === undefined ? [failure, await assessDataDirectory(config.dataDir)] : [failure];
  }
};

const report = async (config: Config, { json = false }: { readonly json?: boolean }): Promise<number> => {
  const findings = await examineStore(config);
  process.stdout.write(json ? `${JSON.stringify(findings)}\n` : findings.map(formatFinding).join(''));
  return findings.some(({ level }) => level === 'failure') ? exitCodes.failed : 0;
};

/** Adds `flightdata doctor`. */
export const addDoctor = (program: Command, config: () => Config): void => {
  program
    .command('doctor')
    .description(
      'check the health of the store, its data, the events and the hub (read-only: loads and migrates nothing)',
    )
    .option('--json', 'print the findings as JSON')
    .action(async (options: { readonly json?: boolean }) => {
      process.exitCode = await report(config(), options);
    });
};
