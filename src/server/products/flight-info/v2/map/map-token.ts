import { createHmac, timingSafeEqual } from 'node:crypto';
import { formatDate, parseDate, type LocalDate } from '#domain/time/dates.ts';

/** Lifetime of a map link, milliseconds: longer than almost every flight. */
export const MAP_TOKEN_LIFETIME_MS = 12 * 60 * 60 * 1000;

/** Version of the token layout: a new layout gets a new number, so that old tokens are rejected and not misread. */
const VERSION = 1;
const MAC_BYTES = 16;
/** Version 1, days since 1970 4 (signed), order 8 (signed), expiry 6. */
const CONTENT_BYTES = 19;
const TOKEN_BYTES = MAC_BYTES + CONTENT_BYTES;
/** Base64url without padding. */
const TOKEN_CHARACTERS = Math.ceil((TOKEN_BYTES * 4) / 3);

/** The flight of a map: its local departure date and the order number of its status. */
export type MapReference = {
  /** `YYYY-MM-DD`. */
  readonly departsOn: string;
  readonly statusOrder: bigint;
};

/** The prefix separates these codes from others made with the same secret. */
const computeMac = (secret: Buffer, content: Buffer): Buffer =>
  createHmac('sha256', secret).update('flight-map\0').update(content).digest().subarray(0, MAC_BYTES);

const parseDay = (departsOn: string): LocalDate => {
  const date = parseDate(departsOn);
  if (date === undefined) throw new RangeError(`departsOn is not a date: '${departsOn}'`);
  return date;
};

/** Returns a URL-safe text of 47 characters that grants the map of one flight until `expiresAt`, milliseconds since 1970 UTC. */
export const sealMapToken = (
  secret: Buffer,
  { departsOn, statusOrder, expiresAt }: MapReference & { readonly expiresAt: number },
): string => {
  const content = Buffer.alloc(CONTENT_BYTES);
  content.writeUInt8(VERSION, 0);
  content.writeInt32BE(parseDay(departsOn), 1);
  content.writeBigInt64BE(statusOrder, 5);
  content.writeUIntBE(Math.trunc(expiresAt), 13, 6);
  return Buffer.concat([computeMac(secret, content), content]).toString('base64url');
};

/** Returns the content of a token; 'expired' if it has expired at `nowMs`, undefined if it is invalid. */
export const openMapToken = (secret: Buffer, text: string, nowMs: number): MapReference | 'expired' | undefined => {
  if (text.length !== TOKEN_CHARACTERS) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // The decoder skips foreign characters and unused bits: only the canonical encoding is a token.
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== text) return undefined;
  const content = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), computeMac(secret, content))) return undefined;
  if (content.readUInt8(0) !== VERSION) return undefined;
  if (content.readUIntBE(13, 6) <= nowMs) return 'expired';
  return { departsOn: formatDate(content.readInt32BE(1) as LocalDate), statusOrder: content.readBigInt64BE(5) };
};
