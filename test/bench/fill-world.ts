/** Fills a database with a synthetic world in its own process and reports time and memory. */
import { catalog } from '../../generated/catalog.ts';
import { localDate } from '../../src/domain/time/dates.ts';
import { openDatabase } from '../../src/store/pool/database.ts';
import { seedSynthetic } from '../../src/jobs/demo/seed-synthetic.ts';

/** The result of a fill: seconds from the first flight to the commit, and seconds after the last record was read. */
export type FilledWorld = {
  readonly seconds: number;
  readonly publishSeconds: number;
  readonly instances: number;
  readonly records: number;
  readonly peakMegabytes: number;
};

const [url = '', flightsPerDay = '', days = '', today = '', expandedDays = days] = process.argv.slice(2);
const db = openDatabase({ url, applicationName: 'flightdata bench' });
const startedAt = performance.now();
let readAt = startedAt;
const { accepted } = await seedSynthetic(db, {
  flightsPerDay: Number(flightsPerDay),
  days: Number(days),
  expandedDays: Number(expandedDays),
  today: localDate(today),
  seed: 1,
  products: catalog.map(({ product }) => product),
  onProgress: (step) => {
    if (step === 'save') readAt = performance.now();
  },
});
const endedAt = performance.now();
process.send?.({
  seconds: (endedAt - startedAt) / 1000,
  publishSeconds: (endedAt - readAt) / 1000,
  instances: accepted['flight instances'] ?? 0,
  records: accepted['leg'] ?? 0,
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
} satisfies FilledWorld);
await db.end();
process.disconnect?.();
