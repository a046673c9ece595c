import { randomBytes } from 'node:crypto';

/** Random digits are drawn for many IDs at a time: `randomUUID` and the removal of its hyphens take 15 times as long. */
const DRAWN_IDS = 256;
const ID_BYTES = 16;
let digits = '';
let used = 0;

/** Returns 32 random hex digits. */
const drawId = (): string => {
  if (used === digits.length) [digits, used] = [randomBytes(DRAWN_IDS * ID_BYTES).toString('hex'), 0];
  used += 2 * ID_BYTES;
  return digits.slice(used - 2 * ID_BYTES, used);
};

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a W3C `traceparent` header; returns undefined when it is absent or invalid. */
const parseTraceId = (header: string | null): string | undefined => {
  const [, version, traceId = '', parentId = '', , rest] = (header !== null && traceparent.exec(header)) || [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  return /^0+$/.test(traceId) || /^0+$/.test(parentId) ? undefined : traceId;
};

/**
 * Returns the `traceparent` header of a request; null without one, and when its trace ID is the key of the request: a key has the same form, and
 * trace IDs are public.
 */
export const readTraceParent = (headers: Headers): string | null => {
  const header = headers.get('traceparent');
  return header !== null && parseTraceId(header) === headers.get('subscription-key') ? null : header;
};

/** Returns the trace ID of a valid `traceparent` header (W3C Trace Context), else a new ID: 32 hex digits in both cases. */
export const getRequestId = (header: string | null): string => parseTraceId(header) ?? drawId();
