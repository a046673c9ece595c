import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../../config.ts';
import { updateLimits, type LimitOverrides } from '../../store/access/subscription-limits.ts';
import { withStore } from '../shared/open-store.ts';

/** A number, 0 for none, or that of the server. */
type Limit = number | 'default';

type Options = { readonly perMinute?: Limit; readonly perMonth?: Limit; readonly concurrent?: Limit };

/** Reads a limit up to `most`; `none` is 0. */
const limitArgument =
  (most: number) =>
  (text: string): Limit => {
    if (text === 'default') return text;
    if (text === 'none') return 0;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < 1 || value > most)
      throw new InvalidArgumentError(`'${text}' is neither a number from 1 to ${most} nor 'none' nor 'default'`);
    return value;
  };

/** Limits as the operator reads them, e.g. `600/minute, no limit/month`; empty where each is the default. */
export const limitsText = ({ perMinute, perMonth, atOnce }: LimitOverrides): string =>
  [[perMinute, '/minute'] as const, [perMonth, '/month'] as const, [atOnce, ' at once'] as const]
    .flatMap(([limit, unit]) => (limit === undefined ? [] : [`${limit === 0 ? 'no limit' : limit}${unit}`]))
    .join(', ');

const stored = (limit: Limit | undefined): number | null | undefined => (limit === 'default' ? null : limit);

const changeLimits = async (config: Config, name: string, options: Options): Promise<number> =>
  withStore(config, 'keys limits', async ({ db }) => {
    const limits = await updateLimits(db, name, {
      perMinute: stored(options.perMinute),
      perMonth: stored(options.perMonth),
      atOnce: stored(options.concurrent),
    });
    process[limits ? 'stdout' : 'stderr'].write(
      limits
        ? `'${name}' may ask: ${limitsText(limits) || 'as much as by default'}; running servers know within five seconds.\n`
        : `There is no subscription '${name}'.\n`,
    );
    return limits ? 0 : 1;
  });

/** Adds `flightdata keys limits`. */
export const addKeyLimits = (command: Command, config: () => Config, nameArgument: (text: string) => string): void => {
  command
    .command('limits')
    .description(
      "set what a subscription may ask with all its keys: a number, 'none', or 'default'; without an option show it",
    )
    .argument('<name>', 'whose subscription it is', nameArgument)
    .option('--per-minute <n>', 'requests a minute (default: LIMIT_PER_MINUTE)', limitArgument(1_000_000_000))
    .option('--per-month <n>', 'requests a calendar month, UTC (default: LIMIT_PER_MONTH)', limitArgument(1e12))
    .option('--concurrent <n>', 'at the same time in each process (default: LIMIT_AT_ONCE)', limitArgument(1_000_000))
    .action(async (name: string, options: Options) => {
      process.exitCode = await changeLimits(config(), name, options);
    });
};
