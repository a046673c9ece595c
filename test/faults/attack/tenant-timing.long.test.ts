/* IDs of another subscription are rejected as fast as unknown IDs. TENANT_TIMINGS is the number of requests for each. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { computeQuantile } from '../../support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';
import { idUses, isShared, buildTenantRequest, serveTenants, type Tenants } from './tenants.ts';

const timings = Number(process.env['TENANT_TIMINGS'] ?? 40);
/** Milliseconds; the network varies by more. */
const MAX_DIFFERENCE_MS = timings >= 300 ? 0.5 : 2;
/** Measurements are repeated up to this often: a real difference remains, noise of a busy machine averages out. */
const MAX_REPEATS = 5;

let tenants: Tenants;
let world: AlertsService;
beforeAll(async () => {
  tenants = await serveTenants();
  world = tenants.world;
});
afterAll(() => world.drop());

test('rejects an ID of another subscription as fast as an unknown one', { timeout: 1_800_000 }, async () => {
  const rows: {
    readonly title: string;
    readonly missing: number;
    readonly foreign: number;
    readonly difference: number;
  }[] = [];
  for (const one of idUses.filter(([, , operation, use]) => !isShared(operation, use))) {
    const measure = async (whose: 'missing' | 'foreign'): Promise<number> => {
      const id = whose === 'missing' ? randomUUID() : tenants.victim[one[3].id];
      const request = buildTenantRequest(one, { ids: tenants.attacker, key: world.foreignKey, id });
      const started = performance.now();
      await (await world.app(request)).arrayBuffer();
      return performance.now() - started;
    };
    /** Measures both in turn, alternating which is first, so that other load of the machine affects both. */
    const measureBoth = async (round: number) => {
      const first = round % 2 ? await measure('missing') : await measure('foreign');
      const second = round % 2 ? await measure('foreign') : await measure('missing');
      return round % 2 ? { missing: first, foreign: second } : { missing: second, foreign: first };
    };
    const pairs: { readonly missing: number; readonly foreign: number }[] = [];
    const computeMedian = (value: (pair: (typeof pairs)[number]) => number): number =>
      computeQuantile(pairs.map(value), 0.5);
    const computeDifference = (): number => Math.abs(computeMedian(({ missing, foreign }) => missing - foreign));
    do {
      for (let round = 0; round < timings; round += 1) pairs.push(await measureBoth(round));
    } while (computeDifference() >= MAX_DIFFERENCE_MS && pairs.length < timings * MAX_REPEATS);
    const [missing, foreign] = [computeMedian((pair) => pair.missing), computeMedian((pair) => pair.foreign)];
    rows.push({ title: one[0], missing, foreign, difference: computeDifference() });
  }
  const texts = rows.map(
    ({ title, missing, foreign }) => `${title.padEnd(90)} ${missing.toFixed(2)} ms, ${foreign.toFixed(2)} ms`,
  );
  console.log(`unknown, foreign (medians of ${timings})\n${texts.join('\n')}`);
  const largest = Math.max(...rows.map(({ difference }) => difference));
  reportFault({
    fault: 24,
    part: 'times',
    figure: {
      uses: rows.length,
      'requests each': timings,
      'largest median of the difference, ms': Number(largest.toFixed(2)),
    },
    bound: `below ${MAX_DIFFERENCE_MS} ms`,
  });
  expect(largest).toBeLessThan(MAX_DIFFERENCE_MS);
  expect(rows.length).toBeGreaterThan(20);
});
