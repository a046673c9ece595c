import { getErrorCode } from '#lib/error-code.ts';
import { maskPassword } from '#lib/mask-password.ts';

const unreachable = 'no response within 4 s: correct host and port, or open the firewall';
const unknownHost = 'the host name is unknown: correct it';
const rejected = 'PostgreSQL rejects the user or its password: correct them';
const starting = 'PostgreSQL is starting or stopping: try again';

/** What an error code of a connection means, and the remedy. Codes of five characters are those of PostgreSQL. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no PostgreSQL listens there: start it, or correct host and port',
  ENOENT: 'the socket does not exist: start PostgreSQL, or correct the directory',
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  CONNECT_TIMEOUT: unreachable,
  ETIMEDOUT: unreachable,
  CONNECTION_CLOSED: 'the connection was closed: correct host and port',
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  '28P01': rejected,
  '28000': rejected,
  '3D000': 'the database does not exist: create it, or correct the name',
  '53300': 'all connections are in use: raise max_connections of PostgreSQL',
  '57P03': starting,
  '57P01': starting,
  '42501': 'the user has no permission to create tables: make it the owner of the database',
};

/** Returns an error that names DATABASE_URL, its value without the password, the reason and the remedy; any other error unchanged. */
export const explainDatabaseError = (error: unknown, url: string): unknown => {
  const code = getErrorCode(error) || getErrorCode(error instanceof Error ? error.cause : undefined);
  const reason = reasons[code];
  return reason === undefined ? error : new Error(`DATABASE_URL=${maskPassword(url)}: ${reason} (${code})`);
};
