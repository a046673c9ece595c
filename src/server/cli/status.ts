import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '#config.ts';
import { listCarriers, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import { explainFacts, type FactExplanation, type FactReport } from '#domain/status/explain-facts.ts';
import { formatInstant, type UtcSecond } from '#domain/status/instants.ts';
import { parseObservation } from '#domain/status/observed-flight.ts';
import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import { escapeControls } from '#lib/escape-controls.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { readListRow } from '#jobs/status/flights/schedule-reference.ts';
import { formatStatusId, listStatuses, toDistinctIds } from '#store/status/flight-statuses.ts';
import { listCandidatesByNumber, type StatusCandidate } from '#store/status/status-instances.ts';
import { listMessages } from '#store/status/status-messages.ts';
import { parseDateArgument } from './shared/arguments.ts';
import { exitCodes } from './shared/exit-codes.ts';
import { withStore } from './shared/open-store.ts';

/** Parses a flight such as `XX101`, `XX 101A` or `CPA255`. */
const parseFlight = (text: string): Designator => {
  const match = /^([A-Z]{3}|(?=[A-Z0-9]?[A-Z])[A-Z0-9]{2}) ?(\d{1,4})([A-Z]?)$/.exec(text.toUpperCase());
  if (!match) throw new InvalidArgumentError(`'${text}' must be an airline code with a flight number, such as XX101`);
  const [, carrier = '', number = '', suffix = ''] = match;
  return { carrier, flightNumber: Number(number), suffix };
};

const timeNames = new Set(
  ['estimated', 'actual'].flatMap((kind) => ['Out', 'Off', 'On', 'In'].map((stage) => `${kind}${stage}`)),
);

const formatValue = (name: string, value: unknown): string => {
  if (value === null) return 'withdrawn';
  const isTime = timeNames.has(name.slice(name.lastIndexOf('.') + 1));
  if (isTime && typeof value === 'number') return formatInstant(value as UtcSecond, 0).replace('+00:00', 'Z');
  return typeof value === 'string' ? `"${escapeControls(value)}"` : escapeControls(JSON.stringify(value));
};

const formatReport = (name: string, { value, source, at }: FactReport): string =>
  `${formatValue(name, value)}  ${escapeControls(source)}, ${new Date(at).toISOString()}`;

const formatFact = ({ name, shown, overruled }: FactExplanation): string =>
  [
    `  ${escapeControls(name)}: ${formatReport(name, shown)}`,
    ...overruled.map((report) => `    overruled: ${formatReport(name, report)}`),
  ].join('\n');

const getCode = (masterDataIndex: MasterDataIndex, id: number): string => {
  const location = masterDataIndex.location(id);
  return location?.iata || location?.icao || location?.faa || String(id);
};

type ExplainOptions = { readonly from?: string; readonly json?: boolean };

const explain = async (
  config: Config,
  [{ carrier, flightNumber, suffix }, date]: readonly [Designator, LocalDate],
  { from, json = false }: ExplainOptions,
): Promise<number> =>
  withStore(config, 'status explain', async ({ db }) => {
    const masterDataIndex = await readMasterDataIndex(db);
    const carriers = listCarriers(masterDataIndex, carrier).map(({ id }) => id);
    const candidates = await listCandidatesByNumber(db, {
      from: date,
      days: 1,
      carriers,
      flightNumbers: [flightNumber],
    });
    const isMeant = (one: StatusCandidate): boolean =>
      (readListRow(one).serviceSuffix ?? '') === suffix &&
      (from === undefined || getCode(masterDataIndex, one.departure) === from.toUpperCase());
    const legs = toDistinctIds(candidates.filter(isMeant));
    const statuses = new Map((await listStatuses(db, legs)).map((status) => [formatStatusId(status), status]));
    const messages = Map.groupBy(await listMessages(db, legs), formatStatusId);
    for (const leg of legs) {
      const route = [leg.departure, leg.arrival].map((id) => getCode(masterDataIndex, id)).join('-');
      const state = statuses.get(formatStatusId(leg))?.state || 'no status';
      const facts = explainFacts((messages.get(formatStatusId(leg)) ?? []).map(parseObservation));
      const lines = [
        `${carrier} ${flightNumber}${suffix}  ${route}  ${formatDate(date)}  ${state}`,
        ...facts.map(formatFact),
      ];
      process.stdout.write(json ? `${JSON.stringify({ route, state, facts })}\n` : `${lines.join('\n')}\n`);
    }
    if (legs.length > 0) return exitCodes.success;
    process.stderr.write(`${carrier} ${flightNumber}${suffix} does not depart on ${formatDate(date)}.\n`);
    return exitCodes.failed;
  });

/** Adds `flightdata status explain`. */
export const addStatus = (program: Command, config: () => Config): void => {
  const command = program.command('status').description('show where the statuses of flights come from');
  command
    .command('explain')
    .description(
      'show each fact of a flight with its source, its time, and the values of other sources that it overruled',
    )
    .argument('<flight>', 'airline code and flight number, such as XX101', parseFlight)
    .argument('<date>', 'local date of scheduled departure', parseDateArgument)
    .option('--from <airport>', 'only the leg from this airport')
    .option('--json', 'print a JSON document for each leg')
    .action(async (flight: Designator, date: LocalDate, options: ExplainOptions) => {
      process.exitCode = await explain(config(), [flight, date], options);
    });
};
