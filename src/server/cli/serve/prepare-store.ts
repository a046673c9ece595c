import { catalog } from '#generated/catalog.ts';
import { toUtcDate } from '#domain/time/dates.ts';
import { areRecordsMissing } from '#store/schedules/schedule-records.ts';
import { buildConnectionsIfDue } from '#jobs/connections/build-connections.ts';
import { refreshRecords } from '#jobs/expand/schedule-records.ts';
import { DEMO_KEY, findDemoKeyRisk } from '#store/access/demo-key.ts';
import type { Database } from '#store/pool/database.ts';
import type { Store } from '../shared/open-store.ts';

export type PrepareStoreOptions = {
  /** Whether to fill an empty store with the demo world. */
  readonly demo: boolean;
  readonly horizonDays: number;
  readonly clock: () => Date;
  readonly printLine: (text: string) => void;
};

export type PreparedStore = {
  readonly isDemo: boolean;
  /** The account ID of the demo world; undefined when other data is served. */
  readonly demoAccount: string | undefined;
};

/** Fills an empty store with the demo world; returns its account ID, or undefined where the store has other data. */
const prepareDemo = async (
  db: Database,
  { horizonDays, now }: { readonly horizonDays: number; readonly now: Date },
): Promise<string | undefined> => {
  const { seedDemo } = await import('#demo/seed-demo.ts');
  // Everyone knows the demo key: it is for reading only.
  const products = catalog.filter(({ isIngest }) => !isIngest).map(({ product }) => product);
  if (!(await seedDemo(db, { today: toUtcDate(now), horizonDays, products }))) return undefined;
  const { seedDemoAccount } = await import('#demo/seed-demo-account.ts');
  return seedDemoAccount(db, { key: DEMO_KEY, now });
};

/**
 * Prepares a store for requests: seeds the demo world and writes schedule records that are missing. The world and its key are one transaction;
 * every other step is repeated at the next start when it was interrupted.
 */
export const prepareStore = async (
  { db, claimServerRole }: Store,
  { demo, horizonDays, clock, printLine }: PrepareStoreOptions,
): Promise<PreparedStore> => {
  await claimServerRole();
  const demoAccount = demo ? await prepareDemo(db, { horizonDays, now: clock() }) : undefined;
  const isDemo = demoAccount !== undefined;
  if (await areRecordsMissing(db)) {
    // Before the port opens: without records, schedule queries would return empty lists.
    printLine('creating the records of the current schedules');
    await refreshRecords(db);
  }
  // Takes milliseconds for the demo world, and its example queries need connections.
  if (isDemo) await buildConnectionsIfDue(db, { builtAt: clock() });
  const risk = await findDemoKeyRisk(db);
  if (risk !== undefined) printLine(`warning: ${risk}`);
  return { isDemo, demoAccount };
};
