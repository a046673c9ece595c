import { catalog } from '#generated/catalog.ts';
import { localDate } from '#domain/time/dates.ts';
import { buildConnectionsIfDue } from '#jobs/connections/build-connections.ts';
import { seedDemoAccount } from '#demo/seed-demo-account.ts';
import { seedDemo } from '#demo/seed-demo.ts';
import { DEMO_KEY } from '#store/access/demo-key.ts';
import { filledDatabase, type FreshDatabase } from './database.ts';

/** The day of the demo world, and the days from the day before on that are expanded, unless overridden. */
export const DEMO_DAY = '2026-06-01';
const DEMO_HORIZON_DAYS = 2;

/**
 * Creates a database with the demo world as `flightdata serve --demo` leaves it when it starts listening at noon of `day`:
 * schedules, flights, the key `demo-key`, the demo account and a connection set, but no status. The first caller of a test
 * run with this day and horizon seeds it (about 5 s); later callers clone it (about 0.3 s). Call `drop` in afterAll.
 */
export const demoDatabase = ({ day = DEMO_DAY, horizonDays = DEMO_HORIZON_DAYS } = {}): Promise<FreshDatabase> =>
  filledDatabase(`demo_${day.replaceAll('-', '')}_${horizonDays}`, async ({ sql }) => {
    const now = new Date(`${day}T12:00:00Z`);
    // Unlike the key of a server, this one can also send to the status feed, so that all code samples run.
    const products = catalog.map(({ product }) => product);
    await seedDemo(sql, { today: localDate(day), horizonDays, products });
    await seedDemoAccount(sql, { key: DEMO_KEY, now });
    await buildConnectionsIfDue(sql, { builtAt: now });
  });
