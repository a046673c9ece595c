import { randomUUID } from 'node:crypto';

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The trace of the client that a request belongs to (W3C Trace Context). */
export type TraceParent = {
  readonly traceId: string;
  readonly parentId: string;
  /** Whether the client records the trace. */
  readonly isSampled: boolean;
};

/** Parses a W3C `traceparent` header; returns undefined when it is absent or invalid. */
export const parseTraceParent = (header: string | null): TraceParent | undefined => {
  const [, version, traceId, parentId, flags, rest] = (header !== null && traceparent.exec(header)) || [];
  if (traceId === undefined || parentId === undefined || flags === undefined) return undefined;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

/** Returns the trace ID of a valid `traceparent` header, else a new ID: 32 hex digits in both cases. */
export const getRequestId = (header: string | null): string =>
  parseTraceParent(header)?.traceId ?? randomUUID().replaceAll('-', '');
