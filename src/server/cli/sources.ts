import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '#config.ts';
import { escapeControls } from '#lib/escape-controls.ts';
import { fetchSources, type FetchOutcome } from '#jobs/sources/fetch-sources.ts';
import { isMonthly, readSourceRegistry, type OpenSource, type SourceMonth } from '#jobs/sources/source-registry.ts';
import { isEnded, type SourceFileStatus } from '#jobs/sources/source-status.ts';
import { endLiveRequests } from '#store/live/live-requests.ts';
import { createClock } from './shared/clock.ts';
import { exitCodes } from './shared/exit-codes.ts';
import { withStore } from './shared/open-store.ts';
import { printRows } from './shared/output.ts';
import { createProgress } from './shared/progress.ts';
import { readLiveStatus, readSourceStatus } from './shared/source-status.ts';
import { toSourcesDirectory } from './shared/sources-directory.ts';

const printJson = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

const formatSize = (bytes: number): string =>
  bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

const list = (json: boolean): void => {
  const sources = readSourceRegistry();
  if (json) return printJson(sources);
  printRows([
    ['name', 'title', 'reader', 'licence', 'refresh', 'address'],
    ...sources.map((one) => [one.name, one.title, one.reader, one.licence, `${one.refreshDays} days`, one.address]),
  ]);
  process.stdout.write('\nShow these attributions where you publish the data:\n');
  const attributions = Map.groupBy(
    sources.filter(({ attribution }) => attribution !== ''),
    ({ attribution, licence }) => `${attribution} (${licence})`,
  );
  printRows([...attributions.keys()].map((text) => [`- ${text}`]));
};

const formatOutcome = (outcome: FetchOutcome): string => {
  const { source, file } = outcome;
  if (outcome.kind === 'failed') return `${source}: not fetched: ${outcome.address}: ${outcome.error}`;
  const states = { fetched: 'fetched', unchanged: 'not modified', 'not-due': 'not due' };
  return `${source}: ${states[outcome.kind]}: ${file}, ${formatSize(outcome.bytes)}, sha256 ${outcome.sha256}`;
};

const printOutcome = (outcome: FetchOutcome, json: boolean): void => {
  const text = `${escapeControls(formatOutcome(outcome))}\n`;
  if (outcome.kind === 'failed') process.stderr.write(text);
  else if (!json) process.stdout.write(text);
};

/** The cause of an error, without the host: those of one cause have the same. */
const toCause = (error: string): string => /\b(?:getaddrinfo|connect) E[A-Z_]+\b/.exec(error)?.[0] ?? error;

/** Prints one line for each cause of failures. */
const printCauses = (outcomes: readonly FetchOutcome[]): void => {
  const failed = outcomes.flatMap((one) => (one.kind === 'failed' ? [one] : []));
  for (const [cause, same] of Map.groupBy(failed, ({ error }) => toCause(error))) {
    const hosts = [...new Set(same.map(({ address }) => new URL(address).host))].join(', ');
    const files = `${same.length} ${same.length === 1 ? 'file' : 'files'}`;
    const isNetwork = /^(?:getaddrinfo|connect) /.test(cause);
    const hint = isNetwork ? '; without access to the internet, set SOURCES_MIRROR to the address of a mirror' : '';
    process.stderr.write(`${escapeControls(`${files} not fetched from ${hosts}: ${cause}${hint}`)}\n`);
  }
};

type FetchCommandOptions = {
  readonly to?: string;
  readonly month?: readonly SourceMonth[];
  readonly due?: boolean;
  readonly brief?: boolean;
  readonly json?: boolean;
};

const fetch = async (
  config: Config,
  named: readonly OpenSource[],
  { to, month: months = [], due: isDueOnly = false, brief = false, json = false }: FetchCommandOptions,
): Promise<number> => {
  const monthly = named.find(isMonthly);
  if (monthly && months.length === 0)
    throw new Error(`${monthly.name} has a file for each month: name them, such as --month 2026-07`);
  let progress = createProgress();
  const outcomes = await fetchSources(named.length > 0 ? named : readSourceRegistry(), {
    dir: toSourcesDirectory(config, to),
    route: config.sources,
    clock: createClock(config.today),
    months,
    isDueOnly,
    onProgress: (_file, done, total) => progress.update('fetch', done, total),
    onOutcome: (outcome) => {
      progress.end(outcome.file);
      progress = createProgress();
      if (!brief || outcome.kind !== 'failed') printOutcome(outcome, json);
    },
  });
  if (json) printJson(outcomes);
  if (brief) printCauses(outcomes);
  const failed = outcomes.filter(({ kind }) => kind === 'failed').length;
  if (failed === 0) return exitCodes.success;
  return failed === outcomes.length ? exitCodes.failed : exitCodes.quarantined;
};

const toStatusRow = (one: SourceFileStatus, now: Date): readonly (string | number)[] =>
  one.state === 'not-fetched'
    ? [one.source, one.file, 'not fetched', '', `${one.refreshDays} days`, '', '', '']
    : [
        one.source,
        one.file,
        one.fetchedAt,
        `${one.ageDays} days`,
        `${one.refreshDays} days${one.state === 'due' ? ', due' : ''}`,
        formatSize(one.bytes),
        `${one.loaded === 'older' ? 'another version' : one.loaded}${isEnded(one, now) ? `; its data ended on ${one.dataTo}` : ''}`,
        one.sha256,
      ];

