import { Argument, InvalidArgumentError, type Command } from 'commander';
import { catalog } from '../../../generated/catalog.ts';
import type { Config } from '../../config.ts';
import { addDays, toUtcDate, formatDate } from '../../domain/time/dates.ts';
import { createKey, listKeys, revokeKey, updateFeature } from '../../store/access/subscription-keys.ts';
import { createClock } from '../shared/clock.ts';
import { addKeyLimits, formatLimits } from './limits.ts';
import { withStore } from '../shared/open-store.ts';
import { parseDaysArgument } from '../shared/arguments.ts';

const productNames = catalog.map(({ product }) => product);

const parseProductsArgument = (text: string): readonly string[] => {
  const products = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = products.find((name) => !productNames.includes(name));
  if (unknown !== undefined || products.length === 0)
    throw new InvalidArgumentError(`'${unknown ?? text}' is not a product; there are: ${productNames.join(', ')}`);
  return [...new Set(products)];
};

const parseNameArgument = (text: string): string => {
  const name = text.trim();
  if (name === '' || name.length > 200) throw new InvalidArgumentError('a name has 1 to 200 characters');
  return name;
};

const parseIdArgument = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError(`'${text}' is not the id of a key`);
  return Number(text);
};

type CreateOptions = {
  readonly name: string;
  readonly products: readonly string[];
  readonly days?: number;
  readonly map?: boolean;
};

const create = async (config: Config, { name, products, days, map = false }: CreateOptions): Promise<void> =>
  withStore(config, 'keys create', async ({ db }) => {
    const expiresOn = days === undefined ? undefined : addDays(toUtcDate(createClock(config.today)()), days);
    const { id, key } = await createKey(db, { name, products, features: map ? ['map'] : [], expiresOn });
    process.stdout.write(
      `${key}\n\nKey ${id} of '${name}' for ${products.join(', ')}${
        expiresOn === undefined ? '' : `, good until ${formatDate(expiresOn)}`
      }.\nIt is shown only now: only its hash is kept.\n`,
    );
  });

const list = async (config: Config): Promise<void> =>
  withStore(config, 'keys list', async ({ db }) => {
    const keys = await listKeys(db);
    if (keys.length > 0) process.stdout.write('id\tname\thash\tproducts\tfeatures\tvalidity\tlimits\n');
    for (const { id, name, hint, products, features, limits, expiresOn, revokedAt } of keys) {
      const state = revokedAt
        ? `revoked ${revokedAt.toISOString()}`
        : expiresOn === undefined
          ? 'no end'
          : `until ${formatDate(expiresOn)}`;
      const limited = formatLimits(limits ?? {}) || 'default';
      process.stdout.write(
        `${id}\t${name}\t${hint}\t${products.join(',')}\t${features.join(',') || '-'}\t${state}\t${limited}\n`,
      );
    }
    if (keys.length === 0)
      process.stdout.write(
        `There are no keys. Make one with: flightdata keys create --name NAME --products ${productNames.join(',')}\n`,
      );
  });

const setMapFeature = async (config: Config, name: string, isOn: boolean): Promise<number> =>
  withStore(config, 'keys map', async ({ db }) => {
    const found = await updateFeature(db, name, { feature: 'map', isOn });
    process[found ? 'stdout' : 'stderr'].write(
      found
        ? `'${name}' ${isOn ? 'gets' : 'no longer gets'} links to maps; links given out work for 12 hours.\n`
        : `There is no subscription '${name}'.\n`,
    );
    return found ? 0 : 1;
  });

const revoke = async (config: Config, id: number): Promise<number> =>
  withStore(config, 'keys revoke', async ({ db }) => {
    const revoked = await revokeKey(db, id);
    process[revoked ? 'stdout' : 'stderr'].write(
      revoked
        ? `Key ${id} is revoked; running servers refuse it within five seconds.\n`
        : `There is no key ${id} that could be revoked.\n`,
    );
    return revoked ? 0 : 1;
  });

/** Adds `flightdata keys`. */
export const addKeys = (program: Command, config: () => Config): void => {
  const command = program.command('keys').description('subscription keys');
  command
    .command('create')
    .description('make a key and show it, once; a further key under the same name belongs to the same subscription')
    .requiredOption('--name <name>', 'whose key it is', parseNameArgument)
    .requiredOption(
      '--products <list>',
      `what it opens, separated by commas: ${productNames.join(', ')}`,
      parseProductsArgument,
    )
    .option('--days <n>', 'for how many days from today it is good (default: no end)', parseDaysArgument)
    .option('--map', 'give the subscription links to maps of flights in the air (Content=Map)')
    .action((options: CreateOptions) => create(config(), options));
  command
    .command('list')
    .description('list keys; the keys themselves are not kept')
    .action(() => list(config()));
  command
    .command('map')
    .description('give a subscription links to maps of flights in the air, or take them away')
    .argument('<name>', 'whose subscription it is', parseNameArgument)
    .addArgument(new Argument('<state>', 'whether it gets them').choices(['on', 'off']))
    .action(async (name: string, state: 'on' | 'off') => {
      process.exitCode = await setMapFeature(config(), name, state === 'on');
    });
  addKeyLimits(command, config, parseNameArgument);
  command
    .command('revoke')
    .description('revoke a key')
    .argument('<id>', 'its number in the list', parseIdArgument)
    .action(async (id: number) => {
      process.exitCode = await revoke(config(), id);
    });
};
