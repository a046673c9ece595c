import { Argument, InvalidArgumentError, type Command } from 'commander';
import { catalog } from '#generated/catalog.ts';
import type { Config } from '#config.ts';
import { addDays, toUtcDate, formatDate } from '#domain/time/dates.ts';
import { createKey, listKeys, revokeKey, updateFeature, updateStrictness } from '#store/access/subscription-keys.ts';
import { createClock } from '../shared/clock.ts';
import { addKeyLimits, formatLimits } from './limits.ts';
import { withStore } from '../shared/open-store.ts';
import { parseDaysArgument } from '../shared/arguments.ts';

/** The products for reading. Keys for sending have no others, so that a leaked key of one kind is of no use for the other. */
const productNames = catalog.filter(({ isIngest }) => !isIngest).map(({ product }) => product);
const ingestProducts = catalog.filter(({ isIngest }) => isIngest).map(({ product }) => product);

const parseProductsArgument = (text: string): readonly string[] => {
  const products = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = products.find((name) => !productNames.includes(name));
  if (unknown !== undefined || products.length === 0)
    throw new InvalidArgumentError(`'${unknown ?? text}' is not a product; products: ${productNames.join(', ')}`);
  return [...new Set(products)];
};

const parseNameArgument = (text: string): string => {
  const name = text.trim();
  if (name === '' || name.length > 200) throw new InvalidArgumentError('a name must have 1 to 200 characters');
  return name;
};

const parseIdArgument = (text: string): number => {
  if (!/^\d{1,9}$/.test(text))
    throw new InvalidArgumentError(`'${text}' is not a key ID; list keys with: flightdata keys list`);
  return Number(text);
};

type CreateOptions = {
  readonly name: string;
  readonly products?: readonly string[];
  readonly ingest?: boolean;
  readonly days?: number;
  readonly map?: boolean;
  readonly strict?: boolean;
};

const create = async (
  config: Config,
  { name, products: reading, days, map = false, strict = false }: CreateOptions,
): Promise<void> => {
  const products = reading ?? ingestProducts;
  await withStore(config, 'keys create', async ({ db }) => {
    const expiresOn = days === undefined ? undefined : addDays(toUtcDate(createClock(config.today)()), days);
    const { id, key } = await createKey(db, {
      name,
      products,
      features: map ? ['map'] : [],
      expiresOn,
      isStrict: strict,
    });
    process.stdout.write(
      `${key}\n\n${strict ? 'Strict key' : 'Key'} ${id} of '${name}' for ${products.join(', ')}${
        expiresOn === undefined ? '' : `, valid until ${formatDate(expiresOn)}`
      }.\nStore it now: only its hash is kept, and the key cannot be shown again.\n`,
    );
  });
};

const list = async (config: Config): Promise<void> =>
  withStore(config, 'keys list', async ({ db }) => {
    const keys = await listKeys(db);
    if (keys.length > 0) process.stdout.write('id\tname\thash\tproducts\tfeatures\tvalidity\tlimits\tstrictness\n');
    for (const { id, name, hint, products, features, limits, expiresOn, isStrict, revokedAt } of keys) {
      const state = revokedAt
        ? `revoked ${revokedAt.toISOString()}`
        : expiresOn === undefined
          ? 'no expiry'
          : `until ${formatDate(expiresOn)}`;
      const limited = formatLimits(limits ?? {}) || 'default';
      process.stdout.write(
        `${id}\t${name}\t${hint}\t${products.join(',')}\t${features.join(',') || '-'}\t${state}\t${limited}\t${isStrict ? 'strict' : 'lenient'}\n`,
      );
    }
    if (keys.length === 0)
      process.stdout.write(
        `No keys. Create one with: flightdata keys create --name NAME --products ${productNames.join(',')}\n`,
      );
  });

const setMapFeature = async (config: Config, name: string, isOn: boolean): Promise<number> =>
  withStore(config, 'keys map', async ({ db }) => {
    const found = await updateFeature(db, name, { feature: 'map', isOn });
    process[found ? 'stdout' : 'stderr'].write(
      found
        ? `'${name}' ${isOn ? 'receives' : 'no longer receives'} links to maps; existing links work for up to 12 hours.\n`
        : `No subscription named '${name}'. List subscriptions with: flightdata keys list\n`,
    );
    return found ? 0 : 1;
  });

const setStrictness = async (config: Config, id: number, isStrict: boolean): Promise<number> =>
  withStore(config, 'keys strict', async ({ db }) => {
    const found = await updateStrictness(db, id, isStrict);
    process[found ? 'stdout' : 'stderr'].write(
      found
        ? `Key ${id} is ${isStrict ? 'strict: unknown names in a query return 400' : 'no longer strict: unknown names in a query are ignored'}. Running servers apply this within five seconds.\n`
        : `No active key with ID ${id}. List keys with: flightdata keys list\n`,
    );
    return found ? 0 : 1;
  });

const revoke = async (config: Config, id: number): Promise<number> =>
  withStore(config, 'keys revoke', async ({ db }) => {
    const revoked = await revokeKey(db, id);
    process[revoked ? 'stdout' : 'stderr'].write(
      revoked
        ? `Key ${id} revoked; running servers reject it within five seconds.\n`
        : `No active key with ID ${id}. List keys with: flightdata keys list\n`,
    );
    return revoked ? 0 : 1;
  });

/** Adds `flightdata keys`. */
export const addKeys = (program: Command, config: () => Config): void => {
  const command = program.command('keys').description('manage subscription keys');
  command
    .command('create')
    .description('create a key and print it once; keys with the same name belong to the same subscription')
    .requiredOption('--name <name>', 'name of the subscription', parseNameArgument)
    .option(
      '--products <list>',
      `products that the key can use, with commas between: ${productNames.join(', ')}`,
      parseProductsArgument,
    )
    .option('--ingest', 'create a key for sending to the status feed, in place of a key for reading')
    .option(
      '--days <n>',
      'number of days from today for which the key is valid (default: no expiry)',
      parseDaysArgument,
    )
    .option('--map', 'enable links to maps of flights in the air (Content=Map)')
    .option(
      '--strict',
      'reject every unknown name in a query; by default such names are ignored and listed in a header',
    )
    .action((options: CreateOptions, self: Command) => {
      if ((options.products === undefined) !== (options.ingest === true))
        self.error("error: give either '--products <list>' or '--ingest'");
      return create(config(), options);
    });
  command
    .command('list')
    .description('list keys; the keys themselves are not stored')
    .action(() => list(config()));
  command
    .command('map')
    .description('enable or disable links to maps of flights in the air for a subscription')
    .argument('<name>', 'name of the subscription', parseNameArgument)
    .addArgument(new Argument('<state>', 'enable or disable the links').choices(['on', 'off']))
    .action(async (name: string, state: 'on' | 'off') => {
      process.exitCode = await setMapFeature(config(), name, state === 'on');
    });
  command
    .command('strict')
    .description('set whether requests with a key are rejected for every unknown name in a query')
    .argument('<id>', 'key ID, as printed by keys list', parseIdArgument)
    .addArgument(new Argument('<state>', 'reject or ignore such names').choices(['on', 'off']))
    .action(async (id: number, state: 'on' | 'off') => {
      process.exitCode = await setStrictness(config(), id, state === 'on');
    });
  addKeyLimits(command, config, parseNameArgument);
  command
    .command('revoke')
    .description('revoke a key')
    .argument('<id>', 'key ID, as printed by keys list', parseIdArgument)
    .action(async (id: number) => {
      process.exitCode = await revoke(config(), id);
    });
};
