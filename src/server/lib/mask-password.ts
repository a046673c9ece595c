/** Replaces everything in a database URL that may be its password; works for malformed ones too. */
export const maskPassword = (url: string): string =>
  url.replace(/:(?!\/\/)[^]*@/, ':***@').replaceAll(/(password=)[^&]*/gi, '$1***');
