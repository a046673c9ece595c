/**
 * Fills the empty database `--url` (default: DATABASE_URL) with a synthetic world and reports time and memory:
 * `node test/bench/fill-world.ts --flights-per-day 10000 --days 30 --expanded-days 30 --today 2026-11-26`. The days start the
 * day before `today`. The world has 600 carriers and 3,400 places; the same numbers give the same world.
 */
import { parseArgs } from 'node:util';
import { catalog } from '#generated/catalog.ts';
import { formatDate, localDate, toUtcDate } from '#domain/time/dates.ts';
import { openDatabase } from '#store/pool/database.ts';
import { migrate } from '#store/schema/migrate.ts';
import { seedSynthetic, WORLD_KEY } from './synthetic/seed-synthetic.ts';

/** The result of a fill: seconds from the first flight to the commit, and seconds after the last record was read. */
export type FilledWorld = {
  readonly seconds: number;
  readonly publishSeconds: number;
  readonly instances: number;
  readonly records: number;
  readonly peakMegabytes: number;
};

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: process.env['DATABASE_URL'] ?? '' },
    'flights-per-day': { type: 'string', default: '10000' },
    days: { type: 'string', default: '30' },
    'expanded-days': { type: 'string' },
    today: { type: 'string', default: formatDate(toUtcDate(new Date())) },
  },
});
const db = openDatabase({ url: values.url, applicationName: 'flightdata bench' });
await migrate(db);
const startedAt = performance.now();
let readAt = startedAt;
const { accepted } = await seedSynthetic(db, {
  flightsPerDay: Number(values['flights-per-day']),
  days: Number(values.days),
  expandedDays: Number(values['expanded-days'] ?? values.days),
  today: localDate(values.today),
  seed: 1,
  products: catalog.map(({ product }) => product),
  onRead: () => {
    readAt = performance.now();
  },
});
const endedAt = performance.now();
await db.end();
const filled: FilledWorld = {
  seconds: (endedAt - startedAt) / 1000,
  publishSeconds: (endedAt - readAt) / 1000,
  instances: accepted['flight instances'] ?? 0,
  records: accepted['leg'] ?? 0,
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
};
process.send?.(filled);
process.disconnect?.();
process.stdout.write(`${JSON.stringify(filled)}\nSubscription key: ${WORLD_KEY}\n`);
