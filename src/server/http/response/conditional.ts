import xxhash from 'xxhash-wasm';
import { hash } from 'node:crypto';
import { type ContentCoding, contentCodings } from './content-negotiation.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const time = '(\\d{2}):(\\d{2}):(\\d{2})';

/** The three formats of an HTTP date (RFC 9110, 5.6.7); the last two are obsolete. Groups: day, month, year, time (asctime: month, day, time, year). */
const imfDate = new RegExp(`^[A-Z][a-z]{2}, (\\d{2}) ([A-Z][a-z]{2}) (\\d{4}) ${time} GMT$`);
const rfc850Date = new RegExp(`^[A-Z][a-z]{5,8}, (\\d{2})-([A-Z][a-z]{2})-(\\d{2}) ${time} GMT$`);
const asctimeDate = new RegExp(`^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \\d]\\d) ${time} (\\d{4})$`);

/** Returns the latest year with these last two digits that is at most 50 years ahead. */
const expandYear = (twoDigits: number, thisYear: number): number => {
  const year = Math.floor(thisYear / 100) * 100 + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
};

const toInstant = (year: number, month: string, rest: readonly (string | undefined)[]): number | undefined => {
  const [day = 0, hours = 0, minutes = 0, seconds = 0] = rest.map(Number);
  const index = months.indexOf(month);
  if (index === -1 || hours > 23 || minutes > 59 || seconds > 60) return undefined;
  const midnight = Date.UTC(year, index, day);
  return new Date(midnight).getUTCDate() === day
    ? midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000
    : undefined;
};

/** Parses an HTTP date to milliseconds since 1970; returns undefined when invalid. `thisYear` determines the century of two-digit years. */
export const parseHttpDate = (text: string, thisYear: number): number | undefined => {
  const imf = imfDate.exec(text);
  if (imf) return toInstant(Number(imf[3]), imf[2] ?? '', [imf[1], ...imf.slice(4)]);
  const rfc850 = rfc850Date.exec(text);
  if (rfc850)
    return toInstant(expandYear(Number(rfc850[3]), thisYear), rfc850[2] ?? '', [rfc850[1], ...rfc850.slice(4)]);
  const asctime = asctimeDate.exec(text);
  if (asctime) return toInstant(Number(asctime[6]), asctime[1] ?? '', asctime.slice(2, 6));
  return undefined;
};

/**
 * Returns `Last-Modified` for a response that has not changed since `sinceMs` (milliseconds since 1970). HTTP dates have whole seconds, so
 * the header is absent within the second of the change: an earlier response of that second could differ.
 */
export const toLastModifiedHeader = (sinceMs: number, now: Date): Readonly<Record<string, string>> => {
  const second = Math.ceil(sinceMs / 1000) * 1000;
  return second > now.getTime() ? {} : { 'Last-Modified': new Date(second).toUTCString() };
};

const { h64Raw } = await xxhash();

/** From this size on xxHash is used: 172 kB take 0.8 ms with SHA-256, 0.03 ms with xxHash. */
const XXHASH_MIN_BYTES = 8192;

/** Computes a strong entity tag from the bytes alone. Two bodies of one length share a tag with a probability of 2^-64. */
export const computeEntityTag = (bytes: Uint8Array): string =>
  bytes.byteLength < XXHASH_MIN_BYTES
    ? `"${hash('sha256', bytes, 'base64url')}"`
    : `"${bytes.byteLength.toString(36)}-${h64Raw(bytes).toString(36)}"`;

/** Returns the tag of the same body in a content coding: a strong tag identifies the bytes sent. */
export const tagOfCoding = (tag: string, coding: ContentCoding): string => `${tag.slice(0, -1)}-${coding}"`;

/** Returns the tags of a body, uncompressed and in each coding. */
const listTags = (tag: string): readonly string[] => [tag, ...contentCodings.map((coding) => tagOfCoding(tag, coding))];

/** Computes the entity tag of a JSON body, the same as in the response to a GET. */
export const computeJsonEntityTag = (body: unknown): string => computeEntityTag(Buffer.from(JSON.stringify(body)));

/** Returns the tags in a list without `W/`; a tag can contain commas. */
const parseTags = (list: string): readonly string[] => list.match(/"[\u0021\u0023-\u007e\u0080-\u00ff]*"/g) ?? [];

/**
 * Whether a list of `If-Match` or `If-None-Match` contains a tag, in any coding. `W/` makes no difference. RFC 9110, 13.1.1 excludes weak tags
 * from `If-Match`, but ours are strong: a weak one is from a proxy that compressed the same content, as nginx does.
 */
export const hasMatchingTag = (list: string, tag: string): boolean => {
  const sent = parseTags(list);
  return list.trim() === '*' || listTags(tag).some((own) => sent.includes(own));
};

/** Whether the client has the body with this tag, in any coding, or one that is not older (RFC 9110, 13). */
export const isNotModified = (requestHeaders: Headers, tag: string, lastModified: string | undefined): boolean => {
  const tags = requestHeaders.get('if-none-match');
  // Times count only where no tags were sent (RFC 9110, 13.2.2).
  if (tags !== null) return hasMatchingTag(tags, tag);
  const since = lastModified === undefined ? null : requestHeaders.get('if-modified-since');
  if (since === null || lastModified === undefined) return false;
  const changedAt = new Date(lastModified);
  const knownAt = parseHttpDate(since.trim(), changedAt.getUTCFullYear());
  return knownAt !== undefined && changedAt.getTime() <= knownAt;
};
