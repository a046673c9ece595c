import { localDate } from '#domain/time/dates.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { updateLimits } from '#store/access/subscription-limits.ts';
import { everyProduct as products } from '#test/support/every-product.ts';
import { serveTinyWorld, type TinyService } from '#test/support/tiny-world.ts';
import type { SendRequest } from '../responses/check-response.ts';
import { serveKnownData } from '../services/known-service.ts';
import type { ServedDocument } from '../services/served-documents.ts';

export const UNCACHED_KEY = 'a-key-that-is-not-cached';

/** Services of every product: with data, without tables, and without a database. */
export type CoverageWorld = Awaited<ReturnType<typeof serveCoverageWorld>>;

const exhaustedKey = (product: string): string => `one-request-a-minute-${product}`;

const on =
  (world: TinyService) =>
  ({ day }: ServedDocument): SendRequest =>
  (path, init) => {
    world.setToday(day);
    return world.send(path, init);
  };

export const getExhaustedKey = ({ name }: ServedDocument): string => exhaustedKey(name.split('/')[0] ?? '');

export const serveCoverageWorld = async () => {
  const [known, ...others] = await Promise.all([
    serveKnownData(),
    serveTinyWorld(),
    serveTinyWorld(),
    serveTinyWorld(),
  ]);
  const [broken, empty, disconnected] = others;
  const expiresOn = localDate('2024-01-01');
  const foreign: Readonly<Record<string, string>> = Object.fromEntries(products.map((one) => [one, `not-${one}`]));
  const otherUse: Readonly<Record<string, string>> = Object.fromEntries(
    products.map((one) => [one, one === 'status-feed' ? 'a-key-for-reading' : 'a-key-for-sending']),
  );
  const keys = { expired: 'an-expired-key', foreign, otherUse };
  for (const { db } of Object.values(known.worlds)) {
    const [sending, reading] = [['status-feed'], products.filter((one) => one !== 'status-feed')];
    await insertKeyIfMissing(db, { name: 'sender', products: sending, key: 'a-key-for-sending' });
    await insertKeyIfMissing(db, { name: 'reader', products: reading, key: 'a-key-for-reading' });
    await insertKeyIfMissing(db, { name: 'late', products, expiresOn, key: keys.expired });
    for (const product of products) {
      const others = products.filter((one) => one !== product);
      await insertKeyIfMissing(db, { name: `not ${product}`, products: others, key: `not-${product}` });
      await insertKeyIfMissing(db, { name: exhaustedKey(product), products: [product], key: exhaustedKey(product) });
      await updateLimits(db, exhaustedKey(product), { perMinute: 1 });
    }
  }
  await empty.db`drop table flight_instance, schedule_record, location, flight_status cascade`;
  await broken.db`drop table subscription_key cascade`;
  await disconnected.db.end();
  return {
    known,
    /** A service without a key table: every request with a key that is not cached fails with an internal error. */
    broken: on(broken),
    /** A service without the tables of the products. */
    empty: on(empty),
    /** A service whose database connection is closed. */
    disconnected: on(disconnected),
    /** Keys of every database: one that has expired and, by product, one of all other products, and one for sending or for reading. */
    keys,
    drop: async (): Promise<void> => {
      for (const { drop } of [known, ...others]) await drop();
    },
  };
};
