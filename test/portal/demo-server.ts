import { readChangeLogs } from '../../src/cli/shared/change-logs.ts';
import { openHttpServer } from '../../src/http/server/server.ts';
import type { StaticFile } from '../../src/http/static/static-files.ts';
import { watchConnections } from '../../src/jobs/connections/watch-connections.ts';
import { readWarmMasterData } from '../../src/jobs/cache/master-data-cache.ts';
import { AccountEventWatcher } from '../../src/jobs/events/account-event-watcher.ts';
import { DEMO_DAY, demoDatabase } from '../support/demo-database.ts';
import { fanOutToAll } from '../support/fan-out-events.ts';
import { inactiveHub } from '../support/hub/inactive-hub.ts';
import { offlineDeliverer, offlineGuard } from '../support/offline-deliverer.ts';
import { createTestApp } from '../support/test-app.ts';
import { sequence } from '../store/events/sample-events.ts';
import { flight, message, ingest } from '../jobs/status/messages.ts';

/** Starts a server of the demo world that publishes these files, on a store of its own; webhooks are not delivered. */
export const openDemoServer = async (published: readonly StaticFile[] = []) => {
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
  const app = await createTestApp(sql, {
    masterData: () => masterData,
    getConnections: connections.current,
    getConnectionsById: connections.find,
    clock,
    changes: readChangeLogs(),
    published,
    accountEvents,
    guard: offlineGuard,
    deliverer: offlineDeliverer,
    hub: inactiveHub,
  });
  const server = openHttpServer({ fetch: app, port: 0, hostname: '127.0.0.1' });
  const { port } = await server.listening;
  return {
    base: `http://127.0.0.1:${port}`,
    /** The account of the demo world that has events. */
    accountId,
    setToday: (date: string): void => void (now = new Date(`${date}T12:00:00Z`)),
    drop: async (): Promise<void> => {
      await server.close(0);
      await accountEvents.stop();
      await connections.stop();
      await drop();
      if (failures.length > 0) throw new AggregateError(failures, 'the server met with failures');
    },
  };
};
