import { hash } from 'node:crypto';
import type { ServiceOptions } from '#service.ts';
import { readConnectionSet, type PublishedConnections } from '#domain/connections/set/connection-set.ts';
import { localDate, type LocalDate } from '#domain/time/dates.ts';
import { createLoadReport, type LoadReport } from '#feeds/load-report.ts';
import { readSchedules } from '#feeds/ssim/read-schedules.ts';
import { createAccessLog } from '#http/observability/access-log.ts';
import { upsertCarriers } from '#store/master-data/carriers.ts';
import { readSnapshot } from '#store/connections/connection-snapshots.ts';
import { openDatabase, type Database } from '#store/pool/database.ts';
import { upsertEquipment } from '#store/master-data/equipment.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { buildConnections, type ConnectionsBuildOptions } from '#jobs/connections/build-connections.ts';
import { readMasterData, type LoadedMasterData } from '#jobs/cache/master-data-cache.ts';
import { publishSchedules } from '#jobs/expand/publish-schedules.ts';
import type { ExpansionWindow } from '#jobs/expand/schedule-window.ts';
import { AccountEventWatcher } from '#jobs/events/account-event-watcher.ts';
import { freshDatabase } from './database.ts';
import { everyProduct } from './every-product.ts';
import { inactiveHub } from './hub/inactive-hub.ts';
import { offlineDeliverer, offlineGuard } from './offline-deliverer.ts';
import { createTestApp } from './test-app.ts';

/** IATA, ICAO and FAA code, country, latitude, longitude, zone. */
const airports = [
  ['LHR', 'EGLL', '', 'GB', 51.4706, -0.461941, 'Europe/London'],
  ['LGW', 'EGKK', '', 'GB', 51.148102, -0.190278, 'Europe/London'],
  ['CDG', 'LFPG', '', 'FR', 49.012798, 2.55, 'Europe/Paris'],
  ['JFK', 'KJFK', 'JFK', 'US', 40.639801, -73.7789, 'America/New_York'],
  ['LAX', 'KLAX', 'LAX', 'US', 33.942501, -118.407997, 'America/Los_Angeles'],
  ['SYD', 'YSSY', '', 'AU', -33.946098, 151.177002, 'Australia/Sydney'],
  ['SIN', 'WSSS', '', 'SG', 1.35019, 103.994003, 'Asia/Singapore'],
  ['AKL', 'NZAA', '', 'NZ', -37.008099, 174.792007, 'Pacific/Auckland'],
  ['HNL', 'PHNL', 'HNL', 'US', 21.318701, -157.921997, 'Pacific/Honolulu'],
  ['LIS', 'LPPT', '', 'PT', 38.7813, -9.13592, 'Europe/Lisbon'],
  ['OPO', 'LPPR', '', 'PT', 41.2481, -8.68139, 'Europe/Lisbon'],
] as const;

/** Stores eleven airports, three carriers and two aircraft types. */
export const saveTinyMasterData = async (db: Database): Promise<void> =>
  db.begin(async (sql) => {
    const locations = airports.map(([iata, icao, faa, countryCode, latitude, longitude, zone]) => {
      const codes = { iata, icao, faa, countryCode, cityCode: iata };
      return { ...codes, latitude, longitude, zone, name: `${iata} airport`, rank: 1 };
    });
    await upsertLocations(sql, locations);
    await upsertCarriers(sql, [
      { iata: 'XX', icao: 'XXA', name: 'Example Airways', rank: 1 },
      { iata: 'YY', icao: 'YYB', name: 'Young Yonder', rank: 1 },
      { iata: 'WW', icao: '', name: 'Wide World', rank: 1 },
    ]);
    await upsertEquipment(sql, [
      { iata: '789', icao: 'B789', name: 'Boeing 787-9', cargoTonnes: 15 },
      { iata: '320', icao: 'A320', name: 'Airbus A320', cargoTonnes: undefined },
    ]);
  });

export type PublishOptions = {
  readonly today?: LocalDate;
  readonly window?: ExpansionWindow;
  readonly horizonDays?: number;
};

/** Loads an SSIM file given as text, around 1 June 2026 unless overridden. */
export const publishText = async (db: Database, text: string, options: PublishOptions = {}): Promise<LoadReport> => {
  const report = createLoadReport('test.ssim');
  const bytes = Buffer.from(text, 'latin1');
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes;
  };
  return publishSchedules(db, {
    kind: 'ssim',
    source: 'test.ssim',
    sha256: hash('sha256', bytes, 'hex'),
    schedules: await readSchedules(pieces(), report),
    report,
    today: options.today ?? localDate('2026-06-01'),
    window: options.window,
    horizonDays: options.horizonDays ?? 60,
  });
};

