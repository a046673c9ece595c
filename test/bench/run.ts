/**
 * `make bench`: measures the service part by part, prints one table of all figures and writes it to build/bench.md.
 * `make bench ARGS='serving status'` selects parts. The world is synthetic (`fill-world.ts`). BENCH_FLIGHTS_PER_DAY and BENCH_DAYS
 * set its size, BENCH_ROUNDS and BENCH_SECONDS the length of each load; BENCH_KEEP=1 keeps the database for the next run of the
 * same day. Databases are created on DATABASE_URL or on an embedded PostgreSQL.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '#store/pool/database.ts';
import { openEmbedded } from '#store/engine/embedded.ts';
import { renderMarkdown, type Figure, type PrintedFigure } from './figures.ts';
import { readWorldSize } from './world.ts';

/** The scripts of the parts in run order; each reports its figures with `printFigure`. */
const parts = {
  loading: './loading.ts',
  serving: './serving.ts',
  hot: './hot-pages.ts',
  boards: './boards.ts',
  encodings: './encodings.ts',
  pipeline: './pipeline.ts',
  growth: './growth.ts',
  status: './status-stream.ts',
  feed: './feed-requests.ts',
  plans: './plan-flood.ts',
  'schedule-messages': './schedule-messages.ts',
  alerts: './alerts.ts',
  distribution: './distribution.ts',
  push: './push-load.ts',
  pull: './pull.ts',
  connections: './connections.ts',
  'master-data': './master-data.ts',
  fairness: './fairness.ts',
} as const;
type PartName = keyof typeof parts;
const partNames = Object.keys(parts) as readonly PartName[];

const OUT = fileURLToPath(new URL('../../build/bench.md', import.meta.url));

/** Opens the server for the databases of the parts: DATABASE_URL, or a temporary embedded one. */
const openServer = async (): Promise<{ readonly engine: string; readonly close: () => Promise<void> }> => {
  const engineAt = async (url: string): Promise<string> => {
    const sql = openDatabase({ url, applicationName: 'flightdata bench', max: 1 });
    const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
    await sql.end();
    return `PostgreSQL ${row?.version}`;
  };
  const given = process.env['DATABASE_URL'];
  // An empty value is none, as in `flightdata`.
  if (given) return { engine: await engineAt(given), close: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdata-bench-'));
  const { url, close } = await openEmbedded({ dataDir, applicationName: 'flightdata bench', log: () => {} });
  process.env['DATABASE_URL'] = url;
  const closeAll = async (): Promise<void> => {
    await close();
    await rm(dataDir, { recursive: true });
  };
  return { engine: `${await engineAt(url)}, embedded`, close: closeAll };
};

type FigureMessage = { readonly part: string; readonly figures: readonly Figure[] };

/** Runs one part in its own process and collects its figures; its output goes to standard error. */
const runPart = async (name: PartName): Promise<readonly PrintedFigure[]> => {
  process.stderr.write(`\n== ${name}\n`);
  const figures: PrintedFigure[] = [];
  const child = fork(new URL(parts[name], import.meta.url), {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 2, 2, 'ipc'],
    // JSON would turn NaN into null.
    serialization: 'advanced',
  });
  child.on('message', ({ part, figures: received }: FigureMessage) => {
    for (const figure of received) {
      figures.push({ part, ...figure });
      process.stderr.write(`${part}: ${figure.name}: ${figure.value.toPrecision(4)} ${figure.unit}\n`);
    }
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) figures.push({ part: name, name: `ended with ${String(code)}: not measured`, value: NaN, unit: '' });
  return figures;
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !partNames.includes(name as PartName));
if (unknown.length > 0) {
  process.stderr.write(`there is no part '${unknown.join(`', '`)}'; the parts are ${partNames.join(', ')}\n`);
  process.exit(2);
}
const wanted = chosen.length === 0 ? partNames : partNames.filter((name) => chosen.includes(name));
const { engine, close } = await openServer();
const figures: PrintedFigure[] = [];
const { flightsPerDay, days } = readWorldSize();
const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, ${engine}; load ${loadavg()[0]?.toFixed(1)} at the start`;
try {
  for (const name of wanted) figures.push(...(await runPart(name)));
} finally {
  await close();
}
const table = `${machine}; ${flightsPerDay} flights a day, ${days} days\n\n${renderMarkdown(figures)}`;
mkdirSync(join(OUT, '..'), { recursive: true });
writeFileSync(OUT, table);
process.stdout.write(`\n${table}\nwritten to build/bench.md\n`);
process.exitCode = figures.some(({ value, unit }) => unit === '' && Number.isNaN(value)) ? 1 : 0;
