import { posix } from 'node:path';

/** Returns the path of a file of the project that a file imports, as `./x.ts` or by `imports` of package.json; undefined of a package. */
export const toOwnPath = (path: string, specifier: string): string | undefined => {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
  if (!specifier.startsWith('#')) return undefined;
  const own = specifier.slice(1);
  if (/^(generated|test)\//.test(own)) return own;
  return /^(client|contract|demo|mock|portal|release)\//.test(own) ? `src/${own}` : `src/server/${own}`;
};
