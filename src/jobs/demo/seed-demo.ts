import { hash } from 'node:crypto';
import { addDays, formatDate, type LocalDate } from '../../domain/time/dates.ts';
import { createLoadReport } from '../../feeds/load-report.ts';
import { upsertCities } from '../../store/master-data/cities.ts';
import { upsertCountries } from '../../store/master-data/countries.ts';
import { listCarriers, upsertCarriers } from '../../store/master-data/carriers.ts';
import type { Database, Sql } from '../../store/pool/database.ts';
import { upsertEquipment } from '../../store/master-data/equipment.ts';
import { listLocations, upsertLocations } from '../../store/master-data/locations.ts';
import { lockMasterData } from '../../store/master-data/master-data-changes.ts';
import { replaceMctFile } from '../../store/connections/mct.ts';
import { isEmptyStore, findLatestLoad } from '../../store/schedules/schedules.ts';
import { insertKeyIfMissing } from '../../store/access/subscription-keys.ts';
import { demoCarriers } from './world/carrier-records.ts';
import { buildDemoWorld, type DemoWorld } from './world/demo-world.ts';
import { demoCities, demoCountries, demoLocations } from './world/location-records.ts';
import { buildMinimumConnectingTimes } from './world/minimum-connecting-times.ts';
import { matchIds } from '../import/match-ids.ts';
import { publishSchedules } from '../expand/publish-schedules.ts';

/** The key of the demo world. It is no secret, so it is made only together with that world. */
export const DEMO_KEY = 'demo-key';

export type SeedDemoOptions = {
  readonly today: LocalDate;
  readonly horizonDays: number;
  /** The products the demo key opens. */
  readonly products: readonly string[];
};

const byIcao = { known: ({ icao }: { icao: string }) => icao, record: ({ icao }: { icao: string }) => icao };
const byIata = { known: ({ iata }: { iata: string }) => iata, record: ({ iata }: { iata: string }) => iata };

const byFaa = { known: ({ faa }: { faa: string }) => faa, record: ({ faa }: { faa: string }) => faa };

const saveMasterData = async (sql: Sql, { equipment }: DemoWorld): Promise<void> => {
  await lockMasterData(sql);
  await upsertCountries(sql, demoCountries);
  await upsertCities(sql, demoCities);
  await upsertLocations(sql, matchIds(await listLocations(sql), demoLocations, [byIata, byFaa]).records);
  await upsertCarriers(sql, matchIds(await listCarriers(sql), demoCarriers, [byIata, byIcao]).records);
  await upsertEquipment(sql, equipment);
};

/** How many days before the end of its schedules the demo world is brought up to date, at the least. */
const REFRESH_DAYS = 90;

/**
 * Fills an empty store with the demo world and its key, and brings an older demo world up to today. A store that holds
 * anything else is left alone. Returns whether the store holds the demo world.
 */
export const seedDemo = async (db: Database, { today, horizonDays, products }: SeedDemoOptions): Promise<boolean> => {
  const seeded = await findLatestLoad(db, 'demo');
  if (!seeded && !(await isEmptyStore(db))) return false;
  // Before the flights: a store with the demo world always has its key.
  await insertKeyIfMissing(db, { name: 'demo', products, features: ['map'], key: DEMO_KEY });
  const needed = addDays(today, Math.min(horizonDays, REFRESH_DAYS));
  if (seeded?.lastDate !== undefined && seeded.lastDate >= needed) return true;
  const world = buildDemoWorld(today);
  await db.begin(async (sql) => {
    await saveMasterData(sql, world);
    await replaceMctFile(sql, buildMinimumConnectingTimes(today));
  });
  await publishSchedules(db, {
    kind: 'demo',
    source: `demo world around ${formatDate(today)}`,
    sha256: hash('sha256', JSON.stringify(world.schedules), 'hex'),
    schedules: world.schedules,
    report: createLoadReport('demo world'),
    today,
    horizonDays,
  });
  return true;
};
