import { hash } from 'node:crypto';
import xxhash from 'xxhash-wasm';
import { contentCodings, type ContentCoding } from './content-coding.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const time = '(\\d{2}):(\\d{2}):(\\d{2})';

/** The three ways to write an HTTP date (RFC 9110, 5.6.7), the last two kept for old senders. Groups: day, month, year, time; or as marked. */
const imfDate = new RegExp(`^[A-Z][a-z]{2}, (\\d{2}) ([A-Z][a-z]{2}) (\\d{4}) ${time} GMT$`);
const rfc850Date = new RegExp(`^[A-Z][a-z]{5,8}, (\\d{2})-([A-Z][a-z]{2})-(\\d{2}) ${time} GMT$`);
const asctimeDate = new RegExp(`^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \\d]\\d) ${time} (\\d{4})$`);

/** Two digits mean the year of that ending that is at most fifty years ahead. */
const fullYear = (twoDigits: number, thisYear: number): number => {
  const year = Math.floor(thisYear / 100) * 100 + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
};

const instantOf = (year: number, month: string, rest: readonly (string | undefined)[]): number | undefined => {
  const [day = 0, hours = 0, minutes = 0, seconds = 0] = rest.map(Number);
  const index = months.indexOf(month);
  if (index === -1 || hours > 23 || minutes > 59 || seconds > 60) return undefined;
  const midnight = Date.UTC(year, index, day);
  return new Date(midnight).getUTCDate() === day
    ? midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000
    : undefined;
};

/** Milliseconds since 1970 of an HTTP date; undefined when it is none. `thisYear` settles the century of a year of two digits. */
export const parseHttpDate = (text: string, thisYear: number): number | undefined => {
  const imf = imfDate.exec(text);
  if (imf) return instantOf(Number(imf[3]), imf[2] ?? '', [imf[1], ...imf.slice(4)]);
  const old = rfc850Date.exec(text);
  if (old) return instantOf(fullYear(Number(old[3]), thisYear), old[2] ?? '', [old[1], ...old.slice(4)]);
  const oldest = asctimeDate.exec(text);
  if (oldest) return instantOf(Number(oldest[6]), oldest[1] ?? '', oldest.slice(2, 6));
  return undefined;
};

/**
 * `Last-Modified` of an answer that has been as it is at least since `sinceMs`, milliseconds since 1970. HTTP tells seconds only:
 * within the second of the change nothing is said, for what was answered earlier in it could have been another answer.
 */
export const lastModified = (sinceMs: number, now: Date): Readonly<Record<string, string>> => {
  const second = Math.ceil(sinceMs / 1000) * 1000;
  return second > now.getTime() ? {} : { 'Last-Modified': new Date(second).toUTCString() };
};

const { h64Raw } = await xxhash();

/** From this on a digest for cryptographers costs as much as a good part of the answer itself: 172 kB take 0.8 ms by SHA-256, 0.03 by xxHash. */
const LONG_BYTES = 8192;

/** The entity tag of bytes, the same for the same bytes wherever they come from. Two different bodies of a length have one tag in 2^64. */
export const computeEntityTag = (bytes: Uint8Array): string =>
  bytes.byteLength < LONG_BYTES
    ? `"${hash('sha256', bytes, 'base64url')}"`
    : `"${bytes.byteLength.toString(36)}-${h64Raw(bytes).toString(36)}"`;

/** The tag of the same body packed: a strong tag stands for bytes. */
export const tagOfCoding = (tag: string, coding: ContentCoding): string => `${tag.slice(0, -1)}-${coding}"`;

/** The tag of a body in any of its forms. */
const formsOf = (tag: string): readonly string[] => [tag, ...contentCodings.map((coding) => tagOfCoding(tag, coding))];

/** The entity tag of a JSON body, the same that a GET answers with it. */
export const computeJsonEntityTag = (body: unknown): string => computeEntityTag(Buffer.from(JSON.stringify(body)));

/** Whether an `If-Match` holds for an object with a tag, in any form. Tags are compared strongly: one with `W/` matches nothing (RFC 9110, 13.1.1). */
export const hasMatchingTag = (list: string, tag: string): boolean => {
  const tags: readonly string[] = list.match(/(W\/)?"[\u0021\u0023-\u007e\u0080-\u00ff]*"/g) ?? [];
  return list.trim() === '*' || formsOf(tag).some((form) => tags.includes(form));
};

/** The opaque parts of the tags in a list; commas can be part of a tag. */
const tagsIn = (list: string): readonly string[] => list.match(/"[\u0021\u0023-\u007e\u0080-\u00ff]*"/g) ?? [];

/** Whether the request says that the caller has a body with this tag, in any of its forms, or one from since it was modified (RFC 9110, 13). */
export const isNotModified = (asked: Headers, tag: string, modified: string | undefined): boolean => {
  const tags = asked.get('if-none-match');
  // Tags are compared weakly: `W/` makes no difference. Times are looked at only where no tags were sent (RFC 9110, 13.2.2).
  if (tags !== null) {
    const sent = tagsIn(tags);
    return tags.trim() === '*' || formsOf(tag).some((form) => sent.includes(form));
  }
  const since = asked.get('if-modified-since');
  if (since === null || modified === undefined) return false;
  const changedAt = new Date(modified);
  const known = parseHttpDate(since.trim(), changedAt.getUTCFullYear());
  return known !== undefined && changedAt.getTime() <= known;
};

/**
 * Evaluates the conditions of a request (RFC 9110, 13) against a body, and returns the headers with its entity tag: those of the 200,
 * or those of the 304 where the client has it.
 */
export const evaluateConditions = (
  requestHeaders: Headers,
  { bytes, headers }: { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> },
): { readonly isNotModified: boolean; readonly headers: Readonly<Record<string, string>> } => {
  const etag = computeEntityTag(bytes);
  const lastModified = headers['Last-Modified'];
  if (!isNotModified(requestHeaders, etag, lastModified))
    return { isNotModified: false, headers: { ...headers, ETag: etag } };
  return {
    isNotModified: true,
    headers: { ETag: etag, ...(lastModified !== undefined && { 'Last-Modified': lastModified }) },
  };
};
