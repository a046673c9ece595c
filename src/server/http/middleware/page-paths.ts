import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';

/** Returns the path that an intermediary may have encoded. */
const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/**
 * Hides the rest of the paths below `prefixes` from the log: those of pages can hold a secret.
 *
 * @example app.use('/pages/*', pagePaths(['/flight-map/']))
 */
export const pagePaths = (prefixes: readonly string[]) =>
  createMiddleware<Env>(async (c, next) => {
    const path = `${decodePath(c.get('selected').target.path).replaceAll(/\/+/g, '/').toLowerCase()}/`;
    const prefix = prefixes.find((one) => path.startsWith(one));
    if (prefix !== undefined) c.set('loggedPath', `${prefix}...`);
    await next();
  });
