import { catalog } from '../../../generated/catalog.ts';
import { dateOfInstant } from '../../domain/time/dates.ts';
import { areRecordsMissing } from '../../store/schedules/schedule-records.ts';
import { buildConnectionsWhenDue } from '../../jobs/connections/build-connections.ts';
import { keepDemoAccount } from '../../jobs/demo/demo-account.ts';
import { refreshRecords } from '../../jobs/expand/fill-records.ts';
import { DEMO_KEY, seedDemo } from '../../jobs/demo/seed-demo.ts';
import type { Store } from '../open-store.ts';

export type Preparing = {
  /** Whether an empty store is to be filled with the demo world. */
  readonly demo: boolean;
  readonly horizonDays: number;
  readonly clock: () => Date;
  readonly say: (text: string) => void;
};

/** What was found when the store was made ready. */
export type Prepared = {
  readonly isDemo: boolean;
  /** The account of the demo world; undefined where something else is served. */
  readonly demoAccount: string | undefined;
};

/** Makes a store ready to be served, by the one server of it where it is embedded: whoever asks finds all that there is. */
export const prepareStore = async (
  { db, claimServerRole }: Store,
  { demo, horizonDays, clock, say }: Preparing,
): Promise<Prepared> => {
  await claimServerRole();
  const today = dateOfInstant(clock());
  const products = catalog.map(({ product }) => product);
  const isDemo = demo && (await seedDemo(db, { today, horizonDays, products }));
  const demoAccount = isDemo ? await keepDemoAccount(db, { key: DEMO_KEY, now: clock() }) : undefined;
  if (await areRecordsMissing(db)) {
    // Whoever asked in the meantime would be told that there are no schedules.
    say('writing the schedule records of the schedules in force');
    await refreshRecords(db);
  }
  // Of the demo world they are there in no time; whoever tries its examples finds them.
  if (isDemo) await buildConnectionsWhenDue(db, { builtAt: clock() });
  return { isDemo, demoAccount };
};
