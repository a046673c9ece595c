/** The URL of another database on the same server. */
export const urlOf = (server: string, database: string): string =>
  server.replace(/^([^/]*\/\/[^/]*\/)[^?]*/, `$1${database}`);
