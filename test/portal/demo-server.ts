import type { Env } from '#http/context/env.ts';
import { toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { readChangeLogs } from '#cli/shared/change-logs.ts';
import { openHttpServer } from '#http/server/server.ts';
import type { StaticFile } from '#http/static/static-files.ts';
import { watchConnections } from '#jobs/connections/watch-connections.ts';
import { readWarmMasterData } from '#jobs/cache/master-data-cache.ts';
import { AccountEventWatcher } from '#jobs/events/account-event-watcher.ts';
import { DEMO_DAY, demoDatabase } from '../support/demo-database.ts';
import { fanOutToAll } from '../support/fan-out-events.ts';
import { inactiveHub } from '../support/hub/inactive-hub.ts';
import { offlineDeliverer, offlineGuard } from '../support/offline-deliverer.ts';
import { createTestApp } from '../support/test-app.ts';
import { sequence } from '../store/events/sample-events.ts';
import { flight, message, ingest } from '../jobs/status/messages.ts';

/** A request and its response; `body` is the text of the request. */
export type DemoExchange = {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly status: number;
  readonly response: JsonObject;
};

/** Returns the time of the server: v1 of Flight Info is available only until its removal. */
const findTime = (url: string): Date => {
  const isRemoved = /\/flight(?:-instances|s\/health)\?(?:.*&)?version=v1/.test(url);
  return new Date(isRemoved ? '2025-04-13T12:00:00Z' : `${DEMO_DAY}T12:00:00Z`);
};

/** Starts a server of the demo world that publishes these files, on a store of its own; webhooks are not delivered. */
export const openDemoServer = async (published: readonly StaticFile[] = []) => {
  const { sql, drop } = await demoDatabase();
  let now = findTime('');
  const exchanges: DemoExchange[] = [];
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
  /** Keeps the request and the response of JSON, which the tests send one after the other. */
  const record = async (request: Request, bindings: Env['Bindings']): Promise<Response> => {
    const { method, url } = request;
    const headers = new Headers(request.headers);
    headers.delete('accept-encoding');
    now = findTime(url);
    const body = await request.text();
    const response = await app.fetch(new Request(url, { method, headers, ...(body !== '' && { body }) }), bindings);
    if (response.headers.get('content-type')?.includes('json') === true) {
      const content: unknown = await response.clone().json();
      exchanges.push({ method, url, body, status: response.status, response: toJsonObject(content) });
    }
    return response;
  };
  const server = openHttpServer({ fetch: record, port: 0, hostname: '127.0.0.1' });
  const { port } = await server.listening;
  return {
    base: `http://127.0.0.1:${port}`,
    /** The account of the demo world that has events. */
    accountId,
    /** The exchanges so far, which a test may clear. */
    exchanges,
    drop: async (): Promise<void> => {
      await server.close(0);
      await accountEvents.stop();
      await connections.stop();
      await drop();
      if (failures.length > 0) throw new AggregateError(failures, 'the server met with failures');
    },
  };
};
