import { openDatabase } from '#store/pool/database.ts';
import { migrate } from '#store/schema/migrate.ts';
import { buildConnections } from '#jobs/connections/build-connections.ts';
import { startPlainReceiver } from '#test/delivery/webhook/receivers.ts';
import { buildFile, buildLeg, buildSecondLeg } from '#test/feeds/ssim/build-file.ts';
import { profile } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { seedWorld } from '../support/seed-world.ts';
import { startServerProcess } from '../support/server-process.ts';

/** A server process whose database will fail, with an account, an alert on all of XX 101 and an endpoint. */
export type ServedWorld = Awaited<ReturnType<typeof serveWorld>>;

export const headers = { 'Subscription-Key': TEST_KEY, 'Content-Type': 'application/json' };

/** A request of every product with a constant response; master data is served from memory. */
export const sampleRequests = {
  flightInfo: '/flight-instances?version=v2&DepartureDateTime=2026-06-03&DepartureAirport=JFK',
  schedules: '/flights?version=v1',
  connections: '/flight-connections?version=v1&DepartureAirport=LHR&ArrivalAirport=LAX&DepartureDate=2026-06-03',
  masterData: '/locations?version=v1&Limit=3',
} as const;

export const healthPath = '/flights/health';

const createResource = async (base: string, path: string, body: object): Promise<object> => {
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${base}/flight-info-alerts${path}?version=v1`, init);
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${text}`);
  const created: object = JSON.parse(text);
  return created;
};

export const serveWorld = async (url: string, env: Readonly<Record<string, string>> = {}) => {
  const db = openDatabase({ url, applicationName: 'flightdata-test', max: 3 });
  await migrate(db);
  await seedWorld(db, buildFile(buildLeg(), buildSecondLeg()), { horizonDays: 4 });
  await buildConnections(db, { builtAt: new Date('2026-06-01T00:00:00Z') });
  const receiver = await startPlainReceiver((_request, response) => void response.end('ok'));
  const server = await startServerProcess([], {
    DATABASE_URL: url,
    FLIGHTDATA_TODAY: '2026-06-01',
    HORIZON_DAYS: '4',
    WEBHOOK_ALLOW: 'http://127.0.0.1:*',
    // Quota counters are stored in the database; without limits, responses from memory do not need it.
    LIMIT_PER_MINUTE: '0',
    LIMIT_PER_MONTH: '0',
    ...env,
  });
  const { accountId = '' }: { accountId?: string } = await createResource(server.base, '/profile', profile);
  const alert = { name: 'Heathrow', alertType: 'Port', departureAirport: 'LHR' };
  await createResource(server.base, '/alerts', { accountId, ...alert });
  await createResource(server.base, '/endpoints', { accountId, url: `http://127.0.0.1:${receiver.port}/hook` });
  return {
    server,
    db,
    accountId,
    receiver,
    close: async (): Promise<void> => {
      await server.kill();
      await receiver.close();
      await db.end({ timeout: 1 });
    },
  };
};
