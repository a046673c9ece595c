import { createHmac, timingSafeEqual } from 'node:crypto';
import { formatDate, parseDate, type LocalDate } from '../../../../domain/time/dates.ts';

/** How long a link to a map leads to it, milliseconds: longer than almost every flight, shorter than a day's links would pile up. */
export const MAP_TOKEN_LIFETIME_MS = 12 * 60 * 60 * 1000;

/** A token of another layout gets another number here, so that old links end as forged ones and are never misread. */
const VERSION = 1;
const MAC_BYTES = 16;
/** Version 1, days since 1970 4 (signed), order 8 (signed), expiry 6. */
const CONTENT_BYTES = 19;
const TOKEN_BYTES = MAC_BYTES + CONTENT_BYTES;
/** Base64url without padding. */
const TOKEN_CHARACTERS = Math.ceil((TOKEN_BYTES * 4) / 3);

/** The flight a map shows: the local date of its departure and its number in the order of the status records. */
export type MapReference = {
  /** `YYYY-MM-DD`. */
  readonly departsOn: string;
  readonly statusOrder: bigint;
};

/** The name keeps these codes apart from others that are made with the same secret. */
const computeMac = (secret: Buffer, content: Buffer): Buffer =>
  createHmac('sha256', secret).update('flight-map\0').update(content).digest().subarray(0, MAC_BYTES);

const parseDay = (departsOn: string): LocalDate => {
  const date = parseDate(departsOn);
  if (date === undefined) throw new RangeError(`departsOn is not a date: '${departsOn}'`);
  return date;
};

/** A URL-safe text of 47 characters that opens the map of one flight until `expiresAt`, milliseconds since 1970 UTC. */
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

/** What `sealMapToken` was given; 'expired' when its time is over at `nowMs`, undefined when the text is not one of ours. */
export const openMapToken = (secret: Buffer, text: string, nowMs: number): MapReference | 'expired' | undefined => {
  if (text.length !== TOKEN_CHARACTERS) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // The decoder skips foreign characters and unused bits: only the one spelling that encodes to itself is a token.
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== text) return undefined;
  const content = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), computeMac(secret, content))) return undefined;
  if (content.readUInt8(0) !== VERSION) return undefined;
  if (content.readUIntBE(13, 6) <= nowMs) return 'expired';
  return { departsOn: formatDate(content.readInt32BE(1) as LocalDate), statusOrder: content.readBigInt64BE(5) };
};
