/** What the driver and the system say when the connection is not there, and what PostgreSQL says when it starts or stops. */
const lossCodes = new Set([
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
  // It lets nobody in: its database is gone, the password is another one, there are as many connections as there can be.
  '28000',
  '28P01',
  '3D000',
  '53300',
  // It stops, it was killed, it starts.
  '57P01',
  '57P02',
  '57P03',
  '57P04',
]);

/** What is said of one question that cannot be answered for the moment, while others may be. */
const refusalCodes = new Set([
  'STORE_BUSY',
  // A transaction that waited for another one, or that another one was preferred to.
  '25P03',
  '40001',
  '40P01',
  '55P03',
  // It took too long.
  '57014',
  // A server that follows another one, which is to take over or was taken over from.
  '25006',
  // The disk is full or broken, the memory is used up, a limit is reached.
  '53000',
  '53100',
  '53200',
  '53400',
  '58000',
  '58030',
]);

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Whether an error means that there is no connection to the database, nor can one be had for the moment. */
export const isConnectionLost = (error: unknown): boolean => {
  const code = codeOf(error);
  // SQLSTATE class 08 is the connection.
  return lossCodes.has(code) || /^08...$/.test(code);
};

/** Whether an error is what a server says last of a connection that it ends: it stops, it was killed. */
export const isServerEnding = (error: unknown): boolean => codeOf(error).startsWith('57P');

/** Whether an error means that the database cannot do it for the moment, so that the caller may try again. */
export const isUnavailable = (error: unknown): boolean => isConnectionLost(error) || refusalCodes.has(codeOf(error));
