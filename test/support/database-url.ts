export const databaseUrlOf = (server: string, database: string): string =>
  server.replace(/^([^/]*\/\/[^/]*\/)[^?]*/, `$1${database}`);
