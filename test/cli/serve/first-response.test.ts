import { expect, onTestFinished, test } from 'vitest';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { startServerProcess } from '#test/faults/support/server-process.ts';
import { buildCarrierFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { readRealMasterData, realMasterDataDir } from '#test/support/real-master-data.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { callCommand } from '../call-command.ts';

const trials = Number(process.env['FIRST_RESPONSES'] ?? 1);
/** Carriers of the master data, and codes that no carrier has. */
const known = ['LH', 'AF', 'KL', 'IB', 'TP', 'AY', 'SK', 'OS', 'LX', 'SN'];
const unknown = ['Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8', 'Q9', 'Q0'];

// The world has 40,000 records, which take a server about a second to read; a small store would hide the time.
test.skipIf(realMasterDataDir === undefined)(
  'the first response after a load of a new carrier has its flights (needs ../shared/data)',
  async () => {
    const { sql, url, drop } = await readRealMasterData();
    onTestFinished(drop);
    await insertKeyIfMissing(sql, {
      name: 'tests',
      products: ['flight-info', 'schedules', 'master-data'],
      key: TEST_KEY,
    });
    const { write } = createTemporaryFolder();
    const server = await startServerProcess([], { DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-01' });
    onTestFinished(server.kill);
    const countRows = async (path: string): Promise<number> => {
      const response = await fetch(`${server.base}${path}`, { headers: { 'Subscription-Key': TEST_KEY } });
      const page: { readonly data: readonly unknown[] } = await response.json();
      return page.data.length;
    };
    const results: unknown[] = [];
    for (const [index, carrier] of [known, unknown].flatMap((codes) => codes.slice(0, trials)).entries()) {
      const file = write(`${index}.ssim`, buildCarrierFile({ 3: carrier }, buildLeg({ 3: carrier })));
      const load = ['import', 'ssim', file, '--from', '2026-06-01', '--days', '2'];
      const { code, err } = await callCommand(load, { DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-01' });
      const startedAt = performance.now();
      const rows = await countRows(`/flight-instances?DepartureDateTime=2026-06-01/2026-06-02&CarrierCode=${carrier}`);
      const publishing = await countRows(
        `/carriers?version=v1&CarrierCode=${carrier}&CodeType=IATA&PublishingCarrier=true`,
      );
      const milliseconds = Math.round(performance.now() - startedAt);
      if (process.env['FIRST_RESPONSES']) process.stderr.write(`${carrier} ${rows} rows after ${milliseconds} ms\n`);
      results.push([code, err, rows, publishing]);
    }
    expect(results).toEqual(results.map(() => [0, '', 2, 1]));
  },
);
