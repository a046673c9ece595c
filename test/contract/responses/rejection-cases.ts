import { toList } from '../../../src/lib/openapi-document.ts';
import { createKey } from '../../../src/store/access/subscription-keys.ts';
import { updateLimits } from '../../../src/store/access/subscription-limits.ts';
import { TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import type { Contract } from '../contract.ts';
import { formatOperationName, type ResponseCase } from './declared-responses.ts';

const pathOf = ({ path }: { readonly path: string }, version: string): string =>
  `${path.replaceAll(/\{\w+\}/g, 'none')}?version=${version}`;

const NAME = 'may ask once a minute';

const keys = new WeakMap<object, Promise<string>>();

/** The key of a subscription that has asked all that it may in this minute; one for each database. */
const usedUpKey = ({ db }: Pick<TinyService, 'db'>, product: string): Promise<string> => {
  const make = async (): Promise<string> => {
    const { key } = await createKey(db, { name: NAME, products: [product] });
    await updateLimits(db, NAME, { perMinute: 1 });
    return key;
  };
  const made = keys.get(db) ?? make();
  keys.set(db, made);
  return made;
};

/**
 * Every operation that asks for a key, refused because its subscription has asked too much. That is found out before parameters and bodies
 * are looked at, so that none are needed.
 */
export const createRateLimitCases = (
  contract: Contract,
  world: () => Pick<TinyService, 'db' | 'send'>,
): readonly ResponseCase[] => {
  const [product = '', version = ''] = contract.name.split('/');
  return contract
    .operations()
    .filter(({ operation }) => toList(operation['security'] ?? contract.document['security']).length > 0)
    .map((one) => {
      const ask = async (): Promise<Response> => {
        const key = await usedUpKey(world(), product);
        return world().send(pathOf(one, version), {
          method: one.method.toUpperCase(),
          headers: { 'subscription-key': key },
        });
      };
      return [
        formatOperationName(one),
        429,
        'a subscription that has asked too much',
        async () => {
          const first = await ask();
          return first.status === 429 ? first : ask();
        },
      ];
    });
};

/**
 * Every operation that needs more than a key and no body, refused because it is given no more: an answer to a subscription that is known, as
 * the 400 of two versions at once is not.
 */
export const createMissingParameterCases = (
  contract: Contract,
  world: () => Pick<TinyService, 'send'>,
): readonly ResponseCase[] => {
  const [, version = ''] = contract.name.split('/');
  return contract
    .operations()
    .filter(
      ({ operation, parameters }) =>
        operation['requestBody'] === undefined && parameters.some((one) => one['required']),
    )
    .map((one) => [
      formatOperationName(one),
      400,
      'nothing that it needs',
      () =>
        world().send(pathOf(one, version), {
          method: one.method.toUpperCase(),
          headers: { 'subscription-key': TEST_KEY },
        }),
    ]);
};
