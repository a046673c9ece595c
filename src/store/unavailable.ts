/** What the driver says when the connection is not there, and what PostgreSQL says when it starts, stops or is full. */
const codes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  '53200',
  '53300',
  '57P01',
  '57P02',
  '57P03',
]);

/** Whether an error means that the database is away for the moment, so that the caller may try again. */
export const isUnavailable = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null || !('code' in error) || typeof error.code !== 'string') return false;
  // SQLSTATE class 08 is the connection.
  return codes.has(error.code) || /^08...$/.test(error.code);
};