export const TEST_KEY = 'test-key-of-every-product';

export type TinyService = Awaited<ReturnType<typeof serveTinyWorld>>;

type TinyOptions = Partial<
  Pick<
    ServiceOptions,
    'bodyMemory' | 'eventLimits' | 'guard' | 'deliverer' | 'cursorSecret' | 'mcp' | 'published' | 'publicUrl'
  >
> & {
  readonly today?: string;
  readonly hub?: ServiceOptions['hub'] | 'none';
  readonly limits?: ServiceOptions['defaultLimits'];
};

/** Creates a service over an empty store with the tiny master data; `today` is the date of its clock. */
export const serveTinyWorld = async ({
  today = '2026-06-01',
  bodyMemory,
  eventLimits = {},
  guard = offlineGuard,
  deliverer = offlineDeliverer,
  hub = inactiveHub,
  // Large enough that no test reaches them by accident; the clock does not advance.
  limits = { perMinute: 10_000_000, perMonth: 1_000_000_000, atOnce: 10_000 },
  cursorSecret,
  mcp,
  published,
  publicUrl,
}: TinyOptions = {}) => {
  const { sql: db, url, drop } = await freshDatabase();
  const changesDb = openDatabase({ url, applicationName: 'flightdata-test', max: 1 });
  await saveTinyMasterData(db);
  await insertKeyIfMissing(db, { name: 'tests', products: everyProduct, key: TEST_KEY });
  let noon = new Date(`${today}T12:00:00Z`);
  const clock = (): Date => noon;
  const readNow = (): Promise<LoadedMasterData> => readMasterData(db, clock);
  let masterData = await readNow();
  let sets: readonly PublishedConnections[] = [];
  const lines: string[] = [];
  const accountEvents = new AccountEventWatcher(db, { onError: (error) => void lines.push(String(error)) });
  const app = await createTestApp(db, {
    masterData: () => masterData,
    getConnections: () => sets[0],
    getConnectionsById: (id) => sets.find((one) => one.id === id),
    ...(cursorSecret && { cursorSecret }),
    clock,
    mcp,
    published,
    publicUrl,
    accountEvents,
    guard,
    deliverer,
    bodyMemory,
    defaultLimits: limits,
    ...(hub !== 'none' && { hub }),
    // All these tests use the page cache, so that a stale page fails a test.
    pageCache: { sql: changesDb, maxBytes: 16 << 20 },
    // Generated requests often use long polling.
    eventLimits: { maxWaitMs: 20, ...eventLimits },
    log: createAccessLog({ write: (line: string) => void lines.push(line) }),
  });
  const send = async (path: string, init: RequestInit) => app.request(`http://service.test${path}`, init);
  return {
    db,
    url,
    /** The whole service. */
    app,
    accountEvents,
    /** Sends a GET request, with the key unless other headers are given. */
    get: (path: string, headers: Record<string, string> = { 'subscription-key': TEST_KEY }) => send(path, { headers }),
    send,
    /** Sets the clock to noon of another day, or to an instant, which may be in the past. */
    setToday: (date: string): void => void (noon = new Date(`${date}T12:00:00Z`)),
    setNow: (instant: string): void => void (noon = new Date(instant)),
    /** The lines of the access log so far. */
    logged: (): readonly string[] => lines,
    /** Reads master data again, as a server does when notified of a change. */
    refresh: async (): Promise<void> => void (masterData = await readNow()),
    /** Rebuilds the connection set and serves it; keeps the previous one, as a server does. */
    buildConnections: async (options: Pick<ConnectionsBuildOptions, 'days'> = {}): Promise<void> => {
      const builtAt = clock();
      const built = await buildConnections(db, { builtAt, ...options });
      const data = built && (await db.begin((sql) => readSnapshot(sql, built.id)));
      if (!data) throw new Error('another process builds connections');
      const newest = { id: built.id, builtAt, loadedAt: clock(), set: readConnectionSet(data) };
      sets = [newest, ...sets.slice(0, 1)];
    },
    drop: async (): Promise<void> => {
      await changesDb.end({ timeout: 1 });
      await drop();
    },
  };
};
