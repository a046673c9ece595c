import { hash } from 'node:crypto';
import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';
import { createLoadReport } from '#feeds/load-report.ts';
import { upsertCities } from '#store/master-data/cities.ts';
import { upsertCountries } from '#store/master-data/countries.ts';
import { listCarriers, upsertCarriers } from '#store/master-data/carriers.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { upsertEquipment } from '#store/master-data/equipment.ts';
import { listLocations, upsertLocations } from '#store/master-data/locations.ts';
import { lockMasterData } from '#store/master-data/master-data-changes.ts';
import { replaceMctFile } from '#store/connections/mct.ts';
import { findLatestLoad, isEmptyStore } from '#store/schedules/schedules.ts';
import { DEMO_KEY } from '#store/access/demo-key.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { demoCarriers } from './world/carriers.ts';
import { buildDemoSchedules } from './world/demo-world.ts';
import { equipment } from './world/equipment.ts';
import { demoCities, demoCountries, demoLocations } from './world/airports.ts';
import { readMinimumConnectingTimes } from './world/minimum-connecting-times.ts';
import { matchIds, toEqualKeys } from '#jobs/import/match-ids.ts';
import { publishSchedules } from '#jobs/expand/publish-schedules.ts';

export type SeedDemoOptions = {
  readonly today: LocalDate;
  readonly horizonDays: number;
  /** The products that the demo key may use. */
  readonly products: readonly string[];
};

const byIata = toEqualKeys(({ iata }: { readonly iata: string }) => iata);
const byIcao = toEqualKeys(({ icao }: { readonly icao: string }) => icao);
const byFaa = toEqualKeys(({ faa }: { readonly faa: string }) => faa);

const upsertMasterData = async (sql: Sql): Promise<void> => {
  await lockMasterData(sql);
  await upsertCountries(sql, demoCountries);
  await upsertCities(sql, demoCities);
  await upsertLocations(sql, matchIds(await listLocations(sql), demoLocations, [byIata, byFaa]).records);
  await upsertCarriers(sql, matchIds(await listCarriers(sql), demoCarriers, [byIata, byIcao]).records);
  await upsertEquipment(sql, equipment);
};

/** The demo world is renewed when its schedules end within this many days. */
const REFRESH_DAYS = 90;

/**
 * Fills an empty store with the demo world and its key, in one transaction, and renews an older demo world. Does not change a store with other
 * data. Returns whether the store holds the demo world.
 */
export const seedDemo = async (db: Database, { today, horizonDays, products }: SeedDemoOptions): Promise<boolean> => {
  const load = await findLatestLoad(db, 'demo');
  if (!load && !(await isEmptyStore(db))) return false;
  const requiredUntil = addDays(today, Math.min(horizonDays, REFRESH_DAYS));
  if (load?.lastDate !== undefined && load.lastDate >= requiredUntil) return true;
  const schedules = buildDemoSchedules(today);
  await publishSchedules(db, {
    kind: 'demo',
    source: `demo world around ${formatDate(today)}`,
    sha256: hash('sha256', JSON.stringify(schedules), 'hex'),
    schedules,
    report: createLoadReport('demo world'),
    today,
    horizonDays,
    prepare: async (sql) => {
      await upsertMasterData(sql);
      await replaceMctFile(sql, await readMinimumConnectingTimes(today));
      await insertKeyIfMissing(sql, { name: 'demo', products, features: ['map'], key: DEMO_KEY });
    },
  });
  return true;
};
