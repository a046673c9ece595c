import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../config.ts';
import { formatDate, type LocalDate } from '../domain/time/dates.ts';
import { isZone } from '../domain/time/zones.ts';
import { exportGtfs, type GtfsExportReport } from '../jobs/export/export-gtfs.ts';
import { parseCarriersArgument, parseDateArgument } from './shared/arguments.ts';
import { createClock } from './shared/clock.ts';
import { withStore } from './shared/open-store.ts';
import { writeWholeFile } from './shared/output.ts';
import { watchStopSignal } from './shared/stop-signal.ts';

type Options = {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly output: string;
  readonly carrier?: readonly string[];
  readonly timezone: string;
  readonly publisher: string;
};

const parseZone = (text: string): string => {
  if (!isZone(text)) throw new InvalidArgumentError(`'${text}' must be an IANA time zone, such as Europe/Lisbon`);
  return text;
};

/** Formats the departures that are in no trip, for an operator to check. */
const formatLeftOut = ({ leftOut }: GtfsExportReport): string => {
  const reasons = Object.entries(leftOut).filter(([, count]) => count > 0);
  return reasons.length === 0
    ? ''
    : `Left out departures of legs: ${reasons.map(([reason, count]) => `${count} ${reason}`).join(', ')}\n`;
};

const formatWarnings = ({ trips, unknownPositions, inexactTrips }: GtfsExportReport): string => {
  const lines = [
    ...(trips === 0 ? ['the schedules in force have no passenger flights in this range'] : []),
    ...(unknownPositions.length > 0
      ? [`flights of airports without a position are left out: ${unknownPositions.join(', ')}`]
      : []),
    ...(inexactTrips > 0 ? [`trips with a traffic restriction that GTFS cannot express: ${inexactTrips}`] : []),
  ];
  return lines.map((line) => `warning: ${line}\n`).join('');
};

const runExport = async (
  config: Config,
  { from, to, output, carrier, timezone, publisher }: Options,
): Promise<void> => {
  const end = new AbortController();
  const { signal, interrupted } = watchStopSignal('the export was interrupted', end.signal);
  const url = config.publicUrl ?? `http://localhost:${config.port}`;
  const options = { from, to, carriers: carrier, agencyZone: timezone, publisher: { name: publisher, url } };
  const report = await withStore(config, 'export gtfs', ({ db }) =>
    writeWholeFile(output, (write) =>
      Promise.race([
        exportGtfs(db, { ...options, createdAt: createClock(config.today)(), write, signal }),
        interrupted,
      ]),
    ),
  ).finally(() => end.abort());
  if (config.publicUrl === undefined)
    process.stderr.write(`warning: PUBLIC_URL is not set; the URL of agencies and publisher is ${url}\n`);
  process.stderr.write(formatWarnings(report));
  const { trips, departures, routes, stops, agencies } = report;
  process.stdout.write(
    `Exported ${trips} trips with ${departures} departures from ${formatDate(from)} to ${formatDate(to)}, ` +
      `local dates: ${routes} routes, ${stops} airports, ${agencies} carriers\n${formatLeftOut(report)}`,
  );
};

/** Adds `flightdata export gtfs`. */
export const addGtfsExport = (group: Command, config: () => Config): void => {
  group
    .command('gtfs')
    .description(
      'export the schedules in force as a GTFS feed for journey planners (docs/how-to/operate/export-gtfs.md)',
    )
    .requiredOption('--from <date>', 'first local departure date', parseDateArgument)
    .requiredOption('--to <date>', 'last local departure date', parseDateArgument)
    .requiredOption('--output <file>', 'ZIP file to write or replace')
    .option(
      '--carrier <codes>',
      'IATA or ICAO codes of carriers, separated by commas (default: all)',
      parseCarriersArgument,
    )
    .option('--timezone <zone>', 'IANA time zone of service days and times', parseZone, 'Etc/UTC')
    .option('--publisher <name>', 'name of the publisher of the feed', 'flightdata')
    .action((options: Options, self: Command) => {
      if (options.to < options.from) self.error('error: --to must not be before --from');
      return runExport(config(), options);
    });
};
