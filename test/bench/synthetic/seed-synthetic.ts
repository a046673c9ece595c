import { createHash } from 'node:crypto';
import { addDays, type LocalDate } from '#domain/time/dates.ts';
import { createLoadReport, type LoadReport } from '#feeds/load-report.ts';
import { readSchedules } from '#feeds/ssim/read-schedules.ts';
import { upsertCarriers } from '#store/master-data/carriers.ts';
import { upsertCities } from '#store/master-data/cities.ts';
import { upsertCountries } from '#store/master-data/countries.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { upsertEquipment } from '#store/master-data/equipment.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { lockMasterData } from '#store/master-data/master-data-changes.ts';
import { replaceMctFile } from '#store/connections/mct.ts';
import { isEmptyStore } from '#store/schedules/schedules.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';
import { demoCarriers } from '#demo/world/carriers.ts';
import { equipment } from '#demo/world/equipment.ts';
import { demoCities, demoCountries, demoLocations } from '#demo/world/airports.ts';
import { readMinimumConnectingTimes } from '#demo/world/minimum-connecting-times.ts';
import { publishSchedules } from '#jobs/expand/publish-schedules.ts';
import { createCarriers } from './carriers.ts';
import { generateFlights } from './flights.ts';
import { toCities, toLocationRecords, createAirports } from './airports.ts';
import { generateSsimLines } from './schedule-text.ts';

export type SeedSyntheticOptions = {
  readonly flightsPerDay: number;
  /** The number of days, from yesterday. */
  readonly days: number;
  /** The number of days, from the first, that are expanded to flight instances; all of them by default. */
  readonly expandedDays?: number | undefined;
  readonly today: LocalDate;
  /** The same seed gives the same world. */
  readonly seed: number;
  /** The products that the key of the world may use. */
  readonly products: readonly string[];
  /** Called when the last record has been read, before the world is stored. */
  readonly onRead?: (() => void) | undefined;
};

/** The API key of the world. */
export const WORLD_KEY = 'bench-key';

const CHUNK_LINES = 1000;

/** Encodes lines, in chunks of 200 kB. */
async function* encodeLines(lines: Iterable<string>, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  const encode = (texts: readonly string[]): Buffer => {
    const chunk = Buffer.from(texts.join(''), 'latin1');
    onChunk(chunk);
    return chunk;
  };
  let pending: string[] = [];
  for (const line of lines) {
    pending.push(line);
    if (pending.length < CHUNK_LINES) continue;
    yield encode(pending);
    pending = [];
  }
  if (pending.length > 0) yield encode(pending);
}

const assertEmpty = async (sql: Sql): Promise<void> => {
  if (!(await isEmptyStore(sql))) throw new Error('the store contains data; fill an empty database');
};

/**
 * Fills an empty store with an invented world of any size, in one transaction: the master data and connecting times of the
 * demo world, a key, and schedules that are generated as an SSIM chapter 7 file and imported like any other. Throws when the store
 * contains data. Memory grows with the flights a day, not with the days.
 */
export const seedSynthetic = async (
  db: Database,
  { flightsPerDay, days, expandedDays = days, today, seed, products, onRead }: SeedSyntheticOptions,
): Promise<LoadReport> => {
  await assertEmpty(db);
  const random = createSeededRandom(`synthetic world ${seed}`);
  const airports = createAirports(random);
  const carriers = createCarriers();
  const from = addDays(today, -1);
  const digest = createHash('sha256');
  const lines = generateSsimLines(
    generateFlights(
      carriers.map(({ iata }) => iata),
      flightsPerDay,
      { airports, random },
    ),
    { from, to: addDays(from, days - 1) },
  );
  const source = `synthetic world, ${flightsPerDay} flights a day, seed ${seed}`;
  const report = createLoadReport(source);
  const schedules = await readSchedules(
    encodeLines(lines, (chunk) => digest.update(chunk)),
    report,
  );
  onRead?.();
  return publishSchedules(db, {
    kind: 'ssim',
    source,
    sha256: digest.digest('hex'),
    schedules,
    report,
    today,
    window: { from, days: expandedDays },
    horizonDays: expandedDays,
    prepare: async (sql) => {
      await assertEmpty(sql);
      await lockMasterData(sql);
      await upsertCountries(sql, demoCountries);
      await upsertCities(sql, [...demoCities, ...toCities(airports)]);
      await upsertLocations(sql, [...demoLocations, ...toLocationRecords(airports)]);
      await upsertCarriers(sql, [...demoCarriers, ...carriers]);
      await upsertEquipment(sql, equipment);
      await replaceMctFile(sql, await readMinimumConnectingTimes(today));
      await insertKeyIfMissing(sql, { name: 'bench', products, features: ['map'], key: WORLD_KEY });
    },
  });
};
