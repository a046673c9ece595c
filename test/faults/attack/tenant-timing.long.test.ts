/* IDs of another subscription are rejected as fast as unknown IDs. TENANT_TIMINGS is the number of requests for each. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { computeQuantile } from '#test/support/quantile.ts';
import { assertsTimes, reportFault } from '../support/report-fault.ts';
import { buildTenantRequest, foreignIdUses, serveTenants } from './tenants.ts';

const timings = Number(process.env['TENANT_TIMINGS'] ?? 20);
/** Milliseconds; the network varies by more. On a busy machine, a share of the median time: one more query takes as much. */
const MAX_DIFFERENCE_MS = 0.5;
const MAX_SHARE = assertsTimes ? 0 : 0.5;
/** Measurements are repeated up to this often: a real difference remains, noise of a busy machine averages out. */
const MAX_REPEATS = 8;

const { world, attacker, victim } = await serveTenants();
afterAll(world.drop);

const median = (values: readonly number[]): number => computeQuantile(values, 0.5);

test('24: rejects an ID of another subscription as fast as an unknown one', { timeout: 1_800_000 }, async () => {
  const rows: { readonly title: string; readonly difference: number; readonly isTooLarge: boolean }[] = [];
  for (const one of foreignIdUses) {
    const measure = async (id: string): Promise<number> => {
      const request = buildTenantRequest(one, { ids: attacker, key: world.foreignKey, id });
      const started = performance.now();
      await (await world.app.fetch(request)).arrayBuffer();
      return performance.now() - started;
    };
    const [times, differences]: [number[], number[]] = [[], []];
    const foreignId = victim[one[3].id];
    const getDifference = (): number => Math.abs(median(differences));
    const isTooLarge = (): boolean => getDifference() >= Math.max(MAX_DIFFERENCE_MS, MAX_SHARE * median(times));
    do {
      // Both in turn, each first in half of the rounds, so that other load of the machine affects both.
      for (let round = 0; round < timings; round += 1) {
        const before = round % 2 ? undefined : await measure(foreignId);
        const unknown = await measure(randomUUID());
        const foreign = before ?? (await measure(foreignId));
        times.push(foreign);
        differences.push(unknown - foreign);
      }
    } while (isTooLarge() && times.length < timings * MAX_REPEATS);
    rows.push({ title: one[0], difference: getDifference(), isTooLarge: isTooLarge() });
  }
  const largest = Math.max(...rows.map(({ difference }) => difference)).toFixed(2);
  reportFault(24, { uses: rows.length, 'requests each': timings, 'largest median difference, ms': largest }, 'times');
  expect(rows.filter((row) => row.isTooLarge)).toEqual([]);
});
