import { hashQuery, decodeCursor, encodeCursor, type CursorSecret } from '../../../../http/handler/cursor.ts';
import { renderPage, pageUrl } from '../../../../http/handler/paging.ts';
import { type HttpResponse, renderedResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';

const PARAMETER = 'After';
const NUMBER_BYTES = 8;

/** Where a page begins: behind the item of this number, and how many items the pages before it had. */
export type PageStart = { readonly after: number | undefined; readonly precedingItems: number };

type Query = { readonly After?: string | undefined; readonly Limit: number; readonly version: string };

export type PageOptions<Item> = {
  readonly context: RequestContext;
  readonly query: Query;
  /** All that the list depends on, its endpoint included. */
  readonly filters: object;
  readonly secret: CursorSecret;
  /** Throws the Problem that there is no such list; a cursor that is none is told before. */
  readonly assertExists: () => Promise<unknown>;
  /** At most `limit` items behind the start. */
  readonly read: (start: PageStart, limit: number) => Promise<readonly Item[]>;
  readonly count: () => Promise<number>;
  readonly numberOf: (item: Item) => number;
  readonly toWire: (item: Item) => unknown;
};

/** One page of a list of an endpoint. The items it marks may go: numbers go on without them. */
export const buildDeliveryPage = async <Item, Page>({
  context: { requestUrl, product, version, path },
  query: { After, Limit: limit },
  filters: bound,
  secret,
  assertExists: find,
  read,
  count,
  numberOf,
  toWire: show,
}: PageOptions<Item>): Promise<HttpResponse<200, Page>> => {
  const scope = { product: `${product}/${version}`, queryHash: hashQuery({ path, ...bound }) };
  const cursor = After === undefined ? undefined : decodeCursor(secret, { ...scope, parameter: PARAMETER }, After);
  await find();
  const start: PageStart = cursor
    ? {
        after: Number(cursor.position.readBigUInt64BE(0)),
        precedingItems: Number(cursor.position.readBigUInt64BE(NUMBER_BYTES)),
      }
    : { after: undefined, precedingItems: 0 };
  const [found, totalCount] = await Promise.all([read(start, limit + 1), cursor ? cursor.totalCount : count()]);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const nextOf = (item: Item): string => {
    const position = Buffer.alloc(2 * NUMBER_BYTES);
    position.writeBigUInt64BE(BigInt(numberOf(item)), 0);
    position.writeBigUInt64BE(BigInt(start.precedingItems + items.length), NUMBER_BYTES);
    const sealed = encodeCursor(secret, { ...scope, position, totalCount });
    return pageUrl(requestUrl, { parameter: PARAMETER, cursor: sealed, settled: { Limit: String(limit), version } });
  };
  const next = last !== undefined && found.length > limit ? nextOf(last) : undefined;
  const rows = items.map((item) => Buffer.from(JSON.stringify(show(item))));
  return renderedResponse(renderPage(rows, { limit, totalCount, next }));
};
