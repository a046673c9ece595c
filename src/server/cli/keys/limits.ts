import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '#config.ts';
import { updateLimits, type LimitOverrides } from '#store/access/subscription-limits.ts';
import { withStore } from '../shared/open-store.ts';

/** A number, 0 for no limit, or the default of the server. */
type LimitOption = number | 'default';

type Options = {
  readonly perMinute?: LimitOption;
  readonly perMonth?: LimitOption;
  readonly concurrent?: LimitOption;
};

/** Returns a parser of a limit up to `max`; `none` is 0. */
const limitArgument =
  (max: number) =>
  (text: string): LimitOption => {
    if (text === 'default') return text;
    if (text === 'none') return 0;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < 1 || value > max)
      throw new InvalidArgumentError(`'${text}' must be a whole number from 1 to ${max}, 'none' or 'default'`);
    return value;
  };

/** Formats limits, e.g. `600/minute, no limit/month`; empty when all are the default. */
export const formatLimits = ({ perMinute, perMonth, atOnce }: LimitOverrides): string =>
  [[perMinute, '/minute'] as const, [perMonth, '/month'] as const, [atOnce, ' concurrent'] as const]
    .flatMap(([limit, unit]) => (limit === undefined ? [] : [`${limit === 0 ? 'no limit' : limit}${unit}`]))
    .join(', ');

const toStoredLimit = (limit: LimitOption | undefined): number | null | undefined =>
  limit === 'default' ? null : limit;

const changeLimits = async (config: Config, name: string, options: Options): Promise<number> =>
  withStore(config, 'keys limits', async ({ db }) => {
    const limits = await updateLimits(db, name, {
      perMinute: toStoredLimit(options.perMinute),
      perMonth: toStoredLimit(options.perMonth),
      atOnce: toStoredLimit(options.concurrent),
    });
    process[limits ? 'stdout' : 'stderr'].write(
      limits
        ? `Limits of '${name}': ${formatLimits(limits) || 'defaults'}. Running servers apply changes within five seconds.\n`
        : `No subscription named '${name}'. List subscriptions with: flightdata keys list\n`,
    );
    return limits ? 0 : 1;
  });

/** Adds `flightdata keys limits`. */
export const addKeyLimits = (
  command: Command,
  config: () => Config,
  parseNameArgument: (text: string) => string,
): void => {
  command
    .command('limits')
    .description(
      "set or show the rate limits of a subscription, for all its keys together; each limit is a number, 'none' or 'default'",
    )
    .argument('<name>', 'name of the subscription', parseNameArgument)
    .option('--per-minute <n>', 'requests per minute (default: LIMIT_PER_MINUTE)', limitArgument(1_000_000_000))
    .option('--per-month <n>', 'requests per calendar month, UTC (default: LIMIT_PER_MONTH)', limitArgument(1e12))
    .option('--concurrent <n>', 'concurrent requests per process (default: LIMIT_AT_ONCE)', limitArgument(1_000_000))
    .action(async (name: string, options: Options) => {
      process.exitCode = await changeLimits(config(), name, options);
    });
};
