/** Returns the URL of another database on the same server. */
export const databaseUrlOf = (server: string, database: string): string =>
  server.replace(/^([^/]*\/\/[^/]*\/)[^?]*/, `$1${database}`);
