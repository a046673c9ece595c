import { expect, test } from 'vitest';
import { createAlertIndex } from '#domain/alerts/alert-index.ts';
import { matchAlert } from '#domain/alerts/alert-match.ts';
import type { Alert } from '#domain/alerts/alert.ts';
import { createRandom } from '#test/lib/seeded-random.ts';
import { selects } from './naive-oracle.ts';
import { createRandomAlerts, createRandomEvent } from './random-cases.ts';

/** Factor for the number of cases; `RANDOM_ALERTS=10` is the full number. */
const factor = Number(process.env['RANDOM_ALERTS'] ?? 1);
const WORLDS = 40 * factor;
const ALERTS = 50;
const EVENTS = 50;

const idsOf = (alerts: readonly Alert[]): readonly string[] => alerts.map(({ id }) => id).toSorted();

test('the index, the verdict and a naive oracle select the same pairs of alert and event', () => {
  const differences: unknown[] = [];
  let selected = 0;
  for (let seed = 1; seed <= WORLDS; seed++) {
    const random = createRandom(seed);
    const alerts = createRandomAlerts(ALERTS, random);
    const index = createAlertIndex(alerts);
    for (const event of random.times(EVENTS, () => createRandomEvent(random))) {
      const matched = idsOf(index.match(event));
      const ofIndex = new Set(matched);
      if (matched.length !== ofIndex.size) throw new Error(`seed ${seed}: an alert was found twice`);
      for (const alert of alerts) {
        const oracle = selects(alert, event);
        if (oracle) selected += 1;
        if (ofIndex.has(alert.id) !== oracle || (matchAlert(alert, event) === 'matched') !== oracle)
          differences.push({ seed, alert, event, oracle });
      }
    }
  }
  expect(differences).toStrictEqual([]);
  expect(selected).toBeGreaterThan((WORLDS * ALERTS * EVENTS) / 50);
});

test('the index agrees with the oracle after every change', () => {
  const wrong: unknown[] = [];
  for (let seed = 1; seed <= 4 * factor; seed++) {
    const random = createRandom(10_000 + seed);
    const alertsById = new Map<string, Alert>();
    const index = createAlertIndex<Alert>([]);
    const pool = [...createRandomAlerts(40, random), ...createRandomAlerts(40, random)];
    for (let step = 0; step < 400; step++) {
      const alert = random.pick(pool);
      if (random.chance(35)) {
        alertsById.delete(alert.id);
        index.remove(alert.id);
      } else {
        alertsById.set(alert.id, alert);
        index.upsert(alert);
      }
      for (const event of random.times(5, () => createRandomEvent(random))) {
        const expected = idsOf([...alertsById.values()].filter((one) => selects(one, event)));
        const matched = idsOf(index.match(event));
        if (matched.join() !== expected.join()) wrong.push({ seed, step, event, matched, expected });
      }
    }
    for (const id of alertsById.keys()) index.remove(id);
    for (const event of random.times(20, () => createRandomEvent(random)))
      if (index.match(event).length > 0) wrong.push({ seed, event, after: 'all have left' });
  }
  expect(wrong).toStrictEqual([]);
});
