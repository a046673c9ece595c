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
import { findLatestLoad, isEmptyStore, listLoadKinds } from '#store/schedules/schedules.ts';
import { findUnrevokedKeyId, insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { demoCarriers } from './world/carriers.ts';
import { buildDemoSchedules } from './world/demo-world.ts';
import { equipment } from './world/equipment.ts';
import { demoCities, demoCountries, demoLocations } from './world/airports.ts';
import { readMinimumConnectingTimes } from './world/minimum-connecting-times.ts';
import { matchIds, toEqualKeys } from '../import/match-ids.ts';
import { publishSchedules } from '../expand/publish-schedules.ts';

/** The public API key of the demo world; it is created only together with that world. */
export const DEMO_KEY = 'demo-key';

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

/** Returns the public demo key where it is valid and the store holds the demo world. */
export const findDemoKey = async (sql: Sql): Promise<string | undefined> =>
  (await findUnrevokedKeyId(sql, DEMO_KEY)) !== undefined && (await findLatestLoad(sql, 'demo')) ? DEMO_KEY : undefined;

/** Describes why the public demo key is a risk in a store, and what to do; undefined when it is revoked or opens nothing but its world. */
export const findDemoKeyRisk = async (sql: Sql): Promise<string | undefined> => {
  const id = await findUnrevokedKeyId(sql, DEMO_KEY);
  if (id === undefined) return undefined;
  const kinds = await listLoadKinds(sql);
  const hasDemo = kinds.includes('demo');
  if (hasDemo && kinds.length === 1) return undefined;
  const reason = hasDemo ? 'the store contains data other than the demo world' : 'the store has no demo world';
  return `the public key ${DEMO_KEY} is valid, but ${reason}: revoke it with 'flightdata keys revoke ${id}'`;
};

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
