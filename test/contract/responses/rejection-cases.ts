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

/** Returns the key of a subscription without remaining requests in this minute; one for each database. */
const getExhaustedKey = ({ db }: Pick<TinyService, 'db'>, product: string): Promise<string> => {
  const create = async (): Promise<string> => {
    const { key } = await createKey(db, { name: NAME, products: [product] });
    await updateLimits(db, NAME, { perMinute: 1 });
    return key;
  };
  const key = keys.get(db) ?? create();
  keys.set(db, key);
  return key;
};

/**
 * Creates a 429 case for every operation that requires a key. The limit is checked before parameters and bodies, so requests need
 * none.
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
      const send = async (): Promise<Response> => {
        const key = await getExhaustedKey(world(), product);
        return world().send(pathOf(one, version), {
          method: one.method.toUpperCase(),
          headers: { 'subscription-key': key },
        });
      };
      return [
        formatOperationName(one),
        429,
        'a subscription over its rate limit',
        async () => {
          const first = await send();
          return first.status === 429 ? first : send();
        },
      ];
    });
};

/**
 * Creates a 400 case for every operation with required parameters and without a body. Unlike the 400 of two versions, the
 * subscription is known.
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
      'missing parameters',
      () =>
        world().send(pathOf(one, version), {
          method: one.method.toUpperCase(),
          headers: { 'subscription-key': TEST_KEY },
        }),
    ]);
};
