import { setImmediate } from 'node:timers/promises';
import { CarrierRecords } from '#domain/master-data/carrier-records.ts';
import { type MasterDataIndex, createMasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { createEquipmentRecords } from '#domain/master-data/equipment-records.ts';
import { LocationRecords } from '#domain/master-data/location-records.ts';
import type { MasterRecords } from '#domain/master-data/master-records.ts';
import { toUtcMinute } from '#domain/time/dates.ts';
import { getZoneClock } from '#domain/time/zone-clock.ts';
import { listCarriers } from '#store/master-data/carriers.ts';
import { listCities } from '#store/master-data/cities.ts';
import { readCountryNames } from '#store/master-data/countries.ts';
import { listEquipment } from '#store/master-data/equipment.ts';
import { readMasterDataVersion, type MasterDataVersion } from '#store/master-data/master-data-changes.ts';
import { readReferencedIds } from '#store/master-data/referenced-ids.ts';
import { listLocations } from '#store/master-data/locations.ts';
import { readTerminals } from '#store/master-data/terminals.ts';
import { listEquipmentEntries, readCarrierFacts, readLocationFacts } from '#store/master-data/master-data-facts.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { BackgroundDriver } from '../driver.ts';

/** A copy of master data in memory. */
export type CachedMasterData<Copy> = { readonly current: () => Copy; readonly stop: () => Promise<void> };

type MasterDataCacheOptions<Copy> = {
  readonly read: (db: Database) => Promise<Copy>;
  /** Called when a later read fails; the copy stays until the next change. */
  readonly onError: (error: unknown) => void;
  readonly driver?: BackgroundDriver | undefined;
};

/** Keeps master data in memory, and reads them again whenever a load of any process has changed them. Rejects when the first read fails. */
export const startMasterDataCache = async <Copy>(
  db: Database,
  { read, onError, driver = new BackgroundDriver(db) }: MasterDataCacheOptions<Copy>,
): Promise<CachedMasterData<Copy>> => {
  const first = Promise.withResolvers<Copy>();
  let current: Copy | undefined;
  const { stop } = await driver.start('watch-master-data', {
    run: async () => {
      const copy = await read(db);
      current = copy;
      first.resolve(copy);
      return 'done';
    },
    onError: (error) => {
      if (current === undefined) first.reject(error);
      else onError(error);
    },
  });
  try {
    const initial = await first.promise;
    return { current: () => current ?? initial, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** The mode of transactions that read master data: all tables as of one moment. */
const SNAPSHOT = 'isolation level repeatable read read only';

/** Master data in memory: `masterDataIndex` for the lookups of flights, `records` for the master data API. Both share locations and carriers. */
export type LoadedMasterData = { readonly masterDataIndex: MasterDataIndex; readonly records: MasterRecords };

/** Loaded master data, and what is needed to bring them up to date. */
export type MasterDataCopy = LoadedMasterData & {
  readonly version: MasterDataVersion;
  /** Replaces what flights refer to, in all parts of the copy. */
  readonly setReferences: (references: References) => void;
};

/** The records to which flights refer, the terminals that they and minimum connecting times name, and when they were read. */
type References = Awaited<ReturnType<typeof readReferences>>;

const readReferences = async (sql: Sql, clock: () => Date) => ({
  inUse: await readReferencedIds(sql),
  terminals: await readTerminals(sql),
  readAt: clock(),
});

/** Reads all master data of one snapshot. */
export const readMasterData = async (db: Database, clock: () => Date): Promise<MasterDataCopy> => {
  const read = await db.begin(SNAPSHOT, async (sql) => ({
    version: await readMasterDataVersion(sql),
    locations: await listLocations(sql),
    carriers: await listCarriers(sql),
    equipment: await listEquipment(sql),
    references: await readReferences(sql, clock),
    cities: await listCities(sql),
    countryNames: await readCountryNames(sql),
    factsOfLocations: await readLocationFacts(sql),
    factsOfCarriers: await readCarrierFacts(sql),
    equipmentEntries: await listEquipmentEntries(sql),
  }));
  const { locations, carriers, cities, countryNames, version } = read;
  let { references } = read;
  const inUse = { ...references.inUse };
  const masterDataIndex = createMasterDataIndex({ ...read, inUse });
  return {
    version,
    setReferences: (current) => {
      references = current;
      Object.assign(inUse, current.inUse);
    },
    masterDataIndex,
    records: {
      locations: new LocationRecords({
        locations,
        cities,
        factsOf: read.factsOfLocations,
        terminalsOf: (id) => references.terminals.get(id),
      }),
      carriers: new CarrierRecords({
        carriers,
        factsOf: read.factsOfCarriers,
        isInUse: masterDataIndex.isCarrierInUse,
        findUnconfirmed: (system, code) =>
          masterDataIndex.carriers(system, code).find(({ isUnconfirmed }) => isUnconfirmed),
      }),
      equipment: createEquipmentRecords(read.equipmentEntries),
      countryNames,
      get readAt() {
        return references.readAt;
      },
    },
  };
};

/**
 * Reads all master data and computes the clock of each time zone once. The first use of a zone takes some milliseconds: without this, the first
 * page of locations would delay other requests by those of a hundred zones.
 */
export const readWarmMasterData = async (db: Database, clock: () => Date): Promise<MasterDataCopy> => {
  const masterData = await readMasterData(db, clock);
  const now = toUtcMinute(clock());
  for (const zone of masterData.records.locations.listZones()) {
    getZoneClock(zone, now);
    await setImmediate();
  }
  return masterData;
};

/**
 * Returns a copy with the changes since it was read: the same one if there are none. A load of a carrier that master data contain changes only
 * what flights refer to, which takes some milliseconds; reading 40,000 records takes a second.
 */
export const refreshMasterData = async (
  db: Database,
  copy: MasterDataCopy,
  { versionSql, clock }: { readonly versionSql: Sql; readonly clock: () => Date },
): Promise<MasterDataCopy> => {
  const { records, references } = await readMasterDataVersion(versionSql);
  if (records !== copy.version.records) return readWarmMasterData(db, clock);
  if (references === copy.version.references) return copy;
  const { version, current } = await db.begin(SNAPSHOT, async (sql) => ({
    version: await readMasterDataVersion(sql),
    current: await readReferences(sql, clock),
  }));
  copy.setReferences(current);
  // Cached pages compare the copy by identity. Records that changed meanwhile are found by the next check.
  return { ...copy, version: { ...version, records: copy.version.records } };
};
