import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '#config.ts';
import { exclusionReasons, type ExclusionReason } from '#domain/connections/flights/connecting-records.ts';
import { MCT_DEFAULTS, mctStatuses, type MctDefaults } from '#domain/connections/mct/mct-record.ts';
import { type RuleName, ruleNames } from '#domain/connections/rules/rule-verdict.ts';
import { addDays, formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import { computePercentage } from '#domain/status/on-time.ts';
import { buildConnections, CONNECTION_DAYS, type ConnectionsBuildResult } from '#jobs/connections/build-connections.ts';
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
        `'${part}' must be one of ${defaultNames.join(', ')}, with a number of minutes, such as DD=30`,
      );
    if (Number(value) > MAX_MINUTES)
      throw new InvalidArgumentError(`'${part}' exceeds the limit of ${MAX_MINUTES} minutes`);
    if (defaults[toKey(known)] !== undefined) throw new InvalidArgumentError(`'${text}' contains ${known} twice`);
    defaults[toKey(known)] = Number(value);
  }
  return defaults;
};

const formatDefaults = (defaults: MctDefaults): string =>
  defaultNames.map((name) => `${name}=${defaults[toKey(name)]}`).join(',');

const exclusionTexts: Readonly<Record<ExclusionReason, string>> = {
  'service-type': 'neither passenger nor cargo flights',
  'same-airport': 'same departure and arrival airport',
  'incomplete-itinerary': 'contains an unreadable leg',
};

const rejectionTexts: Readonly<Record<RuleName, string>> = {
  service: 'no common passenger or cargo service',
  'same-flight': 'the same flight, or the same operating flight',
  'connection-point': 'airports of different cities',
  position: 'an airport without a known position',
  circuity: 'more than 250 % of the direct distance, or back to the origin',
  codeshare: 'a marketing flight with a flight of another designator',
  partners: 'excluded by the partner list of a carrier',
  'traffic-restriction': 'traffic restrictions',
  suppressed: 'suppressed by a minimum connecting time record',
  'minimum-connecting-time': 'less than the minimum connecting time',
  'maximum-connecting-time': 'longer than 24 hours',
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
  const { from, days, defaults, itineraries, flights, records, excluded, candidates, rejected, bytes, storedBytes } =
    built;
  const to = formatDate(addDays(localDate(from), days - 1));
  const pairs = flights + exclusionReasons.reduce((sum, reason) => sum + excluded[reason], 0);
  return [
    `Connection set ${built.id}: departures ${from} to ${to} (local dates), built in ${seconds.toFixed(1)} s, ${formatMegabytes(bytes)} in memory, ${formatMegabytes(storedBytes)} stored`,
    `Default minimum connecting times (minutes): ${formatDefaults(defaults)}`,
    `${itineraries} current itineraries with ${pairs} pairs of board and off point`,
    formatLine('included', flights, { of: pairs, why: `in ${records} records` }),
    ...exclusionReasons.map((reason) =>
      formatLine(reason, excluded[reason], { of: pairs, why: exclusionTexts[reason] }),
    ),
    `${candidates} candidate pairs of flights within 24 hours at one airport or city`,
    formatLine('connections', built.built, { of: candidates }),
    ...ruleNames.flatMap((rule) =>
      rejected[rule] === 0 ? [] : [formatLine(rule, rejected[rule], { of: candidates, why: rejectionTexts[rule] })],
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
        'another process is building a connection set; servers load it when it is complete. To build again, repeat the command then',
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
      'build a connection set from the current schedules and replace the previous set (docs/how-to/operate/build-connections.md); servers load it immediately, and build one themselves once a week',
    )
    .option('--from <date>', 'first local departure date of leg 1 (default: yesterday, UTC)', parseDateArgument)
    .option('--days <n>', `number of departure days (default: ${CONNECTION_DAYS})`, parseDaysArgument)
    .option(
      '--mct-defaults <minutes>',
      `default minimum connecting times in minutes, used where no loaded record applies; later builds keep them (default: those of the previous set, initially ${formatDefaults(MCT_DEFAULTS)})`,
      parseDefaultsArgument,
    )
    .option('--json', 'print the report as JSON')
    .action((options: Options) => build(config(), options));
};
