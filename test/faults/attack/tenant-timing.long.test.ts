/* IDs of another subscription are rejected as fast as unknown IDs. TENANT_TIMINGS is the number of requests for each. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { computeQuantile } from '../../support/quantile.ts';
import { assertsTimes, reportFault } from '../support/report-fault.ts';
import { idUses, isShared, buildTenantRequest, serveTenants, type Tenants } from './tenants.ts';

const timings = Number(process.env['TENANT_TIMINGS'] ?? 40);
/** Milliseconds; the network varies by more. */
const MAX_DIFFERENCE_MS = 0.5;
/** The bound on a busy machine: the share of the median time. One more query takes as much. */
const MAX_SHARE = 0.5;
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
  const rows: { readonly title: string; readonly ms: number; readonly difference: number }[] = [];
  const isTooLarge = (ms: number, difference: number): boolean =>
    difference >= (assertsTimes ? MAX_DIFFERENCE_MS : Math.max(MAX_DIFFERENCE_MS, MAX_SHARE * ms));
  for (const one of idUses.filter(([, , operation, use]) => !isShared(operation, use))) {
    const measure = async (id: string): Promise<number> => {
      const request = buildTenantRequest(one, { ids: tenants.attacker, key: world.foreignKey, id });
      const started = performance.now();
      await (await world.app(request)).arrayBuffer();
      return performance.now() - started;
    };
    const foreign: number[] = [];
    const differences: number[] = [];
    const median = (values: readonly number[]): number => computeQuantile(values, 0.5);
    const difference = (): number => Math.abs(median(differences));
    do {
      // Both in turn, each first in half of the rounds, so that other load of the machine affects both.
      for (let round = 0; round < timings; round += 1) {
        const ids = [randomUUID(), tenants.victim[one[3].id]];
        const [first, second] = [
          await measure((round % 2 ? ids[0] : ids[1]) ?? ''),
          await measure((round % 2 ? ids[1] : ids[0]) ?? ''),
        ];
        foreign.push(round % 2 ? second : first);
        differences.push(round % 2 ? first - second : second - first);
      }
    } while (isTooLarge(median(foreign), difference()) && foreign.length < timings * MAX_REPEATS);
    rows.push({ title: one[0], ms: median(foreign), difference: difference() });
  }
  const largest = Math.max(...rows.map(({ difference }) => difference));
  reportFault(
    24,
    {
      uses: rows.length,
      'requests each': timings,
      'largest median of the difference, ms': Number(largest.toFixed(2)),
    },
    'times',
  );
  expect(rows.filter(({ ms, difference }) => isTooLarge(ms, difference))).toEqual([]);
  expect(rows.length).toBeGreaterThan(20);
});
