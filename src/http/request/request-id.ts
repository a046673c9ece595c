import { randomUUID } from 'node:crypto';

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** What a caller says of the trace that a request is part of. */
export type TraceParent = {
  readonly traceId: string;
  readonly parentId: string;
  /** Whether the caller keeps the trace. */
  readonly keeps: boolean;
};

/** Reads a W3C `traceparent` header; undefined where there is none that is valid. */
export const parseTraceParent = (header: string | null): TraceParent | undefined => {
  const [, version, traceId, parentId, flags, rest] = (header !== null && traceparent.exec(header)) || [];
  if (traceId === undefined || parentId === undefined || flags === undefined) return undefined;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, keeps: (Number.parseInt(flags, 16) & 1) === 1 };
};

/** The trace id of a valid W3C `traceparent` header, else a new one: 32 hex digits either way. */
export const getRequestId = (header: string | null): string =>
  parseTraceParent(header)?.traceId ?? randomUUID().replaceAll('-', '');
