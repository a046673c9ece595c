import type { RequestContext } from '../request/request-context.ts';
import { decodeCursor, encodeCursor, hashQuery, type CursorContent, type CursorSecret } from './cursor.ts';
import { pageUrl } from './paging.ts';

/** The cursors of one list, valid for its product, version and filters only. */
export type ListCursors = {
  /** Decodes the cursor of a request; undefined if it has none. Throws Problem `cursor-invalid`. */
  readonly decode: (text: string | undefined) => CursorContent | undefined;
  /** Returns the URL of the page at a position. */
  readonly buildUrl: (content: CursorContent) => string;
};

export type ListCursorOptions = {
  readonly secret: CursorSecret;
  /** All parameters that select the items: not paging, content and version. */
  readonly filters: object;
  readonly limit: number;
  /** Name of the cursor parameter; `After` by default. */
  readonly parameter?: string;
};

/** Creates the cursors of the list that a request reads. */
export const createListCursors = (
  { requestUrl, product, version }: Pick<RequestContext, 'requestUrl' | 'product' | 'version'>,
  { secret, filters, limit, parameter = 'After' }: ListCursorOptions,
): ListCursors => {
  const scope = { product: `${product}/${version}`, queryHash: hashQuery(filters) };
  return {
    decode: (text) => (text === undefined ? undefined : decodeCursor(secret, { ...scope, parameter }, text)),
    buildUrl: (content) =>
      pageUrl(requestUrl, {
        parameter,
        cursor: encodeCursor(secret, { ...scope, ...content }),
        defaults: { Limit: String(limit), version },
      }),
  };
};
