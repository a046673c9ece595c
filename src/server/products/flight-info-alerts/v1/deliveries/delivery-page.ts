import { createListCursors, type CursorSecret } from '#http/handler/cursor.ts';
import { renderPage } from '#http/handler/paging.ts';
import type { RequestVariables } from '#http/context/env.ts';

const NUMBER_BYTES = 8;

/** The start of a page: the number of the item before it, and the count of items on earlier pages. */
export type PageStart = { readonly after: number | undefined; readonly precedingItems: number };

type Query = { readonly After?: string | undefined; readonly Limit: number; readonly version: string };

export type PageOptions<Item> = {
  readonly variables: RequestVariables;
  readonly query: Query;
  /** All filters of the list including its endpoint; cursors are bound to them. */
  readonly filters: object;
  readonly secret: CursorSecret;
  /** Throws Problem `not-found` if there is no such list; called after the cursor was validated. */
  readonly assertExists: () => Promise<unknown>;
  /** Reads up to `limit` items after the start. */
  readonly read: (start: PageStart, limit: number) => Promise<readonly Item[]>;
  readonly count: () => Promise<number>;
  readonly getNumber: (item: Item) => number;
  readonly toWire: (item: Item) => unknown;
};

/** Renders one page of a list of an endpoint. The item of a cursor may be pruned: positions are plain numbers. */
export const renderDeliveryPage = async <Item>({
  variables,
  query: { After, Limit: limit },
  filters,
  secret,
  assertExists,
  read,
  count,
  getNumber,
  toWire,
}: PageOptions<Item>): Promise<Buffer> => {
  const cursors = createListCursors(variables, { secret, filters: { path: variables.publicPath, ...filters }, limit });
  const cursor = cursors.decode(After);
  await assertExists();
  const start: PageStart = cursor
    ? {
        after: Number(cursor.position.readBigUInt64BE(0)),
        precedingItems: Number(cursor.position.readBigUInt64BE(NUMBER_BYTES)),
      }
    : { after: undefined, precedingItems: 0 };
  const [rows, totalCount] = await Promise.all([read(start, limit + 1), cursor ? cursor.totalCount : count()]);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const nextUrl = (item: Item): string => {
    const position = Buffer.alloc(2 * NUMBER_BYTES);
    position.writeBigUInt64BE(BigInt(getNumber(item)), 0);
    position.writeBigUInt64BE(BigInt(start.precedingItems + items.length), NUMBER_BYTES);
    return cursors.buildUrl({ position, totalCount });
  };
  const next = last !== undefined && rows.length > limit ? nextUrl(last) : undefined;
  const texts = items.map((item) => Buffer.from(JSON.stringify(toWire(item))));
  return renderPage(texts, { limit, totalCount, next });
};
