import { expect, test } from 'vitest';
import type { Alert } from '#domain/alerts/alert.ts';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import { startEventFanOut } from '#jobs/events/fan-out-events.ts';
import { createRandom } from '#test/lib/seeded-random.ts';
import { selects } from '#test/domain/alerts/naive-oracle.ts';
import { createRandomAlert, createRandomEvent } from '#test/domain/alerts/random-cases.ts';
import { sequence } from '#test/store/events/sample-events.ts';
import { deleteSampleAlert, insertSampleAlert, updateSampleAlert } from '#test/store/alerts/sample-accounts.ts';
import { insertEventsWithFacts, insertSampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { listAllAccountEvents } from '#test/store/alerts/sample-accounts.ts';
import type { SampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { db, openPool, useDatabase } from '../job-database.ts';

const SEED = Number(process.env['DISTRIBUTION_SEED'] ?? 20_270_301);
const STEPS = Number(process.env['DISTRIBUTION_STEPS'] ?? 150);
const ACCOUNTS = 4;
useDatabase();

/** An alert of the oracle, which orders them by creation. */
type AccountAlert = { readonly alert: Alert; readonly account: SampleAccount };

/** The expected content of an event for an account, or undefined. */
const expectedOf = (alerts: readonly AccountAlert[], account: SampleAccount, event: EventFacts) => {
  const selecting = alerts.filter((one) => one.account === account && selects(one.alert, event));
  const [oldest] = selecting;
  const changes = selecting.some(({ alert }) => alert.changeIndicator);
  const seats = selecting.some(({ alert }) => alert.content === 'seats');
  return oldest && { alertId: oldest.alert.id, parts: { changes, seats } };
};

test(
  'random alerts that are created, changed and deleted, and random events: accounts have the events of a naive oracle',
  async () => {
    const chance = createRandom(SEED);
    const others = openPool();
    let last = 0;
    let moved = Promise.withResolvers<void>();
    const onError = (error: unknown): void => moved.reject(error);
    const onProgress = (to: { readonly last: number }): void => {
      last = to.last;
      moved.resolve();
    };
    const stop = await startEventFanOut(others, { onError, onProgress, batch: 3, maxAdded: 5 });
    const accounts: SampleAccount[] = [];
    for (let n = 0; n < ACCOUNTS; n += 1) accounts.push(await insertSampleAccount(db));
    let alerts: readonly AccountAlert[] = [];
    const expected = new Map<SampleAccount, unknown[][]>(accounts.map((account) => [account, []]));
    let events = 0;

    const create = async (): Promise<void> => {
      const account = chance.pick(accounts);
      const content = chance.chance(40) ? 'seats' : '';
      const parts = { active: true, changeIndicator: chance.chance(40), content };
      const criteria = { ...createRandomAlert(0, chance), ...parts };
      const id = await insertSampleAlert(chance.pick([db, others]), account, criteria);
      alerts = [...alerts, { alert: { ...criteria, id }, account }];
    };
    const change = async (): Promise<void> => {
      const one = chance.pick(alerts);
      const { id: _, accountId, createdAt, ...criteria } = createRandomAlert(0, chance);
      await updateSampleAlert(chance.pick([db, others]), { account: one.account, id: one.alert.id }, criteria);
      alerts = alerts.map((other) =>
        other === one ? { ...one, alert: { ...criteria, id: one.alert.id, accountId, createdAt } } : other,
      );
    };
    const end = async (): Promise<void> => {
      const one = chance.pick(alerts);
      await deleteSampleAlert(chance.pick([db, others]), one.alert.id);
      alerts = alerts.filter((other) => other !== one);
    };
    const emit = async (): Promise<void> => {
      const facts = chance.times(chance.integer(1, 8), () => createRandomEvent(chance));
      await insertEventsWithFacts(db, events, facts);
      await sequence(db);
      for (const [index, event] of facts.entries())
        for (const account of accounts) {
          const parts = expectedOf(alerts, account, event);
          if (parts) expected.get(account)?.push([parts.alertId, parts.parts, events + index]);
        }
      events += facts.length;
      // Alerts stay unchanged until the last of these events has been compared with them.
      while (last < events) {
        await moved.promise;
        moved = Promise.withResolvers();
      }
    };

    for (let step = 0; step < STEPS; step += 1) {
      const kind = chance.integer(0, 99);
      if (alerts.length < 5 || kind < 30) await create();
      else if (kind < 45) await change();
      else if (kind < 60) await end();
      else await emit();
    }
    await stop();
    let count = 0;
    for (const account of accounts) {
      const seen = await listAllAccountEvents(db, account.stream, 7);
      count += seen.length;
      const shown = seen.map(({ number, alertId, parts, flightKey }) => [
        number,
        alertId,
        parts,
        Number.parseInt(flightKey, 16),
      ]);
      const wanted = expected.get(account)?.map((one, index) => [index + 1, ...one]);
      expect(shown, `seed ${SEED}`).toEqual(wanted);
    }
    expect(count).toBeGreaterThan(STEPS / 10);
  },
  60_000 + STEPS * 400,
);
