import { randomUUID } from 'node:crypto';

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The trace id of a valid W3C `traceparent` header, else a new one: 32 hex digits either way. */
export const requestIdOf = (header: string | null): string => {
  const [, version, traceId, parentId, rest] = (header !== null && traceparent.exec(header)) || [];
  const isValid =
    traceId !== undefined &&
    version !== 'ff' &&
    !(version === '00' && rest !== undefined) &&
    !/^0+$/.test(traceId) &&
    !/^0+$/.test(parentId ?? '0');
  return isValid ? traceId : randomUUID().replaceAll('-', '');
};
