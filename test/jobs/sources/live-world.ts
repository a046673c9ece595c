import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { LiveFollower, type LiveFollowerOptions } from '#jobs/sources/live-follower.ts';
import { parseFollowedSources } from '#jobs/sources/live-registry.ts';
import { createIngester } from '#jobs/status/ingest/status-ingester.ts';
import type { Database } from '#store/pool/database.ts';
import { upsertCarriers } from '#store/master-data/carriers.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import type { ReplayServer } from '#test/support/sources/replay-server.ts';

const airports = [
  ['OSL', 'ENGM', 'NO', 60.19, 11.1, 'Europe/Oslo'],
  ['BGO', 'ENBR', 'NO', 60.29, 5.22, 'Europe/Oslo'],
  ['TRD', 'ENVA', 'NO', 63.46, 10.92, 'Europe/Oslo'],
  ['HKG', 'VHHH', 'HK', 22.31, 113.92, 'Asia/Hong_Kong'],
  ['TPE', 'RCTP', 'TW', 25.08, 121.23, 'Asia/Taipei'],
] as const;

/** Stores the airports and carriers of the tests of live feeds. */
export const saveLiveMasterData = async (db: Database): Promise<void> =>
  db.begin(async (sql) => {
    await upsertLocations(
      sql,
      airports.map(([iata, icao, countryCode, latitude, longitude, zone]) => {
        const codes = { iata, icao, faa: '', countryCode, cityCode: iata };
        return { ...codes, latitude, longitude, zone, name: `${iata} airport`, rank: 1 };
      }),
    );
    await upsertCarriers(sql, [
      { iata: 'WF', icao: 'WIF', name: 'Wideroe', rank: 1 },
      { iata: 'SK', icao: 'SAS', name: 'Scandinavian', rank: 1 },
      { iata: 'CX', icao: 'CPA', name: 'Cathay', rank: 1 },
    ]);
  });

/** A clock that tests move. */
export class TestClock {
  #now: number;

  constructor(text: string) {
    this.#now = Date.parse(text);
  }

  readonly get = (): Date => new Date(this.#now);

  set(text: string): void {
    this.#now = Date.parse(text);
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

export type LiveTestWorld = {
  readonly db: Database;
  readonly clock: TestClock;
  readonly replay: ReplayServer;
  readonly masterDataIndex: MasterDataIndex;
};

/** Creates a follower as a server does. */
export const createFollower = async (
  { db, clock, replay, masterDataIndex }: LiveTestWorld,
  sources: string,
  options: Partial<LiveFollowerOptions> = {},
): Promise<LiveFollower> =>
  new LiveFollower(db, {
    followed: parseFollowedSources(sources),
    ingester: await createIngester(db, { getMasterDataIndex: () => masterDataIndex, clock: clock.get }),
    getMasterDataIndex: () => masterDataIndex,
    clock: clock.get,
    route: { mirror: replay.url },
    userAgent: 'flightdata/test (+ops@airline.example)',
    ...options,
  });

/** Runs a follower as the driver does, until a time. */
export const followUntil = async (follower: LiveFollower, clock: TestClock, until: string | Date): Promise<void> => {
  const end = new Date(until).getTime();
  while (clock.get().getTime() < end) {
    const outcome = await follower.run();
    const waitMs = typeof outcome === 'object' ? outcome.nextInMs : 5000;
    clock.advance(Math.min(Math.max(waitMs, 1), end - clock.get().getTime()));
  }
};

/** Reads the master data index of a database. */
export const readIndex = (db: Database): Promise<MasterDataIndex> => readMasterDataIndex(db);
