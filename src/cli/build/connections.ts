import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../../config.ts';
import { exclusionReasons, type ExclusionReason } from '../../domain/connections/flights/connecting-records.ts';
import { MCT_DEFAULTS, mctStatuses, type MctDefaults } from '../../domain/connections/mct/mct-record.ts';
import { type RuleName, ruleNames } from '../../domain/connections/rules/rule-verdict.ts';
import { addDays, formatDate, localDate, type LocalDate } from '../../domain/time/dates.ts';
import { computePercentage } from '../../domain/status/on-time.ts';
import {
  buildConnections,
  CONNECTION_DAYS,
  type ConnectionsBuildResult,
} from '../../jobs/connections/build-connections.ts';
import { createClock } from '../shared/clock.ts';
import { withStore } from '../shared/open-store.ts';
import { createProgress } from '../shared/progress.ts';
import { parseDateArgument, parseDaysArgument } from '../shared/arguments.ts';

type Options = {
  readonly from?: LocalDate;
  readonly days?: number;
  readonly mctDefaults?: Partial<MctDefaults>;
  readonly json?: boolean;
};

const defaultNames = [...mctStatuses, 'inter-airport'] as const;
type DefaultName = (typeof defaultNames)[number];
const toKey = (name: DefaultName): keyof MctDefaults => (name === 'inter-airport' ? 'interAirport' : name);
const MAX_MINUTES = 1440;

/** Parses `DD=30,inter-airport=240`; other defaults stay. */
const parseDefaultsArgument = (text: string): Partial<MctDefaults> => {
  const defaults: { -readonly [Name in keyof MctDefaults]?: number } = {};
  for (const part of text.split(',')) {
    const [, name = '', value = ''] = /^([A-Za-z-]+)=(\d{1,4})$/.exec(part.trim()) ?? [];
    const known = defaultNames.find((one) => one.toLowerCase() === name.toLowerCase());
    if (known === undefined)
      throw new InvalidArgumentError(
        `'${part}' is not one of ${defaultNames.join(', ')} with a number of minutes, e.g. DD=30`,
      );
    if (Number(value) > MAX_MINUTES)
      throw new InvalidArgumentError(
        `'${part}' is more than ${MAX_MINUTES} minutes, the longest that a connection lasts`,
      );
    if (defaults[toKey(known)] !== undefined) throw new InvalidArgumentError(`'${text}' gives ${known} twice`);
    defaults[toKey(known)] = Number(value);
  }
  return defaults;
};

const formatDefaults = (defaults: MctDefaults): string =>
  defaultNames.map((name) => `${name}=${defaults[toKey(name)]}`).join(',');

const leftOutTexts: Readonly<Record<ExclusionReason, string>> = {
  'service-type': 'neither passenger nor cargo flights',
  'same-airport': 'end where they begin',
  'incomplete-itinerary': 'over a leg that could not be read',
};

const rejectionTexts: Readonly<Record<RuleName, string>> = {
  service: 'not both for passengers or both for cargo',
  'same-flight': 'the same flight, or operated as the same',
  'connection-point': 'no change between the two airports',
  position: 'an airport whose position is unknown',
  circuity: 'more than 250 % of the direct way, or back to the origin',
  codeshare: 'a marketing flight with a flight of another designator',
  partners: 'carriers that do not connect with each other',
  'traffic-restriction': 'traffic restrictions',
  suppressed: 'suppressed in the file of minimum connecting times',
  'minimum-connecting-time': 'less than the minimum connecting time',
  'maximum-connecting-time': 'more than 24 hours',
};

const formatLine = (
  name: string,
  count: number,
  { of, why = '' }: { readonly of: number; readonly why?: string },
): string => {
  const share = of === 0 ? '-' : `${computePercentage(count, of).toFixed(2)}%`;
  return `${`  ${name}`.padEnd(28)}${String(count).padStart(14)} ${share.padStart(8)}  ${why}`.trimEnd();
};

const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const formatReport = (built: ConnectionsBuildResult, seconds: number): string => {
  const { from, days, defaults, itineraries, flights, records, leftOut, looked, refused, bytes, storedBytes } = built;
  const to = formatDate(addDays(localDate(from), days - 1));
  const pairs = flights + exclusionReasons.reduce((sum, reason) => sum + leftOut[reason], 0);
  return [
    `Connections departing ${from} to ${to}, local dates: set ${built.id}, ${seconds.toFixed(1)} s, ${formatMegabytes(bytes)}, ${formatMegabytes(storedBytes)} stored`,
    `Minimum connecting times where no record applies: ${formatDefaults(defaults)}`,
    `${itineraries} itineraries in force have ${pairs} pairs of a board and an off point`,
    formatLine('taking part', flights, { of: pairs, why: `in ${records} records` }),
    ...exclusionReasons.map((reason) => formatLine(reason, leftOut[reason], { of: pairs, why: leftOutTexts[reason] })),
    `${looked} pairs of flights meet within 24 hours at one airport or city`,
    formatLine('connections', built.built, { of: looked }),
    ...ruleNames.flatMap((rule) =>
      refused[rule] === 0 ? [] : [formatLine(rule, refused[rule], { of: looked, why: rejectionTexts[rule] })],
    ),
    '',
  ].join('\n');
};

const build = async (config: Config, { from, days, mctDefaults, json = false }: Options): Promise<void> => {
  await withStore(config, 'build connections', async ({ db }) => {
    const progress = createProgress();
    const startedAt = performance.now();
    const built = await buildConnections(db, {
      builtAt: createClock(config.today)(),
      from,
      days,
      defaults: mctDefaults,
      onProgress: progress.update,
    });
    const seconds = (performance.now() - startedAt) / 1000;
    if (built === undefined)
      throw new Error(
        'another process is building connections now: what it builds is served when it is done; try again then',
      );
    progress.end('built');
    process.stdout.write(
      json ? `${JSON.stringify({ ...built, seconds: Number(seconds.toFixed(3)) })}\n` : formatReport(built, seconds),
    );
  });
};

/** Adds `flightdata build connections`. */
export const addBuildConnections = (command: Command, config: () => Config): void => {
  command
    .command('connections')
    .description(
      'build the set of connections (docs/connections-building.md) from the schedules in force, in place of the set before; servers take it up at once, and build one themselves once a week',
    )
    .option('--from <date>', 'first local departure date of leg 1 (default: yesterday, UTC)', parseDateArgument)
    .option('--days <n>', `how many days it holds (default: ${CONNECTION_DAYS})`, parseDaysArgument)
    .option(
      '--mct-defaults <minutes>',
      `minimum connecting times where no record of a file applies; servers keep to them (default: as in the set before, at first ${formatDefaults(MCT_DEFAULTS)})`,
      parseDefaultsArgument,
    )
    .option('--json', 'print the report as JSON')
    .action((options: Options) => build(config(), options));
};
