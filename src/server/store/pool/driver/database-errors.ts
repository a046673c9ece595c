import { getErrorCode } from '#lib/error-code.ts';

/** Codes of the driver, of the operating system and of PostgreSQL that mean: there is no connection. */
const connectionLostCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  // The server rejects the login: wrong password, unknown database, or too many connections.
  '28000',
  '28P01',
  '3D000',
  '53300',
  // The server is shutting down, crashed, is starting, or its database was dropped.
  '57P01',
  '57P02',
  '57P03',
  '57P04',
]);

/** Codes of one query that cannot be executed now, while others may be. */
const temporaryCodes = new Set([
  'STORE_BUSY',
  'STORE_OVERLOADED',
  // Idle in a transaction for too long, serialization failure, deadlock, lock timeout.
  '25P03',
  '40001',
  '40P01',
  '55P03',
  // Canceled by the statement timeout.
  '57014',
  // Read-only transaction: the server is a replica, before or after a failover.
  '25006',
  // Disk full, out of memory, a configured limit reached, or an I/O error.
  '53000',
  '53100',
  '53200',
  '53400',
  '58000',
  '58030',
]);

/** The database can be read and not written: read-only, disk full, or an I/O error. */
const writeFailureCodes = new Set(['25006', '53100', '58030']);

/** Returns whether an error means that there is no connection to the database and none can be opened now. */
export const isConnectionLost = (error: unknown): boolean => {
  const code = getErrorCode(error);
  // SQLSTATE class 08 is "connection exception".
  return connectionLostCodes.has(code) || /^08...$/.test(code);
};

/** Returns whether an error means that the database is unreachable or does not respond; one that answers others is neither. */
export const isUnreachable = (error: unknown): boolean =>
  isConnectionLost(error) || getErrorCode(error) === 'STORE_BUSY';

/** Returns whether an error is the last message of a server that ends a connection (SQLSTATE 57P..). */
export const isServerEnding = (error: unknown): boolean => getErrorCode(error).startsWith('57P');

/** Returns whether a query was rejected because too many others wait, while the database answers. */
export const isOverloaded = (error: unknown): boolean => getErrorCode(error) === 'STORE_OVERLOADED';

/** Returns whether a write failed while queries that only read may succeed. */
export const isWriteFailure = (error: unknown): boolean => writeFailureCodes.has(getErrorCode(error));

/** Returns whether an error is temporary, so that the caller may retry. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionLost(error) || temporaryCodes.has(getErrorCode(error));
