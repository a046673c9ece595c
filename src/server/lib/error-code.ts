/** Returns the `code` of an error of Node, the driver or PostgreSQL; '' when it has none. */
export const getErrorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
