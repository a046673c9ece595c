import { createApp } from '../../src/app.ts';
import { readChangeLogs } from '../../src/cli/shared/change-logs.ts';
import { createAccessLog } from '../../src/http/observability/access-log.ts';
import { openHttpServer } from '../../src/http/server/server.ts';
import type { StaticFile } from '../../src/http/static/static-files.ts';
import { watchConnections } from '../../src/jobs/connections/watch-connections.ts';
import { readWarmMasterData } from '../../src/jobs/cache/master-data-cache.ts';
import { AccountEventWatcher } from '../../src/jobs/events/account-event-watcher.ts';
import { DEMO_DAY, demoDatabase } from '../support/demo-database.ts';
import { fanOutToAll } from '../support/fan-out-events.ts';
import { inactiveHub } from '../support/hub/inactive-hub.ts';
import { offlineDeliverer, offlineGuard } from '../support/offline-deliverer.ts';
import { sequence } from '../store/events/sample-events.ts';
import { flight, message, ingest } from '../jobs/status/messages.ts';

/** A listening server of the demo world, as `make run` starts it. */
export type DemoServer = {
  readonly base: string;
  /** The account of the demo world that has events. */
  readonly accountId: string;
  readonly setToday: (date: string) => void;
  readonly drop: () => Promise<void>;
};

/** Starts a server on a store of its own that publishes these files; webhooks are not delivered. */
export const openDemoServer = async (published: readonly StaticFile[] = []): Promise<DemoServer> => {
  const { sql, drop } = await demoDatabase();
  let now = new Date(`${DEMO_DAY}T12:00:00Z`);
  const clock = (): Date => now;
  const reference = flight({ carrier: 'X2', flightNumber: 101, departureAirport: 'SYD', arrivalAirport: 'MEL' });
  await ingest(sql, [message({ id: 'gate', flight: reference, facts: { departureGate: 'B12' } })]);
  await sequence(sql);
  const [account] = await sql<{ id: string; stream: number }[]>`select id, stream from alert_account`;
  const { id: accountId = '', stream = 0 } = account ?? {};
  await fanOutToAll(sql, [stream]);
  const failures: unknown[] = [];
  const onError = (error: unknown): void => void failures.push(error);
  const masterData = await readWarmMasterData(sql, clock);
  const connections = await watchConnections(sql, { clock, onError });
  const accountEvents = new AccountEventWatcher(sql, { onError });
  const app = createApp({
    sql,
    masterData: () => masterData,
    getConnections: connections.current,
    getConnectionsById: connections.find,
    cursorSecret: Buffer.alloc(32, 1),
    mapSecret: Buffer.alloc(32, 2),
    clock,
    changes: readChangeLogs(),
    published,
    accountEvents,
    log: createAccessLog({ write: () => {} }),
    guard: offlineGuard,
    deliverer: offlineDeliverer,
    hub: inactiveHub,
  });
  const server = openHttpServer({ fetch: app, port: 0, hostname: '127.0.0.1' });
  const { port } = await server.listening;
  return {
    base: `http://127.0.0.1:${port}`,
    accountId,
    setToday: (date) => {
      now = new Date(`${date}T12:00:00Z`);
    },
    drop: async () => {
      await server.close(0);
      await accountEvents.stop();
      await connections.stop();
      await drop();
      if (failures.length > 0) throw new AggregateError(failures, 'the server met with failures');
    },
  };
};
