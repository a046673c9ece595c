import { catalog } from '#generated/catalog.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import type { Database } from '#store/pool/database.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '#test/support/tiny-world.ts';

/** Fills an empty database: master data, a key for all products, and a schedule, by default XX 101 LHR-JFK on three days. */
export const seedWorld = async (
  db: Database,
  schedule = buildFile(buildLeg()),
  options: Parameters<typeof publishText>[2] = { horizonDays: 3 },
): Promise<void> => {
  await saveTinyMasterData(db);
  const products = catalog.map(({ product }) => product);
  await insertKeyIfMissing(db, { name: 'tests', products, key: TEST_KEY });
  await publishText(db, schedule, options);
};

/** Lists queries on that world, one for each kind of response. */
export const worldPaths = [
  '/flight-instances?DepartureDateTime=2026-06-01',
  '/flights?IataCarrierCode=XX',
  '/locations?CountryCode=GB',
  '/flights/health',
];
