import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { toCanonicalJson } from '#lib/digest-json.ts';
import { memoizeText } from '#lib/text-memo.ts';
import type { RequestVariables } from '../context/env.ts';
import { Problem } from '../response/problem.ts';
import type { SelectedRequest } from '../router/select-operation.ts';
import { buildOwnUrl, type OwnUrlVariables } from './own-url.ts';
import { buildPageUrl } from './paging.ts';

const MAC_BYTES = 16;
const COUNT_BYTES = 6;
const MAX_CURSOR_CHARACTERS = 1024;

/** What a cursor is valid for; elsewhere it is rejected. */
export type CursorScope = {
  /** Product and version, e.g. `flight-info/v2`. */
  readonly product: string;
  /** From `hashQuery`. */
  readonly queryHash: string;
};

/** Content of a cursor: the position of an item, in a format of the product, and the total count of the list (below 2^48). */
export type CursorContent = { readonly position: Buffer; readonly totalCount: number };

/** Digests each query once: clients repeat few. */
const digest = memoizeText((json) => hash('sha256', json, 'base64url').slice(0, 22));

/** Returns a digest of a filter object. The order of members and undefined members make no difference; the order of lists does. */
export const hashQuery = (filter: object): string => digest(toCanonicalJson(filter));

/** HMAC key of cursors: a `KeyObject` costs 2 µs a cursor, a `Buffer` 9 µs. */
export type CursorSecret = KeyObject | Buffer;

const macOf = (secret: CursorSecret, { product, queryHash }: CursorScope, content: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${product}\0${queryHash}\0`).update(content).digest().subarray(0, MAC_BYTES);

/** Encodes an opaque base64url cursor, which `decodeCursor` accepts only for the same product, version and query, and only unaltered. */
export const encodeCursor = (
  secret: CursorSecret,
  scope: CursorScope,
  { position, totalCount }: CursorContent,
): string => {
  const count = Buffer.alloc(COUNT_BYTES);
  count.writeUIntBE(totalCount, 0, COUNT_BYTES);
  const content = Buffer.concat([count, position]);
  return Buffer.concat([macOf(secret, scope, content), content]).toString('base64url');
};

/**
 * Decodes a cursor. Throws Problem `cursor-invalid` for `parameter` (default `After`) when it was altered, invented, or encoded for another
 * product, version or query.
 */
export const decodeCursor = (
  secret: CursorSecret,
  { parameter = 'After', ...scope }: CursorScope & { readonly parameter?: string },
  text: string,
): CursorContent => {
  const invalidCursor = (): Problem =>
    new Problem('cursor-invalid', `${parameter} is not a cursor of this query.`, {
      errors: { [parameter]: ['is not a cursor of this query'] },
    });
  if (text.length > MAX_CURSOR_CHARACTERS) throw invalidCursor();
  const bytes = Buffer.from(text, 'base64url');
  // The decoder ignores other characters and unused bits: only the spelling that the encoder produces is valid.
  if (bytes.length < MAC_BYTES + COUNT_BYTES || bytes.toString('base64url') !== text) throw invalidCursor();
  const content = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(secret, scope, content))) throw invalidCursor();
  return { totalCount: content.readUIntBE(0, COUNT_BYTES), position: content.subarray(COUNT_BYTES) };
};

/** Returns the problem of a valid cursor whose item no longer exists. */
export const cursorGoneProblem = (parameter = 'After'): Problem =>
  new Problem(
    'cursor-gone',
    `The item that ${parameter} marks is no longer in the list. Start again at the first page.`,
    {
      errors: { [parameter]: ['marks an item that is no longer in the list'] },
    },
  );

/** The cursors of one list, valid for its product, version and filters only. */
export type ListCursors = {
  /** Decodes the cursor of a request; undefined if it has none. Throws Problem `cursor-invalid`. */
  readonly decode: (text: string | undefined) => CursorContent | undefined;
  /** Returns the URL of the page at a position. */
  readonly buildUrl: (content: CursorContent) => string;
};

type ListCursorOptions = {
  readonly secret: CursorSecret;
  /** The query of the list, with what else selects its items. The parameters of paging, content and version make no difference. */
  readonly filters: object;
  readonly limit: number;
  /** Name of the cursor parameter; `After` by default. */
  readonly parameter?: string;
};

/** Parameters of lists that select no items, besides the cursor itself. */
const unbound = ['Limit', 'Content', 'version'];

/** Creates the cursors of the list that a request reads. */
export const createListCursors = (
  request: OwnUrlVariables &
    Pick<RequestVariables, 'version'> & { readonly selected: Pick<SelectedRequest, 'product'> },
  { secret, filters, limit, parameter = 'After' }: ListCursorOptions,
): ListCursors => {
  const { selected, version } = request;
  const bound = Object.entries(filters).filter(([name]) => name !== parameter && !unbound.includes(name));
  const scope = { product: `${selected.product}/${version}`, queryHash: hashQuery(Object.fromEntries(bound)) };
  return {
    decode: (text) => (text === undefined ? undefined : decodeCursor(secret, { ...scope, parameter }, text)),
    buildUrl: (content) =>
      buildPageUrl(buildOwnUrl(request), {
        parameter,
        cursor: encodeCursor(secret, scope, content),
        defaults: { Limit: String(limit), version },
      }),
  };
};
