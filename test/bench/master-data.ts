/** Times pages of Master Data in process, over what a database holds: `node test/bench/master-data.ts URL`. */
import { createApp } from '../../src/app.ts';
import { createAccessLog } from '../../src/http/access-log.ts';
import { openDatabase } from '../../src/store/database.ts';
import { keepKey } from '../../src/store/subscription-keys.ts';
import { readDirectory } from '../../src/work/directory.ts';
import { readMasterData } from '../../src/work/master-data.ts';

const ROUNDS = 300;
const questions = [
  '/locations?Limit=100',
  '/locations?CountryCode=US&Limit=100',
  '/locations?Name=san&Limit=100',
  '/locations?Near=51.5,-0.12&WithinKm=500&Limit=100',
  '/locations?Near=51.5,-0.12&WithinKm=20038&Limit=100',
  '/locations?Type=Heliport,MetropolitanArea&AsOf=2015-01-01&Limit=100',
  '/locations?Content=Provenance&Limit=100',
  '/carriers?Limit=100',
  '/carriers?CarrierName=air&Limit=100',
  '/equipment?Limit=100',
  '/locations/LHR',
] as const;

const [url = process.env['DATABASE_URL'] ?? ''] = process.argv.slice(2);
const sql = openDatabase({ url, applicationName: 'flightdata bench' });
const clock = (): Date => new Date();
const heapMegabytes = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1024 / 1024;
};

const before = heapMegabytes();
const directory = await readDirectory(sql);
const withDirectory = heapMegabytes();
const startedAt = performance.now();
const masterData = await readMasterData(sql, clock);
const readMs = performance.now() - startedAt;
const withBoth = heapMegabytes();
console.log(`directory alone ${(withDirectory - before).toFixed(1)} MB, ${directory.carriers('iata', 'LH').length} LH`);
console.log(`directory and records ${(withBoth - withDirectory).toFixed(1)} MB, read in ${readMs.toFixed(0)} ms`);

const key = 'bench-key-of-master-data';
await keepKey(sql, { name: 'bench', products: ['master-data'], key });
const app = createApp({
  sql,
  masterData: () => masterData,
  mapSecret: Buffer.alloc(32, 7),
  cursorSecret: Buffer.alloc(32, 8),
  clock,
  log: createAccessLog({ write: () => {} }),
});
const ask = async (path: string): Promise<{ readonly ms: number; readonly bytes: number }> => {
  const request = new Request(`http://bench.test${path}`, { headers: { 'subscription-key': key } });
  const started = performance.now();
  const response = await app(request);
  const ms = performance.now() - started;
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return { ms, bytes: Number(response.headers.get('content-length')) };
};
for (const path of questions) {
  const first = await ask(path);
  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) times.push((await ask(path)).ms);
  const cpu = process.cpuUsage(cpuBefore);
  const cpuMs = ((cpu.user + cpu.system) / 1000 / ROUNDS).toFixed(2);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * ROUNDS)] ?? 0).toFixed(2);
  console.log(
    `${path}: median ${at(0.5)} ms, processor ${cpuMs} ms, 99 % ${at(0.99)} ms, first ${first.ms.toFixed(1)} ms, ${first.bytes} bytes`,
  );
}
await sql.end();