const status = async (config: Config, dir: string | undefined, json: boolean): Promise<void> => {
  const now = createClock(config.today)();
  const states = await readSourceStatus(config, toSourcesDirectory(config, dir));
  if (json) return printJson(states);
  printRows([
    ['source', 'file', 'fetched', 'age', 'refresh', 'size', 'loaded', 'sha256'],
    ...states.map((one) => toStatusRow(one, now)),
  ]);
};

const formatAge = (seconds: number | undefined): string =>
  seconds === undefined ? '' : seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;

const live = async (config: Config, json: boolean): Promise<void> => {
  const states = await readLiveStatus(config);
  if (json) return printJson(states);
  printRows([
    [
      'name',
      'title',
      'licence',
      'airports',
      'last success',
      'age',
      'taken',
      'unchanged',
      'rejected',
      'quarantined',
      'state',
    ],
    ...states.map(({ name, title, licence, places, succeededAt, ageSeconds, rows, stale, error, pausedUntil }) => [
      name,
      title,
      licence,
      places.join(',') || 'not followed',
      succeededAt?.toISOString() ?? '',
      formatAge(ageSeconds),
      rows.taken,
      rows.unchanged,
      rows.rejected,
      rows.quarantined,
      [
        ...(places.length === 0 ? [] : [stale === undefined ? 'current' : `stale: ${stale}`]),
        ...(error === undefined ? [] : [error]),
        ...(pausedUntil === undefined ? [] : [`not requested before ${pausedUntil.toISOString()}`]),
      ].join('; '),
    ]),
  ]);
  const details = states.flatMap(({ name, details: all }) =>
    all.map(({ kind, reason, value, count }) => [name, kind, reason, value, count]),
  );
  if (details.length > 0) {
    process.stdout.write('\nNot taken, and texts without a meaning:\n');
    printRows([['name', 'kind', 'reason', 'value', 'count'], ...details]);
  }
  process.stdout.write('\nShow these attributions, with the link, where you publish the data:\n');
  printRows(states.map(({ attribution, link }) => [`- ${attribution} (${link})`]));
};

const forgetLiveSource = async (config: Config, name: string): Promise<void> => {
  const isForgotten = await withStore(config, 'sources live', ({ db }) => endLiveRequests(db, name));
  if (!isForgotten) throw new Error(`'${name}' is not a followed live source; 'flightdata sources live' lists them`);
  process.stdout.write(`${name}: its age is no longer reported, until a server follows it again\n`);
};

const parseSourceArgument = (name: string, before: readonly OpenSource[] = []): readonly OpenSource[] => {
  const source = readSourceRegistry().find((one) => one.name === name);
  if (!source) throw new InvalidArgumentError(`'${name}' is not a source; 'flightdata sources list' shows them`);
  return [...before, source];
};

const parseMonthArgument = (text: string, before: readonly SourceMonth[] = []): readonly SourceMonth[] => {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === undefined || month === undefined)
    throw new InvalidArgumentError(`'${text}' must be a month of the form YYYY-MM`);
  return [...before, { year: Number(year), month: Number(month) }];
};

/** Adds `flightdata sources`. */
export const addSources = (program: Command, config: () => Config): void => {
  const command = program
    .command('sources')
    .description('list and fetch open sources of data (docs/how-to/operate/fetch-open-data.md)');
  command
    .command('list')
    .description('list the sources with their licences, and the attributions that the licences require')
    .option('--json', 'print the registry as JSON')
    .action(({ json = false }: { readonly json?: boolean }) => list(json));
  command
    .command('fetch')
    .description(
      'fetch files as their publishers have them, unless they are unchanged; an interrupted transfer continues',
    )
    .argument('[name...]', 'sources (default: all)', parseSourceArgument)
    .option('--to <dir>', 'folder for the files (default: sources in DATA_DIR)')
    .option('--month <month>', 'month of a monthly source, YYYY-MM; repeat it for several', parseMonthArgument)
    .option('--due', 'leave out files that are younger than their refresh interval')
    .option('--brief', 'print one line for each cause of failures, not for each file')
    .option('--json', 'print the results as JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 all files are fetched or unchanged, 1 no file, 2 usage error, 3 some files failed; standard error names them.',
    )
    .action(async (names: readonly OpenSource[], options: FetchCommandOptions) => {
      process.exitCode = await fetch(config(), names, options);
    });
  command
    .command('status')
    .description('show when each file was fetched, its age and checksum, and whether this version of it is loaded')
    .argument('[dir]', 'folder of the files (default: sources in DATA_DIR)')
    .option('--json', 'print the states as JSON')
    .action((dir: string | undefined, { json = false }: { readonly json?: boolean }) => status(config(), dir, json));
  command
    .command('live')
    .description(
      'list the live feeds with licence, attribution, last success, age, rows, and what was not taken (docs/how-to/operate/follow-live-feeds.md)',
    )
    .option('--forget <name>', 'no longer report the age of a source that no server follows')
    .option('--json', 'print the states as JSON')
    .action(({ json = false, forget }: { readonly json?: boolean; readonly forget?: string }) =>
      forget === undefined ? live(config(), json) : forgetLiveSource(config(), forget),
    );
};
