import { createHmac, hash, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Problem } from '../response/problem.ts';

const MAC_BYTES = 16;
const COUNT_BYTES = 6;
const MAX_CURSOR_CHARACTERS = 1024;

/** What a cursor belongs to: it opens nowhere else. */
export type CursorScope = {
  /** Product and version, e.g. `flight-info/v2`. */
  readonly product: string;
  /** From `hashQuery`. */
  readonly queryHash: string;
};

/** What a cursor carries: the item it marks, in bytes only the product understands, and the count of the whole walk (below 2^48). */
export type CursorContent = { readonly position: Buffer; readonly totalCount: number };

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonical(member)]),
  );
};

/** A digest of a filter object: the order of its members and members that are undefined make no difference, the order of lists does. */
export const hashQuery = (filter: object): string =>
  hash('sha256', JSON.stringify(canonical(filter)), 'base64url').slice(0, 22);

/** A key object costs 2 microseconds a cursor, bytes 9. */
export type CursorSecret = KeyObject | Buffer;

const macOf = (secret: CursorSecret, { product, queryHash }: CursorScope, content: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${product}\0${queryHash}\0`).update(content).digest().subarray(0, MAC_BYTES);

/** An opaque base64url text that `openCursor` accepts only for the same product, version and query, and only unaltered. */
export const encodeCursor = (
  secret: CursorSecret,
  { position, totalCount, ...scope }: CursorScope & CursorContent,
): string => {
  const count = Buffer.alloc(COUNT_BYTES);
  count.writeUIntBE(totalCount, 0, COUNT_BYTES);
  const content = Buffer.concat([count, position]);
  return Buffer.concat([macOf(secret, scope, content), content]).toString('base64url');
};

/**
 * Reads a cursor. Throws Problem `cursor-invalid` naming `parameter` (default `After`) when it was altered, made up,
 * or made for another product, version or query.
 */
export const decodeCursor = (
  secret: CursorSecret,
  { parameter = 'After', ...scope }: CursorScope & { readonly parameter?: string },
  text: string,
): CursorContent => {
  const refusal = (): Problem =>
    new Problem('cursor-invalid', `${parameter} is not a cursor of this query.`, {
      errors: { [parameter]: ['is not a cursor of this query'] },
    });
  if (text.length > MAX_CURSOR_CHARACTERS) throw refusal();
  const bytes = Buffer.from(text, 'base64url');
  // The decoder skips foreign characters and unused bits: only the one spelling that encodes to itself is a cursor.
  if (bytes.length < MAC_BYTES + COUNT_BYTES || bytes.toString('base64url') !== text) throw refusal();
  const content = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(secret, scope, content))) throw refusal();
  return { totalCount: content.readUIntBE(0, COUNT_BYTES), position: content.subarray(COUNT_BYTES) };
};

/** The problem of a sealed cursor whose item no longer exists. */
export const cursorGoneProblem = (parameter = 'After'): Problem =>
  new Problem(
    'cursor-gone',
    `The item that ${parameter} marks is no longer in the list. Start again from the first page.`,
    {
      errors: { [parameter]: ['marks an item that is no longer in the list'] },
    },
  );
