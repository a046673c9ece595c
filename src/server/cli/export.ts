import { Option, type Command } from 'commander';
import type { Config } from '../config.ts';
import { formatDate, type LocalDate } from '../domain/time/dates.ts';
import { exportFlights, type FlightExportReport } from '../jobs/export/export-flights.ts';
import { createFlightEncoder, exportFormats, type ExportFormat } from '../jobs/export/flight-encoders.ts';
import { addGtfsExport } from './export-gtfs.ts';
import { parseCarriersArgument, parseDateArgument } from './shared/arguments.ts';
import { withStore } from './shared/open-store.ts';
import { writeStandardOutput, writeWholeFile, type WriteBytes } from './shared/output.ts';
import { createProgress } from './shared/progress.ts';
import { watchStopSignal } from './shared/stop-signal.ts';

type Options = {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly format: ExportFormat;
  readonly output?: string;
  readonly carrier?: readonly string[];
};

const formatMissing = ([first, ...rest]: readonly LocalDate[]): string => {
  if (first === undefined) return '';
  const last = rest.at(-1);
  return last === undefined
    ? `warning: the database has no flights of ${formatDate(first)}\n`
    : `warning: the database has no flights of ${rest.length + 1} days of this range, from ${formatDate(first)} to ${formatDate(last)}\n`;
};

const runExport = async (config: Config, { from, to, format, output, carrier }: Options): Promise<void> => {
  const end = new AbortController();
  const { signal, interrupted } = watchStopSignal('the export was interrupted', end.signal);
  const { flights, missingDays } = await withStore(config, 'export flights', async ({ db }) => {
    const progress = createProgress();
    const encoder = createFlightEncoder(format);
    const writeAll = async (write: WriteBytes): Promise<FlightExportReport> => {
      const report = await exportFlights(db, {
        from,
        to,
        carriers: carrier,
        baseUrl: config.publicUrl ?? '',
        onFlights: async (rows) => write(await encoder.encode(rows)),
        onDay: (done, total) => progress.update('export', done, total),
        signal,
      });
      await write(await encoder.end());
      return report;
    };
    // The export itself does not end while it waits for a schedule load or for the reader of standard output.
    const run = (write: WriteBytes) => Promise.race([writeAll(write), interrupted]);
    const report = await (output === undefined ? run(writeStandardOutput) : writeWholeFile(output, run));
    progress.end('exported');
    return report;
  }).finally(() => end.abort());
  process.stderr.write(formatMissing(missingDays));
  const stream = output === undefined ? process.stderr : process.stdout;
  stream.write(`Exported ${flights} flights departing ${formatDate(from)} to ${formatDate(to)}, local dates\n`);
};

/** Adds `flightdata export`. */
export const addExport = (program: Command, config: () => Config): void => {
  const group = program.command('export').description('export stored data for analysis');
  group
    .command('flights')
    .description(
      'export the flights of local departure dates with their latest status, as of one moment (docs/how-to/operate/export-flights.md)',
    )
    .requiredOption('--from <date>', 'first local departure date', parseDateArgument)
    .requiredOption('--to <date>', 'last local departure date', parseDateArgument)
    .addOption(
      new Option('--format <format>', 'ndjson (rows of the API), or csv or parquet (flat columns)')
        .choices(exportFormats)
        .makeOptionMandatory(),
    )
    .option('--output <file>', 'file to write or replace (default: standard output)')
    .option(
      '--carrier <codes>',
      'IATA or ICAO codes of carriers, separated by commas (default: all)',
      parseCarriersArgument,
    )
    .action((options: Options, self: Command) => {
      if (options.to < options.from) self.error('error: --to must not be before --from');
      if (options.format === 'parquet' && options.output === undefined)
        self.error('error: --format parquet needs --output <file>');
      return runExport(config(), options);
    });
  addGtfsExport(group, config);
};
