import type { Command } from 'commander';
import type { Config } from '#config.ts';
import { toUtcDate, formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { computePercentage, computeOnTimeShares, type OnTimeCounts } from '#domain/status/on-time.ts';
import { buildOnTime, ON_TIME_DAYS, type OnTimeReport } from '#jobs/statistics/build-on-time.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { createClock } from '../shared/clock.ts';
import { withStore } from '../shared/open-store.ts';
import { createProgress } from '../shared/progress.ts';
import { parseDateArgument, parseDaysArgument } from '../shared/arguments.ts';

type Options = { readonly until?: LocalDate; readonly days?: number; readonly json?: boolean };
type CarrierLine = { readonly iata: string; readonly icao: string; readonly counts: OnTimeCounts };

const listCarriers = ({ byCarrier }: OnTimeReport, masterDataIndex: MasterDataIndex): readonly CarrierLine[] =>
  [...byCarrier]
    .map(([id, counts]) => {
      const { iata = '', icao = '' } = masterDataIndex.carrier(id) ?? {};
      return { iata, icao, counts };
    })
    .toSorted((a, b) => ((a.iata || a.icao) < (b.iata || b.icao) ? -1 : 1));

const columns = ['departedOnTime', 'arrivedOnTime', 'arrivedLate', 'cancelled', 'diverted'] as const;
const titles = ['departed on time', 'arrived on time', 'arrived late', 'cancelled', 'diverted'];
const WIDTH = 18;

/** Formats a count with its share; departures are a share of the known departures. */
const formatCell = (counts: OnTimeCounts, column: (typeof columns)[number]): string => {
  const whole = column === 'departedOnTime' ? counts.departures : counts.flights;
  const share = whole === 0 ? '-' : `${computePercentage(counts[column], whole).toFixed(2)}%`;
  return `${counts[column]} ${share.padStart(7)}`.padStart(WIDTH);
};

const formatRow = (name: string, counts: OnTimeCounts): string => {
  const cells = columns.map((column) => formatCell(counts, column));
  return `${name.padEnd(8)}${String(counts.flights).padStart(9)}${cells.join('')}\n`;
};

const formatTable = (build: OnTimeReport, lines: readonly CarrierLine[]): string => {
  const { from, to, numbers, total } = build;
  const span = `departing ${formatDate(from)} to ${formatDate(to)}, local dates`;
  if (total.flights === 0)
    return `No completed operating flights ${span}; statistics for ${numbers} combinations of flight number and route\n`;
  return [
    `On-time performance (D15/A14): ${total.flights} flights ${span}; statistics for ${numbers} combinations of flight number and route\n`,
    `${'carrier'.padEnd(8)}${'flights'.padStart(9)}${titles.map((title) => title.padStart(WIDTH)).join('')}\n`,
    ...lines.map(({ iata, icao, counts }) => formatRow(iata || icao, counts)),
    formatRow('all', total),
  ].join('');
};

const addShares = (counts: OnTimeCounts): object =>
  counts.flights === 0 ? counts : { ...counts, ...computeOnTimeShares(counts) };

const formatJson = ({ from, to, numbers, total }: OnTimeReport, lines: readonly CarrierLine[]): string =>
  `${JSON.stringify({
    rule: 'D15/A14',
    period: { startDate: formatDate(from), endDate: formatDate(to) },
    numbers,
    carriers: lines.map(({ iata, icao, counts }) => ({ iata, icao, ...addShares(counts) })),
    total: addShares(total),
  })}\n`;

const build = async (config: Config, { until, days, json = false }: Options): Promise<void> => {
  const today = toUtcDate(createClock(config.today)());
  if (until !== undefined && until >= today)
    throw new Error(
      `--until ${formatDate(until)} must be before today, ${formatDate(today)}: only completed days are counted`,
    );
  await withStore(config, 'build on-time', async ({ db }) => {
    const progress = createProgress();
    const onDay = (done: number, total: number): void => progress.update('count', done, total);
    const built = await buildOnTime(db, { today, until, days, onDay });
    progress.end('counted');
    const lines = listCarriers(built, await readMasterDataIndex(db));
    process.stdout.write(json ? formatJson(built, lines) : formatTable(built, lines));
  });
};

/** Adds `flightdata build on-time`. */
export const addBuildOnTime = (command: Command, config: () => Config): void => {
  command
    .command('on-time')
    .description(
      'compute on-time statistics for each flight number and route, replace the previous ones, and print them by operating carrier (docs/explanation/on-time-performance.md); servers do this once a day',
    )
    .option('--until <date>', 'last local departure date to count (default: yesterday, UTC)', parseDateArgument)
    .option('--days <n>', `number of days to count, up to that date (default: ${ON_TIME_DAYS})`, parseDaysArgument)
    .option('--json', 'print the statistics as JSON')
    .action((options: Options) => build(config(), options));
};
