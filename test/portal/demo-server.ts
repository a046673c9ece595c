import { createApp } from '../../src/app.ts';
import { readChanges } from '../../src/cli/changes.ts';
import { createAccessLog } from '../../src/http/observability/access-log.ts';
import { openServer } from '../../src/http/server/server.ts';
import type { ServedFile } from '../../src/http/static/static-files.ts';
import { localDate } from '../../src/domain/time/dates.ts';
import { buildConnectionsWhenDue } from '../../src/jobs/connections/build-connections.ts';
import { watchConnections } from '../../src/jobs/connections/connections-watch.ts';
import { keepDemoAccount } from '../../src/jobs/demo/demo-account.ts';
import { readServedMasterData } from '../../src/jobs/cache/master-data.ts';
import { DEMO_KEY, seedDemo } from '../../src/jobs/demo/seed-demo.ts';
import { watchAccountEvents } from '../../src/jobs/events/watch-account-events.ts';
import { catalog } from '../../generated/catalog.ts';
import { freshDatabase } from '../support/database.ts';
import { giveToAll } from '../support/give-events.ts';
import { quietHub } from '../support/quiet-hub.ts';
import { quietDeliverer, quietGuard } from '../support/quiet-receivers.ts';
import { sequence } from '../store/events/sample-events.ts';
import { flight, message, take } from '../jobs/status/messages.ts';

/** The day of the demo world. */
export const DEMO_DAY = '2026-06-01';

/** A server of the demo world, as `make run` starts it, that listens. */
export type DemoServer = {
  readonly base: string;
  /** The account of the demo world, to which something has happened. */
  readonly accountId: string;
  readonly setToday: (date: string) => void;
  readonly drop: () => Promise<void>;
};

/** Starts one over a store of its own, with these files to be read; what it sends goes nowhere. */
export const openDemoServer = async (published: readonly ServedFile[] = []): Promise<DemoServer> => {
  const { sql, drop } = await freshDatabase();
  let now = new Date(`${DEMO_DAY}T12:00:00Z`);
  const clock = (): Date => now;
  const products = catalog.map(({ product }) => product);
  await seedDemo(sql, { today: localDate(DEMO_DAY), horizonDays: 2, products });
  const accountId = await keepDemoAccount(sql, { key: DEMO_KEY, now });
  const reference = flight({ carrier: 'X2', flightNumber: 101, departureAirport: 'SYD', arrivalAirport: 'MEL' });
  await take(sql, [message({ id: 'gate', flight: reference, facts: { departureGate: 'B12' } })]);
  await sequence(sql);
  const [account] = await sql<{ stream: number }[]>`select stream from alert_account where id = ${accountId}`;
  await giveToAll(sql, account ? [account.stream] : []);
  await buildConnectionsWhenDue(sql, { builtAt: now });
  const failures: unknown[] = [];
  const onError = (error: unknown): void => void failures.push(error);
  const masterData = await readServedMasterData(sql, clock);
  const connections = await watchConnections(sql, { clock, onError });
  const accountEvents = watchAccountEvents(sql, { onError });
  const app = createApp({
    sql,
    masterData: () => masterData,
    connections: connections.current,
    connectionsById: connections.find,
    cursorSecret: Buffer.alloc(32, 1),
    mapSecret: Buffer.alloc(32, 2),
    clock,
    changes: readChanges(),
    published,
    accountEvents,
    log: createAccessLog({ write: () => {} }),
    guard: quietGuard,
    deliverer: quietDeliverer,
    hub: quietHub,
  });
  const server = openServer({ fetch: app, port: 0, hostname: '127.0.0.1' });
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
