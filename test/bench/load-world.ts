/** Loads a schedule file into a database and tells how long it took and how much memory: a process of its own, to be measured. */
import { localDate } from '../../src/domain/dates.ts';
import { openDatabase } from '../../src/store/database.ts';
import { importSsim } from '../../src/work/import-ssim.ts';

export type Loaded = {
  readonly readSeconds: number;
  readonly layOutSeconds: number;
  readonly instances: number;
  readonly quarantined: number;
  readonly peakMegabytes: number;
};

const [url = '', file = '', from = '', days = '30'] = process.argv.slice(2);
const db = openDatabase({ url, applicationName: 'flightdata bench' });
const startedAt = performance.now();
let readAt = startedAt;
const report = await importSsim({
  db,
  file,
  today: localDate(from),
  horizonDays: Number(days),
  window: { from: localDate(from), days: Number(days) },
  onProgress: (step, done, total) => {
    if (step === 'read' && done === total) readAt = performance.now();
  },
});
const endedAt = performance.now();
process.send?.({
  readSeconds: (readAt - startedAt) / 1000,
  layOutSeconds: (endedAt - readAt) / 1000,
  instances: report.accepted['flight instances'] ?? 0,
  quarantined: report.entries.filter(({ severity }) => severity === 'quarantined').length,
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
} satisfies Loaded);
await db.end();
process.disconnect?.();
