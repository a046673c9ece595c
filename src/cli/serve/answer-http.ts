import { createApp } from '../../app.ts';
import type { Config } from '../../config.ts';
import type { AccessLog } from '../../http/observability/access-log.ts';
import { callersBehind } from '../../http/auth/client-address.ts';
import { countPages } from '../../http/cache/page-metrics.ts';
import { logRefusals } from '../../http/server/rejected-requests.ts';
import { openServer } from '../../http/server/server.ts';
import { openQuestions, type Database } from '../../store/pool/database.ts';
import { secretNamed } from '../../store/pool/secrets.ts';
import type { Observe } from '../../telemetry/metric.ts';
import { watchConnections } from '../../jobs/connections/connections-watch.ts';
import { readServedMasterData, type MasterData } from '../../jobs/cache/master-data.ts';
import { watchMasterData } from '../../jobs/cache/master-data-watch.ts';
import { followReplicas } from '../../jobs/cache/follow-replicas.ts';
import { watchAccountEvents } from '../../jobs/events/watch-account-events.ts';
import { readChanges } from '../changes.ts';
import { openHubOf } from '../open-hub.ts';
import type { OpenTracing } from '../open-tracing.ts';
import type { Webhooks } from '../open-webhooks.ts';
import { readDocuments, readPortal } from '../read-published.ts';
import { reportSeldom } from '../report-seldom.ts';
import { addressOf } from './address.ts';

/** For answers under way. */
const GRACE_MS = 10_000;
/** For connections without one: a request takes less than that from whoever is anywhere near. */
const IDLE_MS = 500;

export type HttpAnswering = {
  /** The URL of the database, and the name under which it knows this process. */
  readonly url: string;
  readonly applicationName: string;
  readonly config: Config;
  readonly clock: () => Date;
  readonly log: AccessLog;
  /** Adds something to read to the metrics. */
  readonly addMetrics: (observe: Observe) => void;
  readonly webhooks: Webhooks;
  readonly tracing: OpenTracing;
  readonly hostname: string;
  /** 0 takes a free one. */
  readonly port: number;
};

/** A process that answers requests. */
export type Answering = {
  /** The port in use. */
  readonly port: number;
  /** Master data as they are now. */
  readonly masterData: () => MasterData;
  /** Whether it is about to end, so that nobody should send it anything new. */
  readonly isDraining: () => boolean;
  /** Goes on for so many milliseconds, each answer being the last on its connection; then takes no more and answers what is under way. */
  readonly drain: (waitMs: number) => Promise<void>;
  /** Lets go of what it keeps up to date; after `drain`. */
  readonly release: () => Promise<void>;
};

/** Answers the requests of a port from a database that is ready. Any number of processes may do this, on one port or several. */
export const answerHttp = async (
  db: Database,
  {
    url,
    applicationName,
    config,
    clock,
    log,
    addMetrics,
    webhooks,
    tracing,
    hostname,
    port: wantedPort,
  }: HttpAnswering,
): Promise<Answering> => {
  const { publicUrl } = config;
  const pool = { url, applicationName, answerMs: config.queryTimeoutMs };
  const questions = openQuestions(pool);
  // Who may ask is known also while all the others are held up.
  const doorQuestions = openQuestions({ ...pool, max: 2 });
  const pages = config.cacheMegabytes > 0 ? countPages() : undefined;
  if (pages) addMetrics(pages.observe);
  const pageCache = pages && {
    sql: openQuestions({ ...pool, max: 1 }),
    maxBytes: config.cacheMegabytes * 2 ** 20,
    watch: pages.watch,
  };
  const watch = await watchMasterData(db, {
    read: (sql) => readServedMasterData(sql, clock),
    onError: (error) => log.failure(error, clock(), 'master-data'),
  });
  const connections = await watchConnections(db, {
    clock,
    onError: (error) => log.failure(error, clock(), 'connections'),
  });
  const accountEvents = watchAccountEvents(db, {
    onError: reportSeldom((error) => log.failure(error, clock(), 'account events'), clock),
  });
  const hub = await openHubOf(config, db);
  const replicas = config.replicaUrls.map((replica) => openQuestions({ ...pool, url: replica }));
  const app = createApp({
    sql: questions,
    replicas: followReplicas(questions, {
      replicas,
      onError: reportSeldom((error) => log.failure(error, clock(), 'replicas'), clock),
    }),
    doorSql: doorQuestions,
    accountEvents,
    masterData: watch.current,
    connections: connections.current,
    connectionsById: connections.find,
    cursorSecret: await secretNamed(db, 'cursor'),
    mapSecret: await secretNamed(db, 'map'),
    clock,
    changes: readChanges(),
    published: [...readDocuments(), ...readPortal(publicUrl ?? addressOf(hostname, wantedPort))],
    log,
    publicUrl,
    guard: webhooks.guard,
    deliverer: webhooks.deliverer,
    hub: hub?.giveAccess,
    pageCache,
    limits: config.limits,
    wrongKeysPerMinute: config.limits.wrongKeysPerMinute,
    callerOf: callersBehind(config.trustedProxies),
  });
  tracing.queries(questions);
  const server = openServer({
    fetch: tracing.front(app),
    port: wantedPort,
    hostname,
    onRefused: logRefusals(log, clock),
  });
  const { port } = await server.listening;
  return {
    port,
    masterData: watch.current,
    isDraining: server.isDraining,
    drain: async (waitMs) => {
      await server.endSoon(waitMs);
      const closed = server.close(GRACE_MS, IDLE_MS);
      // Streams of events have no end of their own.
      await accountEvents.stop();
      await closed;
    },
    release: async () => {
      await connections.stop();
      await watch.stop();
      const pools = [questions, doorQuestions, ...(pageCache ? [pageCache.sql] : []), ...replicas];
      await Promise.all(pools.map((sql) => sql.end({ timeout: 1 })));
    },
  };
};
