import { randomUUID } from 'node:crypto';

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a W3C `traceparent` header; returns undefined when it is absent or invalid. */
const parseTraceId = (header: string | null): string | undefined => {
  const [, version, traceId = '', parentId = '', , rest] = (header !== null && traceparent.exec(header)) || [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  return /^0+$/.test(traceId) || /^0+$/.test(parentId) ? undefined : traceId;
};

/** Returns the trace ID of a valid `traceparent` header (W3C Trace Context), else a new ID: 32 hex digits in both cases. */
export const getRequestId = (header: string | null): string => parseTraceId(header) ?? randomUUID().replaceAll('-', '');
