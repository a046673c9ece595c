import { createHash } from 'node:crypto';
import { addDays, type LocalDate } from '../../domain/time/dates.ts';
import { newLoadReport, type LoadReport } from '../../feeds/load-report.ts';
import { readSchedules } from '../../feeds/ssim/read-schedules.ts';
import { saveCarriers } from '../../store/master-data/carriers.ts';
import { saveCities } from '../../store/master-data/cities.ts';
import { saveCountries } from '../../store/master-data/countries.ts';
import type { Database, Sql } from '../../store/pool/database.ts';
import { saveEquipment } from '../../store/master-data/equipment.ts';
import { saveLocations } from '../../store/master-data/locations.ts';
import { lockMasterData } from '../../store/master-data/master-data-changes.ts';
import { replaceMctFile } from '../../store/connections/mct.ts';
import { isEmptyStore } from '../../store/schedules/schedules.ts';
import { keepKey } from '../../store/access/subscription-keys.ts';
import { createSeededRandom } from '../../lib/seeded-random.ts';
import { demoCarriers } from './world/carrier-records.ts';
import { equipment } from './world/equipment.ts';
import { demoCities, demoCountries, demoLocations } from './world/location-records.ts';
import { buildMinimumConnectingTimes } from './world/minimum-connecting-times.ts';
import { publishSchedules } from '../expand/publish-schedules.ts';
import { DEMO_KEY } from './seed-demo.ts';
import { CARRIER_COUNT, createCarriers } from './synthetic/carriers.ts';
import { generateFlights } from './synthetic/flights.ts';
import { toCities, toLocationRecords, createAirports } from './synthetic/airports.ts';
import { generateSsimLines } from './synthetic/schedule-text.ts';

export type SeedSyntheticOptions = {
  readonly flightsPerDay: number;
  /** From yesterday on. */
  readonly days: number;
  /** So many of them, from the first, are laid out as flights; all when not told. */
  readonly laidOutDays?: number | undefined;
  readonly today: LocalDate;
  /** The same seed makes the same world. */
  readonly seed: number;
  /** The products the key of the world opens. */
  readonly products: readonly string[];
  /** Hears how far a step is: `done` of `total`, in carriers for `make` and in days for `lay out`. */
  readonly onProgress?: ((step: 'make' | 'save' | 'lay out', done: number, total: number) => void) | undefined;
};

/** The store holds something already, so that a world is not put into it. */
export class StoreNotEmptyError extends Error {
  constructor() {
    super('the store holds data already; a synthetic world needs an empty one: another database, or another DATA_DIR');
    this.name = 'StoreNotEmpty';
  }
}

const PIECE_LINES = 1000;

/** The bytes of lines, in pieces of 200 kB. */
async function* bytesOf(lines: Iterable<string>, onPiece: (piece: Buffer) => void): AsyncGenerator<Buffer> {
  const pack = (pieces: readonly string[]): Buffer => {
    const piece = Buffer.from(pieces.join(''), 'latin1');
    onPiece(piece);
    return piece;
  };
  let pieces: string[] = [];
  for (const line of lines) {
    pieces.push(line);
    if (pieces.length < PIECE_LINES) continue;
    yield pack(pieces);
    pieces = [];
  }
  if (pieces.length > 0) yield pack(pieces);
}

const needEmpty = async (sql: Sql): Promise<void> => {
  if (!(await isEmptyStore(sql))) throw new StoreNotEmptyError();
};

/**
 * Fills an empty store with a made-up world of a given size, all or nothing: master data, connecting times and a key as the demo world
 * has them, and schedules written as SSIM chapter 7 and read as any file is. Throws StoreNotEmpty when the store holds anything. Memory
 * grows with the flights a day and not with the days.
 */
export const seedSynthetic = async (
  db: Database,
  { flightsPerDay, days, laidOutDays = days, today, seed, products, onProgress }: SeedSyntheticOptions,
): Promise<LoadReport> => {
  await needEmpty(db);
  const chance = createSeededRandom(`synthetic world ${seed}`);
  const places = createAirports(chance);
  const carriers = createCarriers();
  const from = addDays(today, -1);
  const digest = createHash('sha256');
  let made = 0;
  const text = generateSsimLines(
    generateFlights(
      carriers.map(({ iata }) => iata),
      flightsPerDay,
      { places, chance },
    ),
    { from, to: addDays(from, days - 1) },
    () => onProgress?.('make', (made += 1), CARRIER_COUNT),
  );
  const source = `synthetic world, ${flightsPerDay} flights a day, seed ${seed}`;
  const report = newLoadReport(source);
  const schedules = await readSchedules(
    bytesOf(text, (piece) => digest.update(piece)),
    report,
  );
  onProgress?.('save', 0, 1);
  return publishSchedules(db, {
    kind: 'ssim',
    source,
    sha256: digest.digest('hex'),
    schedules,
    report,
    today,
    window: { from, days: laidOutDays },
    horizonDays: laidOutDays,
    prepare: async (sql) => {
      await needEmpty(sql);
      await lockMasterData(sql);
      await saveCountries(sql, demoCountries);
      await saveCities(sql, [...demoCities, ...toCities(places)]);
      await saveLocations(sql, [...demoLocations, ...toLocationRecords(places)]);
      await saveCarriers(sql, [...demoCarriers, ...carriers]);
      await saveEquipment(sql, equipment);
      await replaceMctFile(sql, buildMinimumConnectingTimes(today));
      await keepKey(sql, { name: 'demo', products, features: ['map'], key: DEMO_KEY });
    },
    onDay: (done, total) => onProgress?.('lay out', done, total),
  });
};
