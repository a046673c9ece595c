import { hash } from 'node:crypto';

const sortMembers = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Returns JSON text with the members of each object in the order of their names, without undefined ones. */
export const toCanonicalJson = (value: unknown): string => JSON.stringify(value, sortMembers);

/** Computes the digest of a JSON value, 32 hexadecimal digits. It does not depend on the order of members or on white space. */
export const digestJson = (value: unknown): string => hash('sha256', toCanonicalJson(value)).slice(0, 32);
