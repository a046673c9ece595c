/* What belongs to another subscription takes as long to be refused as what never was. TENANT_TIMINGS says how often each is asked for. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AlertsWorld } from '../products/flight-info-alerts/v1/world.ts';
import { quantile } from '../support/quantile.ts';
import { tellFault } from '../support/tell-fault.ts';
import { asking, isShared, request, serveTenants, type Tenants } from './tenants.ts';

const timings = Number(process.env['TENANT_TIMINGS'] ?? 40);
/** Milliseconds; a median of few tells of the machine as well. Between two machines the time varies by more. */
const MOST_DIFFERENCE = timings >= 300 ? 0.5 : 2;

let tenants: Tenants;
let world: AlertsWorld;
beforeAll(async () => {
  tenants = await serveTenants();
  world = tenants.world;
});
afterAll(() => world.drop());

test('what never was takes as long as what is another’s', { timeout: 1_800_000 }, async () => {
  const rows: { readonly title: string; readonly never: number; readonly foreign: number }[] = [];
  for (const one of asking.filter(([, , operation, place]) => !isShared(operation, place))) {
    const times: { never: number[]; foreign: number[] } = { never: [], foreign: [] };
    const take = async (whose: 'never' | 'foreign'): Promise<void> => {
      const id = whose === 'never' ? randomUUID() : tenants.theirs[one[3].id];
      const asked = request(one, { ids: tenants.ours, key: world.foreignKey, id });
      const started = performance.now();
      await (await world.app(asked)).arrayBuffer();
      times[whose].push(performance.now() - started);
    };
    for (let round = 0; round < timings; round += 1)
      for (const whose of round % 2 ? (['never', 'foreign'] as const) : (['foreign', 'never'] as const))
        await take(whose);
    rows.push({ title: one[0], never: quantile(times.never, 0.5), foreign: quantile(times.foreign, 0.5) });
  }
  const texts = rows.map(
    ({ title, never, foreign }) => `${title.padEnd(90)} ${never.toFixed(2)} ms, ${foreign.toFixed(2)} ms`,
  );
  console.log(`never was, another's (medians of ${timings})\n${texts.join('\n')}`);
  const differences = rows.map(({ never, foreign }) => Math.abs(never - foreign));
  const largest = Math.max(...differences);
  tellFault({
    fault: 24,
    part: 'times',
    figure: {
      places: rows.length,
      'asked each': timings,
      'largest difference of medians, ms': Number(largest.toFixed(2)),
    },
    bound: `below ${MOST_DIFFERENCE} ms`,
  });
  expect(largest).toBeLessThan(MOST_DIFFERENCE);
  expect(rows.length).toBeGreaterThan(20);
});
