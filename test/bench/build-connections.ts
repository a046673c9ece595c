/** Builds the connection set of a database in its own process and reports the time of each step. */
import { localDate } from '#domain/time/dates.ts';
import { openDatabase } from '#store/pool/database.ts';
import { buildConnections, type ConnectionsBuildResult } from '#jobs/connections/build-connections.ts';

export type BuildResult = {
  readonly build: ConnectionsBuildResult;
  readonly seconds: Readonly<Record<string, number>>;
  readonly peakMegabytes: number;
};

const [url = '', from = '', days = '365'] = process.argv.slice(2);
const db = openDatabase({ url, applicationName: 'flightdata bench' });
const seconds: Record<string, number> = {};
let step = 'read flights';
let startedAt = performance.now();
const enter = (next: string): void => {
  if (next === step) return;
  seconds[step] = (performance.now() - startedAt) / 1000;
  [step, startedAt] = [next, performance.now()];
};
const build = await buildConnections(db, {
  builtAt: new Date(`${from}T00:00:00Z`),
  from: localDate(from),
  days: Number(days),
  onProgress: enter,
});
enter('');
if (!build) throw new Error('another process is building connections in the database of the benchmark');
process.send?.({ build, seconds, peakMegabytes: process.resourceUsage().maxRSS / 1024 } satisfies BuildResult);
await db.end();
process.disconnect?.();
